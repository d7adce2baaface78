import type { ByteArena } from "./field-block.ts";

const LF = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const LOWER_U = 117;

/** Characters by the letter behind the backslash; 0: no such escape. */
const SIMPLE = new Uint8Array(128);
for (const [letter, value] of [
  ['"', 34],
  ["\\", 92],
  ["/", 47],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
] as const) {
  SIMPLE[letter.charCodeAt(0)] = value;
}

/**
 * Decodes a JSON string's bytes from `at` to its closing quote, before `end`, onto the arena. Answers the place of the quote, or -1
 * with the reason in `stringFault`.
 *
 * A lone surrogate is refused: it is no character, and UTF-8 has no place for it.
 */
export function unescapeString(bytes: Uint8Array, from: number, end: number, target: ByteArena): number {
  // Every escape is longer than the bytes that it stands for.
  target.reserve(end - from);
  let at = from;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte === LF) break;
    if (byte < 32) return fail("a control character in a string must be written as an escape");
    if (byte !== BACKSLASH) {
      target.push(byte);
      at++;
      continue;
    }
    const letter = at + 1 < end ? (bytes[at + 1] as number) : 0;
    if (letter === LOWER_U) {
      at = unicode(bytes, at, end, target);
      if (at < 0) return at;
      continue;
    }
    const value = letter < 128 ? (SIMPLE[letter] as number) : 0;
    if (value === 0) return fail("there is no such escape in JSON");
    target.push(value);
    at += 2;
  }
  return fail("a string is not closed");
}

/** Why the last `unescapeString` failed. */
export let stringFault = "";

function fail(reason: string): -1 {
  stringFault = reason;
  return -1;
}

function unicode(bytes: Uint8Array, at: number, end: number, target: ByteArena): number {
  const unit = hex4(bytes, at + 2, end);
  if (unit < 0) return fail("\\u needs four hexadecimal digits");
  if (unit < 0xd800 || unit > 0xdfff) {
    pushCodePoint(target, unit);
    return at + 6;
  }
  const isPair = unit < 0xdc00 && at + 7 < end && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LOWER_U;
  const low = isPair ? hex4(bytes, at + 8, end) : -1;
  if (low < 0xdc00 || low > 0xdfff) return fail("half of a surrogate pair is no character");
  pushCodePoint(target, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
  return at + 12;
}

function hex4(bytes: Uint8Array, from: number, end: number): number {
  if (from + 4 > end) return -1;
  let value = 0;
  for (let i = from; i < from + 4; i++) {
    const byte = bytes[i] as number;
    const lower = byte | 32;
    const digit = byte >= 48 && byte <= 57 ? byte - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function pushCodePoint(target: ByteArena, code: number): void {
  if (code < 0x80) {
    target.push(code);
  } else if (code < 0x800) {
    target.push(0xc0 | (code >> 6));
    target.push(0x80 | (code & 63));
  } else if (code < 0x10000) {
    target.push(0xe0 | (code >> 12));
    target.push(0x80 | ((code >> 6) & 63));
    target.push(0x80 | (code & 63));
  } else {
    target.push(0xf0 | (code >> 18));
    target.push(0x80 | ((code >> 12) & 63));
    target.push(0x80 | ((code >> 6) & 63));
    target.push(0x80 | (code & 63));
  }
}
