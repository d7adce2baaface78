import { Batch, KernelMemory, KernelSplitter, splitByVnode, vnodeRanges } from "../../src/engine/parts.ts";
import { batchesOf, buffersOf, bytesOf, type Keys } from "../batches.ts";

export interface CopyJob {
  readonly keys: Keys;
  readonly rows: number;
  readonly batches: number;
  /** Shared memory that is written from its beginning to its end and over again; as large as a ring. */
  readonly target: SharedArrayBuffer;
  readonly count: number;
}

/** Copies the buffers of so many batches to shared memory and does nothing else. Answers the milliseconds. */
export function copyBatches({ keys, rows, batches, target, count }: CopyJob): number {
  const sources = batchesOf(keys, rows, batches).map(buffersOf);
  const memory = new Uint8Array(target);
  const from = performance.now();
  let at = 0;
  for (let i = 0; i < count; i++) {
    for (const buffer of sources[i % sources.length] as Uint8Array[]) {
      // A batch larger than the ring goes in pieces, as it does over the ring.
      for (let done = 0; done < buffer.length; ) {
        if (at >= memory.length) at = 0;
        const part = Math.min(buffer.length - done, memory.length - at);
        memory.set(part === buffer.length ? buffer : buffer.subarray(done, done + part), at);
        done += part;
        at += (part + 63) & ~63;
      }
    }
  }
  return performance.now() - from;
}

/** Bytes of a batch, on average. */
export function batchBytes(job: Pick<CopyJob, "keys" | "rows" | "batches"> & { readonly distinct?: number }): number {
  const all = batchesOf(job.keys, job.rows, job.batches, job.distinct);
  return all.reduce((sum, batch) => sum + bytesOf(batch), 0) / all.length;
}

const VNODES = 128;

export interface SplitJob {
  readonly keys: Keys;
  readonly rows: number;
  readonly batches: number;
  readonly targets: number;
  readonly by: Splitting;
  readonly count: number;
}

/**
 * `in place`: kernels on batches in the shared memory, as they come over a ring. `private`: kernels on batches that lie elsewhere, as a source
 * makes them. `twin`: without WebAssembly.
 */
export type Splitting = "in place" | "private" | "twin";

/** Splits so many batches by the hash of their keys, as a shuffle does before it sends. Answers the milliseconds. */
export function splitBatches({ keys, rows, batches, targets, by, count }: SplitJob): number {
  const made = batchesOf(keys, rows, batches);
  const memory = kernelMemory();
  const sources = by === "in place" ? inPlace(memory, made) : made;
  const splitter = new KernelSplitter(memory);
  const ranges = vnodeRanges(VNODES, targets);
  const columns = ["k"];
  let parts = 0;
  const from = performance.now();
  for (let i = 0; i < count; i++) {
    const batch = sources[i % sources.length] as Batch;
    if (by === "twin") parts += splitByVnode(batch, columns, VNODES, ranges).length;
    else {
      parts += splitter.split(batch, columns, VNODES, ranges).length;
      splitter.settled();
    }
  }
  const ms = performance.now() - from;
  if (parts !== count * targets) throw new Error("a batch was not split");
  return ms;
}

const PAGE_BYTES = 65_536;
const KERNEL_BYTES = 4 << 20;
const BATCH_BYTES = 28 << 20;
let known: KernelMemory | undefined;

/** A memory as a run's is: batches first, what the kernels work in behind them. */
function kernelMemory(): KernelMemory {
  if (known !== undefined) return known;
  const pages = (BATCH_BYTES + KERNEL_BYTES) / PAGE_BYTES;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  known = KernelMemory.over(memory, { offset: BATCH_BYTES, bytes: KERNEL_BYTES });
  if (known === undefined) throw new Error("there is no WebAssembly here");
  return known;
}

let placed: { readonly of: readonly Batch[]; readonly batches: readonly Batch[] } | undefined;

function inPlace(memory: KernelMemory, of: readonly Batch[]): readonly Batch[] {
  if (placed?.of === of) return placed.batches;
  const placer = memory.placer(0);
  const batches = of.map(({ schema, rowCount, columns }) => {
    const within = columns.map((column) => placer.column(column));
    return new Batch(schema, rowCount, within, null, true);
  });
  placed = { of, batches };
  return batches;
}
