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
    const scratch = blocks.claim(this.scratchRoom(batch, vnodes, ranges.length));
    if (scratch === 0) return splitByVnode(batch, columns, vnodes, ranges);
    try {
      return this.splitWithin(scratch, batch, columns, vnodes, ranges) ?? splitByVnode(batch, columns, vnodes, ranges);
    } finally {
      blocks.release(scratch);
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
    let bytes = 4 * rowCount * (targets + 3) + 2 * vnodes + 16 * (targets + 1) + 5 * SLACK_BYTES;
    for (const column of columns) bytes += memory.roomFor(column);
    return eventTimes === null ? bytes : bytes + memory.roomForValues(eventTimes, rowCount);
  }

  private splitWithin(
    scratch: number,
    batch: Batch,
    names: readonly string[],
    vnodes: number,
    ranges: Ranges,
  ): (Batch | null)[] | undefined {
    const { memory } = this;
    const { rowCount, schema, eventTimes } = batch;
    const room = new Room(0, memory.buffer, scratch);
    const hashes = unsigned(room.int32(rowCount + 4));
    const more = names.length > 1 ? unsigned(room.int32(rowCount + 4)) : hashes;
    const targets = ranges.length + 1;
    const rows = room.int32(rowCount * targets);
    const ends = room.int32(4 * targets);
    const table = room.bytes(2 * vnodes);
    const placer = memory.placer(room.next);
    const placed = new Batch(
      schema,
      rowCount,
      batch.columns.map((column) => placer.column(column)),
      eventTimes === null ? null : placer.values(eventTimes, rowCount),
    );
    names.forEach((name, index) => {
      this.hash(placed.column(name), rowCount, index === 0 ? hashes : more);
      if (index > 0) combine(hashes, more, rowCount);
    });
    const known = targetTable(vnodes, ranges);
    table.set(new Uint8Array(known.buffer, known.byteOffset, known.byteLength));
    const { byteOffset } = hashes;
    memory.kernels.splitRows(byteOffset, rowCount, vnodes, table.byteOffset, targets, rows.byteOffset, ends.byteOffset);
    return this.take(batch, placed, rows, ends.subarray(0, ranges.length));
  }

  private hash(column: Column | undefined, rowCount: number, out: Uint32Array): void {
    const { kernels } = this.memory;
    const at = out.byteOffset;
    if (column?.encoding === "var") kernels.hashText(column.offsets.byteOffset, column.bytes.byteOffset, rowCount, at);
    else if (column?.encoding === "fixed" && column.type.kind === "int" && column.values instanceof Int32Array) {
      if (column.type.bits === 64) kernels.hashWords(column.values.byteOffset, rowCount, at);
      else kernels.hashInts(column.values.byteOffset, rowCount, at);
    } else if (column?.encoding === "dictionary" && this.tableOf(column.dictionary) !== 0) {
      const { codes, dictionary } = column;
      kernels.lookUp(codes.byteOffset, this.tableOf(dictionary), dictionary.length, rowCount, at);
    } else {
      hashRows([column], rowCount, out);
      return;
    }
    if (column.nullCount > 0 && column.validity !== null) hashNulls(column.validity, rowCount, out);
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

  /** The parts, in a block of their own; `undefined` when there is no room for it. */
  private take(batch: Batch, placed: Batch, rows: Int32Array, ends: Int32Array): (Batch | null)[] | undefined {
    const parts: (Batch | null)[] = new Array(ends.length).fill(null);
    const { rowCount } = batch;
    let bytes = 0;
    for (let t = 0; t < ends.length; t++) {
      const part = (ends[t] as number) - t * rowCount;
      if (part === rowCount) {
        parts[t] = batch;
        return parts;
      }
      bytes += batchRoom(batch, part);
    }
    for (const column of batch.columns) {
      if (column.encoding === "var") bytes += column.bytes.length + ends.length * (SLACK_BYTES + 8);
    }
    const block = this.memory.blocks.claim(bytes);
    if (block === 0) return undefined;
    this.lent.push(block);
    const room = new Room(bytes, this.memory.buffer, block);
    for (let t = 0; t < ends.length; t++) {
      const [from, to] = [t * rowCount, ends[t] as number];
      if (to > from) parts[t] = takeBatchInto(room, placed, rows, from, to, this.loops, true);
    }
    return parts;
  }
}

const unsigned = (words: Int32Array): Uint32Array => new Uint32Array(words.buffer, words.byteOffset, words.length);
