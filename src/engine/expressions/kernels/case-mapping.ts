import { decodeUtf8 } from "../../data/text.ts";
import type { MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { type TextVec, wordAt } from "../vec.ts";

/**
 * Lower and upper case by Unicode's simple mapping: one character for one character, whatever stands beside it, of no language.
 */
export type LetterCase = "lower" | "upper";

const MAPPED: Readonly<Record<LetterCase, Map<string, string>>> = { lower: new Map(), upper: new Map() };

/** The simple mapping of a character for which the language tells several; itself where there is none. */
function simpleOf(character: string, letterCase: LetterCase): string {
  const code = character.codePointAt(0) as number;
  if (letterCase === "lower") return code === 0x130 ? "i" : character;
  // Greek letters with an iota below.
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return String.fromCodePoint(code + 8);
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? String.fromCodePoint(code + 9) : character;
}

function mapCharacter(character: string, letterCase: LetterCase): string {
  const known = MAPPED[letterCase].get(character);
  if (known !== undefined) return known;
  const mapped = letterCase === "lower" ? character.toLowerCase() : character.toUpperCase();
  const simple = [...mapped].length === 1 ? mapped : simpleOf(character, letterCase);
  MAPPED[letterCase].set(character, simple);
  return simple;
}

export function mapCase(text: string, letterCase: LetterCase): string {
  let mapped = "";
  for (const character of text) mapped += mapCharacter(character, letterCase);
  return mapped;
}

/** Writes bytes [start, end) in the case to `out` where they are ASCII, and answers whether they are. */
function mapAscii(
  bytes: Uint8Array,
  start: number,
  end: number,
  letterCase: LetterCase,
  out: Uint8Array,
  at: number,
): boolean {
  const first = letterCase === "lower" ? 65 : 97;
  let all = 0;
  for (let i = start, j = at; i < end; i++, j++) {
    const byte = bytes[i] as number;
    all |= byte;
    out[j] = byte - first < 26 && byte >= first ? byte ^ 32 : byte;
  }
  return all < 128;
}

/** Adds bytes [start, end) in the case to the row. */
export function addMapped(bytes: Uint8Array, start: number, end: number, letterCase: LetterCase, room: TextRoom): void {
  let isAscii = false;
  room.write(end - start, (target, at) => {
    isAscii = mapAscii(bytes, start, end, letterCase, target, at);
    return isAscii ? at + end - start : at;
  });
  if (!isAscii) room.addString(mapCase(decodeUtf8(bytes, start, end), letterCase));
}

export const inCase =
  (letterCase: LetterCase): MakeKernel =>
  () => {
    const room = new TextRoom();
    return ([x], frame) => {
      const text = x as TextVec;
      room.begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (frame.wants(i)) {
          const word = wordAt(text, i);
          addMapped(text.bytes, text.offsets[word] as number, text.offsets[word + 1] as number, letterCase, room);
        }
        room.close();
      }
      return room.finish();
    };
  };
