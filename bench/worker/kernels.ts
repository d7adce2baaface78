import { type Batch, splitByVnode, vnodeRanges } from "../../src/engine/parts.ts";
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
export function batchBytes({ keys, rows, batches }: Pick<CopyJob, "keys" | "rows" | "batches">): number {
  const all = batchesOf(keys, rows, batches);
  return all.reduce((sum, batch) => sum + bytesOf(batch), 0) / all.length;
}

const VNODES = 128;

export interface SplitJob {
  readonly keys: Keys;
  readonly rows: number;
  readonly batches: number;
  readonly targets: number;
  readonly count: number;
}

/** Splits so many batches by the hash of their keys, as a shuffle does before it sends. Answers the milliseconds. */
export function splitBatches({ keys, rows, batches, targets, count }: SplitJob): number {
  const sources = batchesOf(keys, rows, batches);
  const ranges = vnodeRanges(VNODES, targets);
  const columns = ["k"];
  let parts = 0;
  const from = performance.now();
  for (let i = 0; i < count; i++) {
    parts += splitByVnode(sources[i % sources.length] as Batch, columns, VNODES, ranges).length;
  }
  const ms = performance.now() - from;
  if (parts !== count * targets) throw new Error("a batch was not split");
  return ms;
}
