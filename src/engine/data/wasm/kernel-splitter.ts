import { Batch } from "../batch.ts";
import type { Column, VarColumn } from "../column.ts";
import { combine, hashNulls, hashRows, wordHashes } from "../kernels/hash.ts";
import { type Ranges, splitByVnode, targetTable } from "../kernels/split.ts";
import { batchRoom, takeBatchInto } from "../kernels/take.ts";
import { Room } from "../storage.ts";
import { KernelLoops } from "./kernel-loops.ts";
import { type KernelMemory, SLACK_BYTES } from "./kernel-memory.ts";
import { FEWEST_ROWS } from "./kernels.ts";

/** No more words than edges take; the hashes of more are looked up where they are. */
const MOST_WORDS = 65_536;
/** For more targets a counter for each takes less time than comparing all rows with the bounds of each. */
const FEW_TARGETS = 8;
/** Vnodes whose numbers are compared as 16 bits. */
const MOST_BY_RANGES = 1 << 14;

/** Hashes of a dictionary's words, in a block of their own for as long as the dictionary comes. */
interface WordTable {
  readonly dictionary: VarColumn;
  readonly at: number;
}

/**
 * `splitByVnode` by kernels: the same parts, but borrowed. They lie in the kernels' memory until `settled`. Where that has no room, the
 * TypeScript twin makes private ones.
 */
export class KernelSplitter {
  private readonly memory: KernelMemory;
  private readonly loops: KernelLoops;
  /** Blocks in which parts lie that were handed out. */
  private lent: number[] = [];
  private table: WordTable | undefined;
  private readonly fewestRows: number;

  constructor(memory: KernelMemory, fewestRows = FEWEST_ROWS) {
    this.memory = memory;
    this.loops = new KernelLoops(memory.kernels);
    this.fewestRows = fewestRows;
  }

  split(batch: Batch, columns: readonly string[], vnodes: number, ranges: Ranges): (Batch | null)[] {
    if (batch.rowCount < Math.max(this.fewestRows, 1) || columns.length === 0)
      return splitByVnode(batch, columns, vnodes, ranges);
    const { blocks } = this.memory;
    const room = roomForParts(batch, ranges.length);
    const block = blocks.claim(room + this.scratchRoom(batch, vnodes, ranges.length));
    if (block === 0) return splitByVnode(batch, columns, vnodes, ranges);
    let used = 0;
    try {
      const parts: (Batch | null)[] = new Array(ranges.length).fill(null);
      used = this.splitWithin(block, block + room, batch, columns, vnodes, ranges, parts) - block;
      return parts;
    } finally {
      if (used === 0) blocks.release(block);
      else {
        blocks.shrink(block, used);
        this.lent.push(block);
      }
    }
  }

  /** Nobody reads the parts any more. */
  settled(): void {
    if (this.lent.length === 0) return;
    for (const block of this.lent) this.memory.blocks.release(block);
    this.lent = [];
  }

  private scratchRoom({ rowCount, columns, eventTimes }: Batch, vnodes: number, targets: number): number {
    const { memory } = this;
    let bytes = 4 * strideOf(rowCount) * (targets + 3) + boundsRoom(vnodes, targets) + 16 * (targets + 1);
    bytes += 5 * SLACK_BYTES;
    for (const column of columns) bytes += memory.roomFor(column);
    return eventTimes === null ? bytes : bytes + memory.roomForValues(eventTimes, rowCount);
  }

  /** Puts the parts in `parts`, and lays them from `at` on. Answers where they end: `at` where the batch goes on whole. */
  private splitWithin(
    at: number,
    scratch: number,
    batch: Batch,
    names: readonly string[],
    vnodes: number,
    ranges: Ranges,
    parts: (Batch | null)[],
  ): number {
    const { memory } = this;
    const { rowCount } = batch;
    const stride = strideOf(rowCount);
    const hashes = scratch;
    const more = hashes + 4 * stride;
    const rows = more + 4 * stride;
    const ends = rows + 4 * stride * (ranges.length + 1);
    const bounds = ends + 16 * (ranges.length + 1);
    const placed = this.placed(batch, bounds + boundsRoom(vnodes, ranges.length));
    names.forEach((name, index) => {
      this.hash(placed.column(name), rowCount, index === 0 ? hashes : more);
      if (index > 0) combine(memory.unsigned(hashes, rowCount), memory.unsigned(more, rowCount), rowCount);
    });
    this.rowsByTarget(hashes, rowCount, vnodes, ranges, bounds, rows, ends);
    return this.take(at, batch, placed, rows, ends, parts);
  }

