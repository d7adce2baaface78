import type { Batch } from "../batch.ts";
import type { Bits } from "../column.ts";
import type { TurnMemory } from "../turn-memory.ts";
import { batchRoom, LOOPS, takeBatch, takeBatchInto } from "./take.ts";

/** Row numbers that passed; reused by every call. */
let selection = new Int32Array(0);

/**
 * Rows whose byte in `mask` is 1 (0 otherwise). All rows: the batch itself, borrowed where it was. With memory of a turn the rows lie there, borrowed,
 * else they are private.
 */
export function filterByBytes(batch: Batch, mask: Uint8Array, memory?: TurnMemory): Batch {
  const rows = reserve(batch.rowCount);
  let count = 0;
  for (let row = 0; row < batch.rowCount; row++) {
    rows[count] = row;
    count += mask[row] as number;
  }
  return select(batch, rows, count, memory);
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
  return select(batch, rows, count);
}

function reserve(rowCount: number): Int32Array {
  // One more than rows: the number of a row is written before it is known to pass.
  if (selection.length <= rowCount) selection = new Int32Array(rowCount + 1);
  return selection;
}

function select(batch: Batch, rows: Int32Array, count: number, memory?: TurnMemory): Batch {
  if (count === batch.rowCount) return batch;
  if (memory === undefined) return takeBatch(batch, rows, 0, count);
  return takeBatchInto(memory.room(batchRoom(batch, count)), batch, rows, 0, count, LOOPS, true);
}
