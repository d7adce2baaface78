import { assert } from "../../base/assert.ts";
import type { Batch } from "../batch.ts";
import { Room } from "../storage.ts";
import { hashRows } from "./hash.ts";
import { batchRoom, takeBatchInto } from "./take.ts";

export type Ranges = readonly (readonly [from: number, to: number])[];

/**
 * The rows of a batch by the range of vnodes that their key belongs to: one entry a range, in order, null where there are no
 * rows (F-74 to F-77). The order of rows is kept. A batch whose rows all go to one range is passed on whole. A column that
 * is missing counts as NULL; with no columns every row is vnode 0. Rows of vnodes that no range covers are left out.
 */
export function splitByVnode(
  batch: Batch,
  columns: readonly string[],
  vnodes: number,
  ranges: Ranges,
): (Batch | null)[] {
  const parts: (Batch | null)[] = new Array(ranges.length).fill(null);
  const { rowCount } = batch;
  if (rowCount === 0) return parts;
  reserve(rowCount, ranges.length);
  const keys = columns.map((name) => batch.column(name));
  hashRows(keys, rowCount, hashes);
  scatter(hashes, rowCount, vnodes, ranges);
  const room = new Room(roomForParts(batch, ranges.length));
  for (let t = 0; t < ranges.length; t++) {
    const from = t * rowCount;
    const to = ends[t] as number;
    if (to - from === rowCount) parts[t] = batch;
    else if (to > from) parts[t] = takeBatchInto(room, batch, order, from, to);
  }
  return parts;
}

/** Bytes for all parts of the last `scatter`; nothing where the batch goes on whole. */
function roomForParts(batch: Batch, targets: number): number {
  let bytes = 0;
  for (let t = 0; t < targets; t++) {
    const rows = (ends[t] as number) - t * batch.rowCount;
    if (rows > 0 && rows < batch.rowCount) bytes += batchRoom(batch, rows);
  }
  return bytes;
}

/** Row numbers by range, for given hashes: what `splitByVnode` does after hashing. */
export function rowsByRange(rowHashes: Uint32Array, vnodes: number, ranges: Ranges): number[][] {
  const rowCount = rowHashes.length;
  reserve(rowCount, ranges.length);
  scatter(rowHashes, rowCount, vnodes, ranges);
  return ranges.map((_, t) => [...order.subarray(t * rowCount, ends[t])]);
}

/** Scratch, reused by every call: nothing of it is handed out. */
let hashes = new Uint32Array(0);
/** Rows of range t from t · rowCount on. The bucket behind the last range takes rows that belong to none. */
let order = new Int32Array(0);
/** Where the rows of a range end in `order`. */
let ends = new Int32Array(0);
/** The same for the second half of the rows. */
let secondEnds = new Int32Array(0);

function reserve(rowCount: number, targets: number): void {
  const buckets = targets + 1;
  if (hashes.length < rowCount) hashes = new Uint32Array(rowCount);
  if (order.length < rowCount * buckets) order = new Int32Array(rowCount * buckets);
  if (ends.length < buckets) {
    ends = new Int32Array(buckets);
    secondEnds = new Int32Array(buckets);
  }
}

/**
 * Distributes the rows, in order, over the ranges. The two halves of the rows go side by side with counters of their own: rows in
 * a row often hit the same counter and would wait for each other, which makes one pass half as fast.
 */
function scatter(rowHashes: Uint32Array, rowCount: number, vnodes: number, ranges: Ranges): void {
  const table = targetTable(vnodes, ranges);
  const buckets = ranges.length + 1;
  const half = rowCount >> 1;
  for (let t = 0; t < buckets; t++) {
    ends[t] = t * rowCount;
    secondEnds[t] = t * rowCount + half;
  }
  const mask = vnodes - 1;
  if ((vnodes & mask) === 0) scatterMasked(rowHashes, half, mask, table);
  else scatterModulo(rowHashes, half, vnodes, table);
  if ((rowCount & 1) === 1) {
    const last = rowCount - 1;
    const target = table[(rowHashes[last] as number) % vnodes] as number;
    const at = secondEnds[target] as number;
    order[at] = last;
    secondEnds[target] = at + 1;
  }
  for (let t = 0; t < buckets; t++) {
    const from = t * rowCount + half;
    const to = secondEnds[t] as number;
    order.copyWithin(ends[t] as number, from, to);
    ends[t] = (ends[t] as number) + to - from;
  }
}

function scatterMasked(rowHashes: Uint32Array, half: number, mask: number, table: Uint16Array): void {
  // Locals: variables of the module would be loaded anew for every row.
  const [rows, firsts, seconds] = [order, ends, secondEnds];
  for (let i = 0, j = half; i < half; i++, j++) {
    const t = table[(rowHashes[i] as number) & mask] as number;
    const u = table[(rowHashes[j] as number) & mask] as number;
    const a = firsts[t] as number;
    const b = seconds[u] as number;
    rows[a] = i;
    rows[b] = j;
    firsts[t] = a + 1;
    seconds[u] = b + 1;
  }
}

function scatterModulo(rowHashes: Uint32Array, half: number, vnodes: number, table: Uint16Array): void {
  // Locals: variables of the module would be loaded anew for every row.
  const [rows, firsts, seconds] = [order, ends, secondEnds];
  for (let i = 0, j = half; i < half; i++, j++) {
    const t = table[(rowHashes[i] as number) % vnodes] as number;
    const u = table[(rowHashes[j] as number) % vnodes] as number;
    const a = firsts[t] as number;
    const b = seconds[u] as number;
    rows[a] = i;
    rows[b] = j;
    firsts[t] = a + 1;
    seconds[u] = b + 1;
  }
}

const tables = new WeakMap<Ranges, Uint16Array>();

/** Range by vnode; `ranges.length` for vnodes that no range covers. Kept as long as the ranges are. */
export function targetTable(vnodes: number, ranges: Ranges): Uint16Array {
  const known = tables.get(ranges);
  if (known !== undefined && known.length === vnodes) return known;
  assert(Number.isInteger(vnodes) && vnodes > 0, `${vnodes} vnodes`);
  assert(ranges.length < 65535, "fewer than 65,535 targets");
  const table = new Uint16Array(vnodes).fill(ranges.length);
  ranges.forEach(([from, to], t) => {
    table.fill(t, from, to);
  });
  tables.set(ranges, table);
  return table;
}
