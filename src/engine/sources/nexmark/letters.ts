import { CounterRandom } from "../../base/counter-random.ts";
import type { VarColumn } from "../../data/column.ts";
import { TextBuilder } from "../../data/column-builder.ts";
import { newTextBytes, wordAccess } from "../../data/storage.ts";
import { typeOf } from "../../data/types.ts";
import { below, plain } from "./draws.ts";

const UTF8 = typeOf("utf8");
const SIZE = 65_536;
const A = 97;
const BLANK = 32;

/** Every thirteenth character of running text is a blank. */
const BLANK_EVERY = 13;
/** Texts of up to n characters have three at least. */
const SHORTEST = 3;

/** Random letters from which texts are cut at random places. Frozen: they never change, and keyframes of the lab share them. */
export type Letters = Readonly<{ bytes: Uint8Array }>;

/**
 * Letters to cut from: a text costs a copy, not a draw for every character.
 *
 * @param stream table of random numbers, of which nobody else draws
 */
export function letters(seed: number, stream: number, blanks: boolean): Letters {
  const random = new CounterRandom(seed, stream);
  const bytes = newTextBytes(SIZE);
  for (let i = 0; i < SIZE; i++) {
    const draw = random.uniformAt(i) * BLANK_EVERY;
    bytes[i] = blanks && draw < 1 ? BLANK : A + Math.floor((draw % 1) * 26);
  }
  return Object.freeze({ bytes });
}

/** Length of a text of up to `most` characters. */
export const textLength = (word: number, most: number): number => SHORTEST + below(word, most - SHORTEST);

/** Length of the text that fills an event of `size` bytes up to `average`: ±20 %, none where there is no room. */
export function fillLength(word: number, size: number, average: number): number {
  const room = average - size;
  if (room < 0) return 0;
  const spread = Math.floor(room * 0.2 + 0.5);
  return room - spread + below(word, 2 * spread);
}

/**
 * Texts cut out of letters: of event i `lengths[i]` characters, from a place that word `half` of it chooses.
 *
 * @param trim leaves out blanks at either end
 */
export function cuts(
  { bytes: pool }: Letters,
  lengths: Int32Array,
  words: Uint32Array,
  half: 0 | 1,
  trim = false,
): VarColumn {
  const count = lengths.length;
  const starts = new Int32Array(count);
  const offsets = new Int32Array(count + 1);
  let end = 0;
  for (let i = 0; i < count; i++) {
    const length = lengths[i] as number;
    let from = below(words[2 * i + half] as number, SIZE - length);
    let to = from + length;
    if (trim) {
      while (from < to && pool[from] === BLANK) from++;
      while (from < to && pool[to - 1] === BLANK) to--;
    }
    starts[i] = from;
    end += to - from;
    offsets[i + 1] = end;
  }
  const bytes = newTextBytes(end);
  copyCuts(wordAccess(pool), starts, offsets, wordAccess(bytes));
  return { encoding: "var", type: UTF8, ...plain(count), offsets, bytes };
}

/** Eight bytes at a time; what is written beyond a text is written over by the next one, or lies in the slack. Letters are no NaN. */
function copyCuts(from: DataView, starts: Int32Array, offsets: Int32Array, to: DataView): void {
  for (let i = 0; i < starts.length; i++) {
    let at = starts[i] as number;
    const end = offsets[i + 1] as number;
    for (let place = offsets[i] as number; place < end; place += 8, at += 8) to.setFloat64(place, from.getFloat64(at));
  }
}

/** The words of a dictionary column, frozen as letters are. */
export function wordsOf(words: readonly string[]): VarColumn {
  const builder = new TextBuilder(UTF8, words.length);
  for (const word of words) builder.appendString(word);
  return Object.freeze(builder.finish());
}
