import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fingerprintOf, kernelSources } from "../../../../scripts/lib/kernels.mjs";
import { vnodeRanges } from "../../core/vnodes.ts";
import { arbitraryBatch, arbitraryTypes, modelOf } from "../../testing/arbitrary-batches.ts";
import { textBatch } from "../../testing/sample-batches.ts";
import { Batch } from "../batch.ts";
import { copyBatch } from "../kernels/copy.ts";
import { splitByVnode } from "../kernels/split.ts";
import { KernelMemory } from "./kernel-memory.ts";
import { KernelSplitter } from "./kernel-splitter.ts";
import { SOURCES } from "./module.generated.ts";

const PAGE = 65_536;
const REGION = 8 * PAGE;
/** What the kernels look up takes so many bytes of it. */
const OCTETS = 2048;

/** A memory whose first half is the kernels' and whose other half is someone else's, as rings are. */
function memoryOf(region = REGION): KernelMemory {
  const pages = (2 * REGION) / PAGE;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const kernels = KernelMemory.over(memory, { offset: 64, bytes: region - 64 });
  if (kernels === undefined) throw new Error("Node has WebAssembly");
  return kernels;
}

/** The batch as it would come over a ring. */
function inPlace(memory: KernelMemory, batch: Batch): Batch {
  const placer = memory.placer(REGION);
  const columns = batch.columns.map((column) => placer.column(column));
  const times = batch.eventTimes === null ? null : placer.values(batch.eventTimes, batch.rowCount);
  return new Batch(batch.schema, batch.rowCount, columns, times, true);
}

const shown = (parts: readonly (Batch | null)[]) => parts.map((part) => (part === null ? null : modelOf(part)));

afterEach(() => vi.unstubAllGlobals());

describe("the split by kernels", () => {
  it("gives the parts that its TypeScript twin gives: all types, NULLs, slices, several keys, in place or not (F-74 to F-76)", () => {
    const memory = memoryOf();
    const splitter = new KernelSplitter(memory, 1);
    const setup = arbitraryTypes.chain((types) =>
      fc.record({
        model: arbitraryBatch(types, 60),
        keys: fc.subarray([...types.map((_, c) => `c${c}`), "missing"]),
        vnodes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(32, 128, 16_384, 32_768)),
        tasks: fc.integer({ min: 1, max: 10 }),
        lies: fc.boolean(),
        owned: fc.subarray(Array.from({ length: 10 }, (_, t) => t)),
      }),
    );
    fc.assert(
      fc.property(setup, ({ model: { batch }, keys, vnodes, tasks, lies, owned }) => {
        // Vnodes need not all belong to somebody.
        const ranges = vnodeRanges(vnodes, tasks).filter((_, t) => owned.length === 0 || owned.includes(t));
        const input = lies ? inPlace(memory, batch) : batch;
        const parts = splitter.split(input, keys, vnodes, ranges);
        expect(shown(parts)).toEqual(shown(splitByVnode(batch, keys, vnodes, ranges)));
        splitter.settled();
      }),
    );
  });

  it("lends parts that stay as they are until they are settled, however many follow", () => {
    const memory = memoryOf();
    const splitter = new KernelSplitter(memory, 1);
    const words = (seed: number) =>
      Array.from({ length: 50 }, (_, i) => `word ${(i * seed) % 17} ${"é".repeat(i % 5)}`);
    const batches = [1, 2, 3, 4, 5].map((seed) => textBatch(words(seed)));
    const name = batches[0]?.schema.names[0] as string;
    const ranges = vnodeRanges(16, 3);
    const lent = batches.map((batch) => splitter.split(batch, [name], 16, ranges));
    lent.forEach((parts, i) => {
      expect(parts.some((part) => part?.borrowed)).toBe(true);
      expect(shown(parts)).toEqual(shown(splitByVnode(batches[i] as Batch, [name], 16, ranges)));
    });
    splitter.settled();
    expect(memory.blocks.claim(REGION - 64 - OCTETS)).toBe(64 + OCTETS);
  });

  it("makes private parts where the kernels' memory has no room, and passes a batch on whole as its twin does", () => {
    const splitter = new KernelSplitter(memoryOf(1024), 1);
    const batch = textBatch(Array.from({ length: 200 }, (_, i) => `${i}`));
    const name = batch.schema.names[0] as string;
    const parts = splitter.split(batch, [name], 16, vnodeRanges(16, 2));
    expect(parts.map((part) => part?.borrowed)).toEqual([false, false]);
    expect(new KernelSplitter(memoryOf(), 1).split(batch, [name], 16, [[0, 16]])).toEqual([batch]);
  });

  it("is not there where WebAssembly is refused", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    vi.stubGlobal("WebAssembly", { ...WebAssembly, Instance: undefined });
    expect(KernelMemory.over(memory, { offset: 64, bytes: 4096 })).toBeUndefined();
    expect(KernelMemory.over(undefined, { offset: 64, bytes: 4096 })).toBeUndefined();
    expect(KernelMemory.over(memory, undefined)).toBeUndefined();
  });

  it("is a module of the sources that lie beside it: `npm run kernels` was run", () => {
    expect(SOURCES).toBe(fingerprintOf(kernelSources(new URL("./", import.meta.url))));
  });

  it("gives parts that can be kept by a copy", () => {
    const splitter = new KernelSplitter(memoryOf(), 1);
    const batch = textBatch(Array.from({ length: 99 }, (_, i) => `${i}`));
    const name = batch.schema.names[0] as string;
    const [part] = splitter.split(batch, [name], 16, vnodeRanges(16, 2));
    const kept = copyBatch(part as Batch);
    const before = modelOf(kept);
    splitter.settled();
    splitter.split(textBatch(Array.from({ length: 99 }, () => "other")), [name], 16, vnodeRanges(16, 2));
    expect(modelOf(kept)).toEqual(before);
  });
});
