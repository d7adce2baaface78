import { kernelHeap } from "./kernel-heap.ts";
import type { Kernels } from "./kernels.ts";

/**
 * Arrays that one place in the code uses again and again. Where kernels work on this worker, long ones lie in their memory; else, and in the lab, they are
 * private.
 */

/** Kernels go up to so many values further. */
const BEHIND = 16;

/**
 * An array that is as long or longer, in the place of the one before. Bytes may be read and written in whole words.
 * @param rows that it serves, if not one a byte
 */
export function longerBytes(length: number, before: Uint8Array, rows = length): Uint8Array {
  const heap = kernelHeap(rows);
  if (heap === undefined) return new Uint8Array((length + 7) & ~7);
  if (heap.holds(before)) heap.release(before);
  return heap.bytes((length + BEHIND + 7) & ~7);
}

export function longerWords(length: number, before: Int32Array): Int32Array {
  const heap = kernelHeap(length);
  if (heap === undefined) return new Int32Array(length);
  if (heap.holds(before)) heap.release(before);
  return heap.words(length + BEHIND);
}

export function longerDoubles(length: number, before: Float64Array): Float64Array {
  const heap = kernelHeap(length);
  if (heap === undefined) return new Float64Array(length);
  if (heap.holds(before)) heap.release(before);
  return heap.numbers(length + BEHIND);
}

/** Whether values of so many rows should be copied so that kernels can work on them. */
export function isApart(rows: number, values: ArrayBufferView): boolean {
  const heap = kernelHeap(rows);
  return heap !== undefined && !heap.holds(values);
}

/** The kernels, where they can work on all of these and it is worth a call. */
export function kernelsFor(rows: number, ...values: ArrayBufferView[]): Kernels | undefined {
  const heap = kernelHeap(rows);
  return heap !== undefined && values.every((each) => heap.holds(each)) ? heap.kernels : undefined;
}
