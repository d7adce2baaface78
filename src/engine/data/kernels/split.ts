import { assert } from "../../base/assert.ts";
import type { Batch } from "../batch.ts";
import { hashRows } from "./hash.ts";
import { takeBatch } from "./take.ts";

type Ranges = readonly (readonly [from: number, to: number])[];

/**
 * The rows of a batch by the range of vnodes that their key belongs to: one entry a range, in order, null where there are no
 * rows (F-74 to F-77). The order of rows is kept. A batch whose rows all go to one range is passed on whole. A column that
 * is missing counts as NULL; with no columns every row is vnode 0. Rows of vnodes that no range covers are left out.
 */
export function splitByVnode(batch: Batch, columns: readonly string[], vnodes: number, ranges: Ranges): (Batch | null)[] {
  const parts: (Batch | null)[] = new Array(ranges.length).fill(null);
  const { rowCount } = batch;
  if (rowCount === 0) return parts;
  reserve(rowCount);
  hashRows(
    columns.map((name) => batch.column(name)),
    rowCount,
    hashes,
  );
  const ends = scatter(hashes, rowCount, vnodes, ranges);
  for (let t = 0, from = 0; t < ranges.length; t++) {
    const to = ends[t] as number;
    if (to - from === rowCount) parts[t] = batch;
    else if (to > from) parts[t] = takeBatch(batch, order, from, to);
    from = to;
  }
  return parts;
}

/** Row numbers by range, for given hashes: what `splitByVnode` does after hashing. */
export function rowsByRange(rowHashes: Uint32Array, vnodes: number, ranges: Ranges): number[][] {
  reserve(rowHashes.length);
  const ends = scatter(rowHashes, rowHashes.length, vnodes, ranges);
  return ranges.map((_, t) => [...order.subarray(t === 0 ? 0 : ends[t - 1], ends[t])]);
}

/** Scratch, reused by every call: nothing of it is handed out. */
let hashes = new Uint32Array(0);
let targets = new Uint16Array(0);
let order = new Int32Array(0);
let counts = new Int32Array(0);

function reserve(rowCount: number): void {
  if (hashes.length >= rowCount) return;
  hashes = new Uint32Array(rowCount);
  targets = new Uint16Array(rowCount);
  order = new Int32Array(rowCount);
}

/**
 * Counting sort of the rows by range, stable: `order` gets the row numbers, range after range. Answers where each range
 * ends in it; valid until the next call.
 */
function scatter(rowHashes: Uint32Array, rowCount: number, vnodes: number, ranges: Ranges): Int32Array {
  const table = targetTable(vnodes, ranges);
  const buckets = ranges.length + 1;
  if (counts.length < buckets) counts = new Int32Array(2 * buckets);
  counts.fill(0, 0, buckets);
  const mask = vnodes - 1;
  if ((vnodes & mask) === 0) countMasked(rowHashes, rowCount, mask, table);
  else countModulo(rowHashes, rowCount, vnodes, table);
  for (let t = 0, start = 0; t < buckets; t++) {
    const count = counts[t] as number;
    counts[t] = start;
    start += count;
  }
  fillOrder(rowCount);
  return counts;
}

function countMasked(rowHashes: Uint32Array, rowCount: number, mask: number, table: Uint16Array): void {
  for (let i = 0; i < rowCount; i++) {
    const target = table[(rowHashes[i] as number) & mask] as number;
    targets[i] = target;
    counts[target] = (counts[target] as number) + 1;
  }
}

function countModulo(rowHashes: Uint32Array, rowCount: number, vnodes: number, table: Uint16Array): void {
  for (let i = 0; i < rowCount; i++) {
    const target = table[(rowHashes[i] as number) % vnodes] as number;
    targets[i] = target;
    counts[target] = (counts[target] as number) + 1;
  }
}

/** Moves each range's start to its end while it puts the rows in their places. */
function fillOrder(rowCount: number): void {
  for (let i = 0; i < rowCount; i++) {
    const target = targets[i] as number;
    const at = counts[target] as number;
    order[at] = i;
    counts[target] = at + 1;
  }
}

const tables = new WeakMap<Ranges, Uint16Array>();

/** Range by vnode; `ranges.length` for vnodes that no range covers. Kept as long as the ranges are. */
function targetTable(vnodes: number, ranges: Ranges): Uint16Array {
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
