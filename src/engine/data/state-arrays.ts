import { type KernelHeap, kernelHeap } from "./wasm/kernel-heap.ts";

/**
 * Arrays that hold state, all 0 at first: on the heap of kernels where this worker has one, so that kernels work on them in place, else private. They
 * are given back by hand, and must not be used any more then.
 */

type StateArray = Float64Array | Int32Array | Uint8Array;

export const newNumbers = (length: number): Float64Array =>
  kernelHeap()?.numbers(length).fill(0) ?? new Float64Array(length);

export const newWords = (length: number): Int32Array => kernelHeap()?.words(length).fill(0) ?? new Int32Array(length);

export const newBytes = (length: number): Uint8Array => kernelHeap()?.bytes(length).fill(0) ?? new Uint8Array(length);

/** A longer array that begins with the values; these are given back. */
export function grownNumbers(values: Float64Array, length: number): Float64Array {
  const grown = newNumbers(length);
  grown.set(values);
  giveBack(values);
  return grown;
}

export function grownWords(values: Int32Array, length: number): Int32Array {
  const grown = newWords(length);
  grown.set(values);
  giveBack(values);
  return grown;
}

export function grownBytes(values: Uint8Array, length: number): Uint8Array {
  const grown = newBytes(length);
  grown.set(values);
  giveBack(values);
  return grown;
}

export function giveBack(values: StateArray): void {
  if (isShared(values)) kernelHeap()?.release(values);
}

/** For fewer entries a call costs more than the loop. */
const FEW = 64;

/** The heap, where a kernel may work on so many entries of an array that was made here; `undefined` where its twin must. */
export function heapOf(state: StateArray, entries: number): KernelHeap | undefined {
  return entries >= FEW && isShared(state) ? kernelHeap() : undefined;
}

/** All that is shared of state lies on the heap. */
const isShared = ({ buffer }: StateArray): boolean => buffer instanceof SharedArrayBuffer;
