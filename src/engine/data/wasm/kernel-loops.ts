import type { Bits, VarColumn } from "../column.ts";
import { gatherBits } from "../kernels/gather.ts";
import type { GatherLoops } from "../kernels/take.ts";
import type { Room } from "../storage.ts";
import { SLACK_BYTES } from "./kernel-memory.ts";
import type { Kernels } from "./kernels.ts";

/** Gathers by kernels: everything lies in their memory. */
export class KernelLoops implements GatherLoops {
  private readonly kernels: Kernels;

  constructor(kernels: Kernels) {
    this.kernels = kernels;
  }

  gather8(source: Uint8Array, rows: Int32Array, from: number, to: number, out: Uint8Array): void {
    this.kernels.gather1(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  gather16(source: Uint16Array, rows: Int32Array, from: number, to: number, out: Uint16Array): void {
    this.kernels.gather2(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  gather32(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    this.kernels.gather4(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  gatherFloat64(source: Float64Array, rows: Int32Array, from: number, to: number, out: Float64Array): void {
    this.kernels.gather8(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  gatherPairs(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    this.kernels.gather8(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  gatherQuads(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
    this.kernels.gather16(source.byteOffset, rowsAt(rows, from), to - from, out.byteOffset);
  }

  /** Bits are the one thing that need not lie in the kernels' memory. */
  gatherBits(source: Bits, rows: Int32Array, from: number, to: number, out: Uint8Array): void {
    gatherBits(source, rows, from, to, out);
  }

  takeText(room: Room, { offsets, bytes }: VarColumn, rows: Int32Array, from: number, to: number) {
    const taken = room.int32(to - from + 1);
    const [source, out] = [offsets.byteOffset, room.next];
    const length = this.kernels.gatherText(
      source,
      bytes.byteOffset,
      rowsAt(rows, from),
      to - from,
      taken.byteOffset,
      out,
    );
    return { offsets: taken, bytes: room.bytes(length, SLACK_BYTES) };
  }
}

const rowsAt = (rows: Int32Array, from: number): number => rows.byteOffset + 4 * from;
