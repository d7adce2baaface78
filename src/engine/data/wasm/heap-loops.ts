import type { Batch } from "../batch.ts";
import type { FixedValues, VarColumn } from "../column.ts";
import * as gather from "../kernels/gather.ts";
import { type GatherLoops, LOOPS, type Text } from "../kernels/take.ts";
import { bytesOf, Room, wordAccess } from "../storage.ts";
import { isApart, kernelsFor, longerBytes } from "./kernel-arrays.ts";

/** What the loops of text may write behind it. */
const TEXT_SLACK = 8;

type Gather = "gather4" | "gather8" | "gather16";

/**
 * Gathers by kernels where row numbers and result lie in the memory of this worker's kernels. Values that do not are copied there first, if enough
 * of them are wanted; else the loops of TypeScript serve. The bytes of text lie in the room, too: see `textRoom`.
 */
class HeapLoops implements GatherLoops {
  readonly gather8 = LOOPS.gather8;
  readonly gather16 = LOOPS.gather16;
  private scratch: Uint8Array = new Uint8Array(0);

  gather32(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    if (!this.byKernel("gather4", source, 1, rows, from, to, out)) LOOPS.gather32(source, rows, from, to, out);
  }

  gatherFloat64(source: Float64Array, rows: Int32Array, from: number, to: number, out: Float64Array): void {
    if (!this.byKernel("gather8", source, 1, rows, from, to, out)) LOOPS.gatherFloat64(source, rows, from, to, out);
  }

  gatherPairs(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    if (!this.byKernel("gather8", source, 2, rows, from, to, out)) LOOPS.gatherPairs(source, rows, from, to, out);
  }

  gatherQuads(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    if (!this.byKernel("gather16", source, 4, rows, from, to, out)) LOOPS.gatherQuads(source, rows, from, to, out);
  }

  takeText(room: Room, { offsets, bytes }: VarColumn, rows: Int32Array, from: number, to: number): Text {
    const taken = room.int32(to - from + 1);
    const out = room.bytes(gather.gatherOffsets(offsets, rows, from, to, taken), TEXT_SLACK);
    gather.gatherText(offsets, bytes, wordAccess(bytes), rows, from, to, wordAccess(out));
    return { offsets: taken, bytes: out };
  }

  private byKernel(
    name: Gather,
    source: FixedValues,
    elements: number,
    rows: Int32Array,
    from: number,
    to: number,
    out: FixedValues,
  ): boolean {
    const count = to - from;
    const kernels = kernelsFor(count, rows, out);
    if (kernels === undefined) return false;
    let at = source.byteOffset;
    if (isApart(count, source)) {
      if (2 * elements * count < source.length) return false;
      at = this.copied(bytesOf(source));
    }
    kernels[name](at, rows.byteOffset + 4 * from, count, out.byteOffset);
    return true;
  }

  private copied(source: Uint8Array): number {
    const { length, byteOffset } = source;
    if (this.scratch.length < length + 8) this.scratch = longerBytes(length + 8, this.scratch);
    // As far from a multiple of 8 as the source is: any other copy would be several times slower.
    this.scratch.set(source, byteOffset & 7);
    return this.scratch.byteOffset + (byteOffset & 7);
  }
}

export const HEAP_LOOPS: GatherLoops = new HeapLoops();

/** What the loops need of a room for the bytes of text, beside what `batchRoom` says. */
export function textRoom({ columns }: Batch, rows: Int32Array, count: number): number {
  let bytes = 0;
  for (const column of columns) {
    if (column.encoding !== "var") continue;
    const { offsets } = column;
    let length = 0;
    for (let k = 0; k < count; k++) {
      const row = rows[k] as number;
      length += (offsets[row + 1] as number) - (offsets[row] as number);
    }
    bytes += Room.size(length + TEXT_SLACK);
  }
  return bytes;
}
