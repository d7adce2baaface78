import { setBits } from "../data/bits.ts";
import type { Bits } from "../data/column.ts";
import { type KernelHeap, kernelHeap } from "../data/wasm/kernel-heap.ts";
import type { BoolVec, Bytes, Vec } from "./vec.ts";

/**
 * Loops over masks: truth and NULLs, a byte a row that is 0 or 1. Each goes by a kernel where that is worth a call and all arrays lie where it
 * works, else by the loop that is its twin.
 */

/** Four rows for which a mask is 0, and for which it is 1. */
const ZEROS = new Int32Array(1);
const ONES = Int32Array.of(0x01010101);

const heapFor = (rows: number, ...arrays: readonly ArrayBufferView[]): KernelHeap | undefined => {
  const heap = kernelHeap(rows);
  return heap !== undefined && arrays.every((each) => heap.holds(each)) ? heap : undefined;
};

/** A byte for each bit, turned over where `flip` is 1. `room` is for a copy of the bits, where kernels work on them. */
export function spreadBits(source: Bits, rows: number, out: Uint8Array, flip: 0 | 1, room: Bytes): void {
  const heap = heapFor(rows, out);
  const { bits, bitOffset } = source;
  if (heap === undefined) {
    for (let i = 0; i < rows; i++) {
      const at = bitOffset + i;
      out[i] = (((bits[at >> 3] as number) >> (at & 7)) & 1) ^ flip;
    }
    return;
  }
  let at = bits.byteOffset;
  let from = bitOffset;
  if (!heap.holds(bits)) {
    const first = bitOffset >> 3;
    const used = bits.subarray(first, (bitOffset + rows + 7) >> 3);
    const copy = room.take(used.length, rows);
    copy.set(used);
    at = copy.byteOffset;
    from = bitOffset & 7;
  }
  heap.kernels.spreadBits(at, from, flip, out.byteOffset, rows);
}

/** The other way round, into bits that are 0. Answers how many bytes are 1. */
export function packBits(bytes: Uint8Array, step: 0 | 1, rows: number, flip: 0 | 1, bits: Uint8Array): number {
  if (step === 0) {
    const one = bytes[0] as number;
    if ((one ^ flip) === 1) setBits(bits, 0, rows);
    return one * rows;
  }
  const heap = heapFor(rows, bytes, bits);
  if (heap !== undefined) return heap.kernels.packBits(bytes.byteOffset, flip, bits.byteOffset, rows);
  let ones = 0;
  for (let i = 0; i < rows; i++) {
    const one = bytes[i] as number;
    ones += one;
    bits[i >> 3] = (bits[i >> 3] as number) | ((one ^ flip) << (i & 7));
  }
  return ones;
}

/** Rows of one or the other. */
export function eitherOf(a: Uint8Array, b: Uint8Array, out: Uint8Array, rows: number): void {
  const heap = heapFor(rows, a, b, out);
  if (heap !== undefined) heap.kernels.combineBytes(1, a.byteOffset, b.byteOffset, out.byteOffset, rows);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) | (b[i] as number);
}

/** Rows of the first that are not of the second. */
export function without(a: Uint8Array, b: Uint8Array, out: Uint8Array, rows: number): void {
  const heap = heapFor(rows, a, b, out);
  if (heap !== undefined) heap.kernels.withoutBytes(a.byteOffset, 16, b.byteOffset, out.byteOffset, rows);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) & ((b[i] as number) ^ 1);
}

/** Rows that are not of it. */
export function othersThan(a: Uint8Array, out: Uint8Array, rows: number): void {
  const heap = heapFor(rows, a, out);
  if (heap === undefined) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) ^ 1;
  else heap.kernels.withoutBytes(heap.constant(0, ONES, 1), 0, a.byteOffset, out.byteOffset, rows);
}

