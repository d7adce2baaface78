import { type KernelHeap, kernelHeap } from "./wasm/kernel-heap.ts";

/**
 * Arrays that hold state, all 0 at first: on the heap of kernels where this worker has one, so that kernels work on them in place, else private. They
 * are given back by hand, and must not be used any more then.
 */

type StateArray = Float64Array | Int32Array | Uint8Array;

export const newNumbers = (length: number): Float64Array =>
  zeros((heap) => heap.numbers(length)) ?? new Float64Array(length);

export const newWords = (length: number): Int32Array => zeros((heap) => heap.words(length)) ?? new Int32Array(length);

export const newBytes = (length: number): Uint8Array => zeros((heap) => heap.bytes(length)) ?? new Uint8Array(length);

/** An array of zeros on the heap, if there is one. What is 0 anyway is left alone, so that room for later takes no memory yet. */
function zeros<T extends StateArray>(claim: (heap: KernelHeap) => T): T | undefined {
  const heap = kernelHeap();
  if (heap === undefined) return undefined;
  const { fresh } = heap;
  const claimed = claim(heap);
  if (claimed.byteOffset < fresh) claimed.fill(0);
  return claimed;
}

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
