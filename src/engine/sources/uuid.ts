import type { CounterRandom } from "../base/counter-random.ts";
import type { VarColumn } from "../data/column.ts";
import { typeOf } from "../data/types.ts";

const UTF8 = typeOf("utf8");
const LENGTH = 36;
const DASH = 45;
/** Where the dashes stand: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx. */
const DASHES = [8, 13, 18, 23];
const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
/** Place of every one of the 32 digits. */
const PLACES = Uint8Array.from(
  Array.from({ length: LENGTH }, (_, place) => place).filter((place) => !DASHES.includes(place)),
);

/** Random UUIDs (version 4), a function of the row's number: two tables give the 128 bits. */
export function uuidColumn(rows: Float64Array, first: CounterRandom, second: CounterRandom): VarColumn {
  const count = rows.length;
  const bytes = new Uint8Array(LENGTH * count);
  const offsets = new Int32Array(count + 1);
  const words = [new Uint32Array(2 * count), new Uint32Array(2 * count)] as const;
  first.words(rows, words[0]);
  second.words(rows, words[1]);
  for (let row = 0; row < count; row++) {
    const at = row * LENGTH;
    offsets[row + 1] = at + LENGTH;
    writeWord(bytes, at, 0, words[0][2 * row] as number);
    // Version 4, and the variant of RFC 9562 in the two top bits of the third word.
    writeWord(bytes, at, 8, ((words[0][2 * row + 1] as number) & 0xffff0fff) | 0x4000);
    writeWord(bytes, at, 16, ((words[1][2 * row] as number) & 0x3fffffff) | 0x80000000);
    writeWord(bytes, at, 24, words[1][2 * row + 1] as number);
    for (const dash of DASHES) bytes[at + dash] = DASH;
  }
  return { encoding: "var", type: UTF8, length: count, nullCount: 0, validity: null, offsets, bytes };
}

/** The eight hexadecimal digits of a word, the first one as digit `digit` of the UUID at `at`. */
function writeWord(bytes: Uint8Array, at: number, digit: number, word: number): void {
  for (let k = 0; k < 8; k++) {
    bytes[at + (PLACES[digit + k] as number)] = DIGITS[(word >>> (28 - 4 * k)) & 15] as number;
  }
}