/** AND (`decides` 0) or OR (1) of two truths of which one has NULLs. Results may take the place of the first. */
export function combineTruths(
  x: BoolVec,
  y: BoolVec,
  decides: 0 | 1,
  out: Uint8Array,
  nulls: Uint8Array,
  rows: number,
): void {
  const { values: a, step: s } = x;
  const { values: b, step: t } = y;
  const heap = s === 0 || t === 0 ? undefined : heapFor(rows, a, b, out, nulls);
  const [aNulls, p] = heap === undefined ? NOWHERE : placeOf(heap, 0, x.nulls, 1, ZEROS);
  const [bNulls, q] = heap === undefined ? NOWHERE : placeOf(heap, 1, y.nulls, 1, ZEROS);
  if (heap !== undefined && aNulls > 0 && bNulls > 0) {
    const { byteOffset: at } = nulls;
    heap.kernels.combineTruths(decides, a.byteOffset, aNulls, p, b.byteOffset, bNulls, q, out.byteOffset, at, rows);
    return;
  }
  for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) {
    const aNull = x.nulls === null ? 0 : (x.nulls[p] as number);
    const bNull = y.nulls === null ? 0 : (y.nulls[q] as number);
    // A side that decides does so whatever the other is.
    const aOpen = ((a[p] as number) ^ decides) | aNull;
    const bOpen = ((b[q] as number) ^ decides) | bNull;
    const open = aOpen & bOpen;
    out[i] = open ^ decides;
    nulls[i] = open & (aNull | bNull);
  }
}

const NOWHERE = [0, 0] as const;

/** Address and step of a mask, or where it is missing of what stands for it; 0 where kernels cannot reach it. */
function placeOf(
  heap: KernelHeap,
  side: 0 | 1,
  mask: Uint8Array | null,
  step: 0 | 1,
  missing: Int32Array,
): readonly [number, number] {
  if (mask === null) return [heap.constant(side, missing, 1), 0];
  if (step === 0) return [heap.constant(side, mask[0] === 1 ? ONES : ZEROS, 1), 0];
  return heap.holds(mask) ? [mask.byteOffset, 16] : NOWHERE;
}

/** The rows that a CASE or COALESCE has still to find a branch for, and which branch the others picked, by number. */
export interface Choice {
  readonly open: Uint8Array;
  /** Of an open row: the next branch. */
  readonly picks: Int32Array;
}

/**
 * Open rows for which the condition is true (`null`: all) and not NULL are `taken` by the branch and are open no more. Answers how many.
 */
export function takeBranch(
  values: Uint8Array | null,
  { nulls, step }: Vec,
  { open, picks }: Choice,
  taken: Uint8Array,
  rows: number,
): number {
  const heap = heapFor(rows, open, taken, picks);
  const [at, p] = heap === undefined ? NOWHERE : placeOf(heap, 0, values, step, ONES);
  const [nullsAt, q] = heap === undefined ? NOWHERE : placeOf(heap, 1, nulls, step, ZEROS);
  if (heap !== undefined && at > 0 && nullsAt > 0) {
    const { byteOffset: takenAt } = taken;
    return heap.kernels.takeBranch(at, p, nullsAt, q, open.byteOffset, takenAt, picks.byteOffset, rows);
  }
  let count = 0;
  for (let i = 0, p = 0; i < rows; i++, p += step) {
    const holds = values === null ? 1 : (values[p] as number);
    const takes = (open[i] as number) & holds & (nulls === null ? 1 : (nulls[p] as number) ^ 1);
    const left = (open[i] as number) ^ takes;
    taken[i] = takes;
    open[i] = left;
    picks[i] = (picks[i] as number) + left;
    count += takes;
  }
  return count;
}

/** Values that have a kernel to pick them. */
export type PickedValues = Uint8Array | Int32Array | Float64Array;

/** Puts the values of the rows that picked a branch to `out`, each `width` elements. The others stay as they are. */
export function putPicked<T extends PickedValues>(
  picks: Int32Array,
  branch: number,
  values: T,
  step: 0 | 1,
  width: number,
  out: T,
  rows: number,
): void {
  const heap = step === 0 ? heapFor(rows, picks, out) : heapFor(rows, picks, out, values);
  if (heap !== undefined) {
    const at = step === 0 ? constantOf(heap, values, width) : values.byteOffset;
    const bytes = width * out.BYTES_PER_ELEMENT;
    heap.kernels.pickValues(bytes, picks.byteOffset, branch, at, 16 * step, out.byteOffset, rows);
    return;
  }
  for (let i = 0; i < rows; i++) {
    if (picks[i] !== branch) continue;
    for (let k = 0; k < width; k++) out[width * i + k] = values[width * i * step + k] as number;
  }
}

function constantOf(heap: KernelHeap, values: PickedValues, width: number): number {
  if (values instanceof Uint8Array) return heap.constant(0, values[0] === 0 ? ZEROS : ONES, 1);
  return heap.constant(0, values, width);
}
