import type { VarColumn } from "../column.ts";
import { gatherOffsets } from "../kernels/gather.ts";
import { newTextBytes } from "../storage.ts";
import type { KernelHeap } from "./kernel-heap.ts";

/** `takeText` of words that lie on the heap, none of them NULL. The result is private. */
export function takeWords(heap: KernelHeap, { type, offsets, bytes }: VarColumn, rows: Int32Array): VarColumn {
  const { length } = rows;
  const taken = new Int32Array(length + 1);
  const text = newTextBytes(gatherOffsets(offsets, rows, 0, length, taken));
  const [lentRows, ends, out] = [heap.words(length), heap.words(length + 1), heap.bytes(text.length)];
  lentRows.set(rows);
  const [by, to] = [lentRows.byteOffset, out.byteOffset];
  heap.kernels.gatherText(offsets.byteOffset, bytes.byteOffset, by, length, ends.byteOffset, to);
  text.set(out);
  for (const array of [lentRows, ends, out]) heap.release(array);
  return { encoding: "var", type, length, nullCount: 0, validity: null, offsets: taken, bytes: text };
}
