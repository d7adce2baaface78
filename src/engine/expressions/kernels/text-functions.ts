import type { Kernel, MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { Bytes, type LongVec, type TextVec, type Vec, Words, wordAt } from "../vec.ts";
import { sameBytes } from "./comparison.ts";

/** Functions of text on its UTF-8 bytes. Places and lengths count characters (code points) from 1. */

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

export function countCharacters(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) count += isContinuation(bytes[at] as number) ? 0 : 1;
  return count;
}

/** The byte at which the character number `index` (from 0) begins; `end` behind the last. */
function placeOf(bytes: Uint8Array, start: number, end: number, index: number): number {
  let at = start;
  for (let left = index; left > 0 && at < end; left--) {
    at++;
    while (at < end && isContinuation(bytes[at] as number)) at++;
  }
  return at;
}

/** First place of `part` in bytes [start, end), or −1. An empty part is nowhere. */
export function indexOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  part: Uint8Array,
  from: number,
  to: number,
): number {
  const length = to - from;
  if (length === 0) return -1;
  const first = part[from] as number;
  for (let at = start; at + length <= end; at++) {
    if (bytes[at] === first && sameBytes(part, from, to, bytes, at)) return at;
  }
  return -1;
}

/** A function that writes a text for each row that is wanted. */
function writing(write: (args: readonly Vec[], row: number, room: TextRoom) => void): MakeKernel {
  return (): Kernel => {
    const room = new TextRoom();
    return (args, frame) => {
      room.begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (frame.wants(i)) write(args, i, room);
        room.close();
      }
      return room.finish();
    };
  };
}

/** Characters of text, bytes of binary. */
export const length =
  (isText: boolean): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], { rows }) => {
      const text = x as TextVec;
      const out = room.take(2 * rows);
      for (let i = 0; i < rows; i++) {
        const word = wordAt(text, i);
        const start = text.offsets[word] as number;
        const end = text.offsets[word + 1] as number;
        out[2 * i] = isText ? countCharacters(text.bytes, start, end) : end - start;
        out[2 * i + 1] = 0;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

/** An int64 as a number: beyond ±2^53 the nearest one, which is beyond every text as well. */
export function numberAt(vec: Vec, row: number): number {
  const { values, step } = vec as LongVec;
  return (values[2 * row * step + 1] as number) * 4294967296 + ((values[2 * row * step] as number) >>> 0);
}

/** From `start`, counted from the end where it is negative, so many characters; backwards where they are negative. */
export const substring: MakeKernel = writing(([x, from, count], row, room) => {
  const text = x as TextVec;
  const word = wordAt(text, row);
  const start = text.offsets[word] as number;
  const end = text.offsets[word + 1] as number;
  const characters = countCharacters(text.bytes, start, end);
  const place = numberAt(from as Vec, row);
  let first = place < 0 ? characters + place : place - 1;
  let behind = count === undefined ? characters : first + numberAt(count, row);
  if (behind < first) [first, behind] = [behind, first];
  const begin = Math.min(Math.max(first, 0), characters);
  const stop = Math.min(Math.max(behind, 0), characters);
  const at = placeOf(text.bytes, start, end, begin);
  room.add(text.bytes, at, placeOf(text.bytes, at, end, stop - begin));
});

export const replace: MakeKernel = writing(([x, what, by], row, room) => {
  const [text, part, other] = [x as TextVec, what as TextVec, by as TextVec];
  const word = wordAt(text, row);
  const [p, o] = [wordAt(part, row), wordAt(other, row)];
  const end = text.offsets[word + 1] as number;
  const [from, to] = [part.offsets[p] as number, part.offsets[p + 1] as number];
  let at = text.offsets[word] as number;
  for (;;) {
    const found = indexOf(text.bytes, at, end, part.bytes, from, to);
    room.add(text.bytes, at, found < 0 ? end : found);
    if (found < 0) return;
    room.add(other.bytes, other.offsets[o] as number, other.offsets[o + 1] as number);
    at = found + to - from;
  }
});

/** Spaces, or any of the characters given, from both ends. */
export const trim: MakeKernel = writing(([x, characters], row, room) => {
  const text = x as TextVec;
  const word = wordAt(text, row);
  let start = text.offsets[word] as number;
  let end = text.offsets[word + 1] as number;
  const isTrimmed = (from: number, to: number): boolean => {
    if (characters === undefined) return text.bytes[from] === 32;
    const set = characters as TextVec;
    const c = wordAt(set, row);
    return indexOf(set.bytes, set.offsets[c] as number, set.offsets[c + 1] as number, text.bytes, from, to) >= 0;
  };
  while (start < end) {
    const next = placeOf(text.bytes, start, end, 1);
    if (!isTrimmed(start, next)) break;
    start = next;
  }
  while (end > start) {
    let last = end - 1;
    while (last > start && isContinuation(text.bytes[last] as number)) last--;
    if (!isTrimmed(last, end)) break;
    end = last;
  }
  room.add(text.bytes, start, end);
});

/** Part number n between separators, from the end where n is negative; empty where there is none. An empty separator separates nothing. */
export const splitPart: MakeKernel = writing(([x, separator, n], row, room) => {
  const [text, by] = [x as TextVec, separator as TextVec];
  const word = wordAt(text, row);
  const b = wordAt(by, row);
  const end = text.offsets[word + 1] as number;
  const [from, to] = [by.offsets[b] as number, by.offsets[b + 1] as number];
  const wanted = numberAt(n as Vec, row);
  const starts: number[] = [text.offsets[word] as number];
  for (;;) {
    const found = indexOf(text.bytes, starts.at(-1) as number, end, by.bytes, from, to);
    if (found < 0) break;
    starts.push(found + to - from);
  }
  const part = wanted < 0 ? starts.length + wanted : wanted - 1;
  const start = starts[part];
  if (wanted === 0 || start === undefined) return;
  const next = starts[part + 1];
  room.add(text.bytes, start, next === undefined ? end : next - (to - from));
});

export const startsWith: MakeKernel = () => {
  const room = new Bytes();
  return ([x, y], { rows }) => {
    const [text, prefix] = [x as TextVec, y as TextVec];
    const out = room.take(rows);
    for (let i = 0; i < rows; i++) {
      const [word, p] = [wordAt(text, i), wordAt(prefix, i)];
      const start = text.offsets[word] as number;
      const [from, to] = [prefix.offsets[p] as number, prefix.offsets[p + 1] as number];
      const fits = (text.offsets[word + 1] as number) - start >= to - from;
      out[i] = fits && sameBytes(prefix.bytes, from, to, text.bytes, start) ? 1 : 0;
    }
    return { kind: "bool", values: out, step: 1, nulls: null };
  };
};
