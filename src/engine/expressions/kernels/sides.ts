import { type KernelHeap, kernelHeap } from "../../data/wasm/kernel-heap.ts";
import type { Kernels } from "../../data/wasm/kernels.ts";
import { type DoubleVec, type IntVec, type LongVec, WORDS_PER_ROW } from "../vec.ts";

export type NumberVec = IntVec | LongVec | DoubleVec;

/** Two sides of a call as kernels take them: where they lie, and how far it is to the next values. */
export interface Sides {
  readonly kernels: Kernels;
  readonly a: number;
  readonly p: number;
  readonly b: number;
  readonly q: number;
}

/** `undefined`: the loop in TypeScript serves. @param step of a column: 16 for kernels that take 16 bytes at a time, 8 for those that take a row */
export function sidesFor(
  x: NumberVec,
  y: NumberVec,
  out: ArrayBufferView,
  rows: number,
  step: 8 | 16,
): Sides | undefined {
  const heap = kernelHeap(rows);
  if (heap === undefined || !heap.holds(out)) return undefined;
  const [a, b] = [placeOf(heap, x, 0), placeOf(heap, y, 1)];
  if (a === 0 || b === 0) return undefined;
  return { kernels: heap.kernels, a, p: step * x.step, b, q: step * y.step };
}

function placeOf(heap: KernelHeap, vec: NumberVec, side: 0 | 1): number {
  const { values, step, kind } = vec;
  if (step === 0) return heap.constant(side, values, kind === "double" ? 1 : WORDS_PER_ROW[kind]);
  return heap.holds(values) ? values.byteOffset : 0;
}