  /** The batch where kernels find it. */
  private placed(batch: Batch, at: number): Batch {
    const { memory } = this;
    const { schema, rowCount, columns, eventTimes } = batch;
    const isThere = eventTimes === null || memory.roomForValues(eventTimes, rowCount) === 0;
    if (isThere && columns.every((column) => memory.hasColumn(column))) return batch;
    const placer = memory.placer(at);
    return new Batch(
      schema,
      rowCount,
      columns.map((column) => placer.column(column)),
      eventTimes === null ? null : placer.values(eventTimes, rowCount),
    );
  }

  /** Numbers of the rows of target t from t · strideOf(rowCount) on, and where they end. */
  private rowsByTarget(
    hashes: number,
    rowCount: number,
    vnodes: number,
    ranges: Ranges,
    bounds: number,
    rows: number,
    ends: number,
  ): void {
    const { kernels, octets, words, buffer } = this.memory;
    const stride = strideOf(rowCount);
    if (octets === 0 || ranges.length > FEW_TARGETS || vnodes > MOST_BY_RANGES || (vnodes & (vnodes - 1)) !== 0) {
      new Uint16Array(buffer, bounds, vnodes).set(targetTable(vnodes, ranges));
      kernels.splitRows(hashes, rowCount, vnodes, bounds, ranges.length + 1, rows, stride, ends);
      return;
    }
    const even = (ranges.length + 1) & ~1;
    const first = bounds >> 2;
    words[first + even - 1] = 0;
    for (let t = 0; t < ranges.length; t++) {
      const [from, to] = ranges[t] as Ranges[number];
      words[first + t] = from | (to << 16);
    }
    kernels.splitByRanges(hashes, rowCount, vnodes, bounds, even, octets, rows, stride, ends);
  }

  private hash(column: Column | undefined, rowCount: number, at: number): void {
    const { kernels } = this.memory;
    if (column?.encoding === "var") kernels.hashText(column.offsets.byteOffset, column.bytes.byteOffset, rowCount, at);
    else if (column?.encoding === "fixed" && column.type.kind === "int" && column.values instanceof Int32Array) {
      if (column.type.bits === 64) kernels.hashWords(column.values.byteOffset, rowCount, at);
      else kernels.hashInts(column.values.byteOffset, rowCount, at);
    } else if (column?.encoding === "dictionary" && this.tableOf(column.dictionary) !== 0) {
      const { codes, dictionary } = column;
      kernels.lookUp(codes.byteOffset, this.tableOf(dictionary), dictionary.length, rowCount, at);
    } else {
      hashRows([column], rowCount, this.memory.unsigned(at, rowCount));
      return;
    }
    if (column.nullCount > 0 && column.validity !== null)
      hashNulls(column.validity, rowCount, this.memory.unsigned(at, rowCount));
  }

  /** Where the hashes of the words lie; 0 where there is no room for them. */
  private tableOf(dictionary: VarColumn): number {
    if (this.table?.dictionary === dictionary) return this.table.at;
    const { blocks, buffer } = this.memory;
    if (this.table !== undefined) blocks.release(this.table.at);
    this.table = undefined;
    if (dictionary.length > MOST_WORDS) return 0;
    const at = blocks.claim(4 * dictionary.length);
    if (at === 0) return 0;
    new Uint32Array(buffer, at, dictionary.length).set(wordHashes(dictionary));
    this.table = { dictionary, at };
    return at;
  }

  /** Where the parts that it lays from `at` on end. */
  private take(at: number, batch: Batch, placed: Batch, rows: number, ends: number, parts: (Batch | null)[]): number {
    const { buffer, words } = this.memory;
    const { rowCount } = batch;
    const stride = strideOf(rowCount);
    const room = new Room(0, buffer, at);
    const numbers = new Int32Array(buffer, rows, stride * parts.length);
    for (let t = 0; t < parts.length; t++) {
      const from = t * stride;
      const to = words[(ends >> 2) + t] as number;
      if (to - from === rowCount) parts[t] = batch;
      else if (to > from) parts[t] = takeBatchInto(room, placed, numbers, from, to, this.loops, true);
    }
    return room.next;
  }
}

/** Numbers for each target: some beyond as many as there are rows, and whole pairs. */
const strideOf = (rowCount: number): number => (rowCount + 80) & ~1;

const boundsRoom = (vnodes: number, targets: number): number => Room.size(Math.max(2 * vnodes, 4 * (targets + 1)));

/** Bytes for so many parts of a batch, whichever rows they have. */
function roomForParts(batch: Batch, targets: number): number {
  // What lies at a multiple of 8 bytes in a part, and what kernels may write behind text.
  let bytes = batchRoom(batch, batch.rowCount) + targets * (8 + 24 * batch.columns.length);
  for (const column of batch.columns) {
    if (column.encoding === "var") bytes += Room.size(column.bytes.length) + targets * (SLACK_BYTES + 8);
  }
  return (bytes + 7) & ~7;
}
