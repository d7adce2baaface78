import { Batch } from "../batch.ts";
import type { Bits, Column } from "../column.ts";
import type { TurnMemory } from "../turn-memory.ts";
import { HEAP_LOOPS, textRoom } from "../wasm/heap-loops.ts";
import { kernelsFor, longerWords } from "../wasm/kernel-arrays.ts";
import { batchRoom, takeBatch, takeBatchInto } from "./take.ts";

/** Row numbers that passed; reused by every call. */
let selection: Int32Array = new Int32Array(0);

/**
 * Rows whose byte in `mask` is 1 (0 otherwise). All rows: the batch itself, borrowed where it was. With memory of a turn the rows lie there, borrowed,
 * else they are private.
 *
 * @param columns the batch's, which may lie elsewhere for now
 */
export function filterByBytes(
  batch: Batch,
  mask: Uint8Array,
  memory?: TurnMemory,
  columns: readonly Column[] = batch.columns,
): Batch {
  const { rowCount } = batch;
  const rows = reserve(rowCount);
  const kernels = kernelsFor(rowCount, mask, rows);
  const count =
    kernels === undefined
      ? rowsOf(mask, rowCount, rows)
      : kernels.selectRows(mask.byteOffset, rowCount, rows.byteOffset);
  if (count === rowCount) return batch;
  if (memory === undefined) return takeBatch(batch, rows, 0, count);
  const source = columns === batch.columns ? batch : new Batch(batch.schema, rowCount, columns, batch.eventTimes);
  const room = memory.room(batchRoom(batch, count) + textRoom(batch, rows, count));
  return takeBatchInto(room, source, rows, 0, count, HEAP_LOOPS, true);
}

function rowsOf(mask: Uint8Array, rowCount: number, rows: Int32Array): number {
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    rows[count] = row;
    count += mask[row] as number;
  }
  return count;
}

/** Rows whose bit is set: the values of a boolean column, say. All rows: the batch itself. */
export function filterByBits(batch: Batch, { bits, bitOffset }: Bits): Batch {
  const rows = reserve(batch.rowCount);
  let count = 0;
  for (let row = 0; row < batch.rowCount; row++) {
    const at = bitOffset + row;
    rows[count] = row;
    count += ((bits[at >> 3] as number) >> (at & 7)) & 1;
  }
  return count === batch.rowCount ? batch : takeBatch(batch, rows, 0, count);
}

function reserve(rowCount: number): Int32Array {
  // One more than rows: the number of a row is written before it is known to pass.
  if (selection.length <= rowCount) selection = longerWords(rowCount + 1, selection);
  return selection;
}
