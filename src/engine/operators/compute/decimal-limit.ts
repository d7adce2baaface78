import { bitAt, type Validity } from "../../data/column.ts";
import { wordOfBigInt } from "../../data/words.ts";

/**
 * The first row whose decimal, four words in two's complement, has more than `precision` digits; NULLs are not looked at. `undefined`:
 * there is none.
 */
export function firstTooLarge(words: Int32Array, validity: Validity, precision: number): number | undefined {
  const limit = 10n ** BigInt(precision);
  const bounds = Uint32Array.from([0, 1, 2, 3], (i) => wordOfBigInt(limit, i) >>> 0);
  for (let row = 0; row < words.length / 4; row++) {
    if (validity !== null && !bitAt(validity, row)) continue;
    if (!isBelow(words, 4 * row, bounds)) return row;
  }
  return undefined;
}

/** Whether the magnitude of the number at `at` is below the limit. */
function isBelow(words: Int32Array, at: number, limit: Uint32Array): boolean {
  const negative = (words[at + 3] as number) < 0;
  let carry = 1;
  let below = false;
  // From the lowest word on: the highest one that differs decides.
  for (let i = 0; i < 4; i++) {
    const word = (words[at + i] as number) >>> 0;
    const flipped = negative ? (~word >>> 0) + carry : word;
    if (negative) carry = flipped > 0xffff_ffff ? 1 : 0;
    const magnitude = flipped >>> 0;
    const bound = limit[i] as number;
    if (magnitude !== bound) below = magnitude < bound;
  }
  return below;
}
