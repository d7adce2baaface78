import type { Batch } from "../batch.ts";
import type { Bits, FixedValues, VarColumn } from "../column.ts";
import * as gather from "../kernels/gather.ts";
import { type GatherLoops, LOOPS, type Text } from "../kernels/take.ts";
import { bytesOf, Room, wordAccess } from "../storage.ts";
import { isApart, kernelsFor, longerBytes } from "./kernel-arrays.ts";

/** What kernels and loops may write behind text. */
const TEXT_SLACK = 24;

type Gather = "gather4" | "gather8" | "gather16";

/**
 * Gathers by kernels where row numbers and result lie in the memory of this worker's kernels. Values that do not are copied there first, if enough
 * of them are wanted; else the loops of TypeScript serve. The bytes of text lie in the room, too: see `textRoom`.
 */
class HeapLoops implements GatherLoops {
  readonly gather8 = LOOPS.gather8;
  readonly gather16 = LOOPS.gather16;
  private readonly values = new Scratch();
  private readonly offsets = new Scratch();

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

  gatherBits(source: Bits, rows: Int32Array, from: number, to: number, out: Uint8Array): void {
    const count = to - from;
    const kernels = kernelsFor(count, rows, out);
    const { bitOffset } = source;
    const bits = source.bits.subarray(bitOffset >> 3);
    const apart = isApart(count, bits);
    if (kernels === undefined || (apart && 2 * count < bits.length)) LOOPS.gatherBits(source, rows, from, to, out);
    else {
      const at = apart ? this.values.copied(bits, count) : bits.byteOffset;
      kernels.gatherBits(at, bitOffset & 7, rows.byteOffset + 4 * from, count, out.byteOffset);
    }
  }

  takeText(room: Room, column: VarColumn, rows: Int32Array, from: number, to: number): Text {
    const { offsets, bytes, length } = column;
    const taken = room.int32(to - from + 1);
    const kernels = kernelsFor(to - from, rows, taken);
    if (kernels === undefined || (2 * (to - from) < length && isApart(length, bytes))) {
      const out = room.bytes(gather.gatherOffsets(offsets, rows, from, to, taken), TEXT_SLACK);
      gather.gatherText(offsets, bytes, wordAccess(bytes), rows, from, to, wordAccess(out));
      return { offsets: taken, bytes: out };
    }
    const base = offsets[0] as number;
    const end = offsets[length] as number;
    // Addresses wrap around, so that what is before the first row need not be there.
    const text = isApart(length, bytes)
      ? (this.values.copied(bytes.subarray(base, end), length) - base) | 0
      : bytes.byteOffset;
    const places = isApart(length, offsets)
      ? this.offsets.copied(bytesOf(offsets.subarray(0, length + 1)))
      : offsets.byteOffset;
    const rowsAt = rows.byteOffset + 4 * from;
    const size = kernels.gatherText(places, text, rowsAt, to - from, taken.byteOffset, room.next);
    return { offsets: taken, bytes: room.bytes(size, TEXT_SLACK) };
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
      at = this.values.copied(bytesOf(source));
    }
    kernels[name](at, rows.byteOffset + 4 * from, count, out.byteOffset);
    return true;
  }
}

/** Memory of the kernels for what lies elsewhere, used again by every call. */
class Scratch {
  private room: Uint8Array = new Uint8Array(0);

  /**
   * Where the copy lies.
   * @param rows that it serves, if not one a byte
   */
  copied(source: Uint8Array, rows = source.length): number {
    const { length } = source;
    // As far from a multiple of 8 as the source is: any other copy would be several times slower.
    const skew = source.byteOffset & 7;
    if (this.room.length < length + skew) this.room = longerBytes(length + skew, this.room, rows);
    this.room.set(source, skew);
    return this.room.byteOffset + skew;
  }
}

export const HEAP_LOOPS: GatherLoops = new HeapLoops();

/** What the loops need of a room for the bytes of text at most, beside what `batchRoom` says. */
export function textRoom({ columns, rowCount }: Batch, rows: Int32Array, count: number): number {
  let bytes = 0;
  for (const column of columns) {
    if (column.encoding !== "var") continue;
    const { offsets } = column;
    let length = 0;
    // Where many rows pass, the length of all is near enough.
    if (2 * count >= rowCount) length = (offsets[rowCount] as number) - (offsets[0] as number);
    else {
      for (let k = 0; k < count; k++) {
        const row = rows[k] as number;
        length += (offsets[row + 1] as number) - (offsets[row] as number);
      }
    }
    bytes += Room.size(length + TEXT_SLACK);
  }
  return bytes;
}
