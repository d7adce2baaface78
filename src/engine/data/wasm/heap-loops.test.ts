import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf } from "../../testing/arbitrary-batches.ts";
import { batch, schema } from "../../testing/stage-kit.ts";
import { filterByBytes } from "../kernels/filter.ts";
import { TurnMemory } from "../turn-memory.ts";
import { enableKernels, kernelHeap } from "./kernel-heap.ts";

afterEach(() => enableKernels(Number.POSITIVE_INFINITY));

it("D-44: rows enough for kernels, of so few bits and bytes that a place for these alone would not be theirs", () => {
  const of = schema("b boolean, t utf8, i int64");
  const rows = Array.from({ length: 90 }, (_, row) => [
    row % 3 === 0 ? null : row % 2 === 0,
    row % 30 === 7 ? "x" : "",
    row % 4 === 0 ? null : row,
  ]);
  const mask = Uint8Array.from(rows, (_, row) => (row % 5 === 0 ? 0 : 1));
  // By kernels first: what loops leave behind would serve them, too.
  enableKernels();
  const placed = kernelHeap()?.bytes(mask.length + 16) as Uint8Array;
  placed.set(mask);
  const byKernels = modelOf(filterByBytes(batch(of, rows), placed, new TurnMemory()));
  kernelHeap()?.release(placed);
  enableKernels(Number.POSITIVE_INFINITY);
  expect(byKernels).toEqual(modelOf(filterByBytes(batch(of, rows), mask)));
});

it("rows selected by kernels are those that the loops select: all types, NULLs, slices, where many pass and where few do (D-25)", () => {
  const setup = arbitraryTypes.chain((types) =>
    fc.record({
      model: arbitraryBatch(types, 60),
      share: fc.integer({ min: 0, max: 10 }),
      draws: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 60, maxLength: 60 }),
    }),
  );
  enableKernels(1);
  const memory = new TurnMemory();
  fc.assert(
    fc.property(setup, ({ model: { batch }, share, draws }) => {
      const mask = Uint8Array.from({ length: batch.rowCount }, (_, row) => ((draws[row] as number) < share ? 1 : 0));
      enableKernels(Number.POSITIVE_INFINITY);
      const byLoops = modelOf(filterByBytes(batch, mask));
      enableKernels(1);
      const placed = kernelHeap()?.bytes(mask.length + 16) as Uint8Array;
      placed.set(mask);
      const first = filterByBytes(batch, placed, memory);
      // What lies in the kernels' memory already is gathered where it is.
      const all = Uint8Array.from({ length: first.rowCount }, (_, row) => (row === 0 ? 0 : 1));
      expect(modelOf(first)).toEqual(byLoops);
      const again = filterByBytes(first, all, memory);
      expect(modelOf(first)).toEqual(byLoops);
      expect(modelOf(again)).toEqual(modelOf(filterByBytes(batch, withoutFirst(mask))));
      memory.settled();
      kernelHeap()?.release(placed);
    }),
  );
});

function withoutFirst(mask: Uint8Array): Uint8Array {
  const left = mask.slice();
  const first = left.indexOf(1);
  if (first >= 0) left[first] = 0;
  return left;
}
