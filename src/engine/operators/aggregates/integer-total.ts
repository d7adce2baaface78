import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { FixedColumn } from "../../data/column.ts";
import { type WordPair, wordsToNumber } from "../../data/words.ts";
import type { Cells, Lane } from "./cells.ts";
import type { Feed } from "./feed.ts";

const TWO_32 = 4294967296;
/** A low part beyond this is carried into the high one, so that adding a number of 52 bits stays exact. */
const LIMIT = 2 ** 52;

/**
 * Exact totals of integers of up to 64 bits: high · 2^32 + low, both whole doubles. Only what a total comes to in the end must fit int64, so the
 * order of the rows never decides whether it does (D-25); on the way there is room for 84 bits.
 */
export class IntegerTotals {
  private readonly low: Lane;
  /** Behind the low one. */
  private readonly high: Lane;

  constructor(cells: Cells) {
    this.low = cells.lane();
    this.high = cells.lane();
  }

  add(feed: Feed, from: number, to: number): void {
    const { type } = feed.column as FixedColumn;
    if (type.kind === "int" && type.bits === 64) this.addLongs(feed.longs(), type.signed, feed, from, to);
    else this.addNumbers(feed.numbers(), feed, from, to);
  }

  private addNumbers(added: Float64Array, { slots, heap }: Feed, from: number, to: number): void {
    const { low } = this;
    if (heap !== undefined) {
      const [by, values] = [slots.byteOffset + 4 * from, added.byteOffset + 8 * from];
      heap.kernels.addNumbers(by, values, to - from, low.address, low.stride);
      return;
    }
    const { values, width, place } = low;
    for (let i = from; i < to; i++) {
      const at = (slots[i] as number) * width + place;
      const sum = (values[at] as number) + (added[i] as number);
      values[at] = sum;
      if (sum > LIMIT || sum < -LIMIT) this.carry(slots[i] as number);
    }
  }

  private addLongs(words: Int32Array, signed: boolean, { slots, heap }: Feed, from: number, to: number): void {
    const { low } = this;
    if (heap !== undefined) {
      const [by, longs] = [slots.byteOffset + 4 * from, words.byteOffset + 8 * from];
      heap.kernels.addLongs(by, longs, signed ? 1 : 0, to - from, low.address, low.stride);
      return;
    }
    const { values, width, place } = low;
    // High words from here on, below 2^20, are those of values within ±2^52: one double.
    const least = signed ? -0x100000 : 0;
    for (let i = from; i < to; i++) {
      const at = (slots[i] as number) * width + place;
      const lo = words[2 * i] as number;
      const hi = words[2 * i + 1] as number;
      let sum = values[at] as number;
      if (hi < 0x100000 && hi >= least) sum += hi * TWO_32 + (lo >>> 0);
      else {
        sum += lo >>> 0;
        values[at + 1] = (values[at + 1] as number) + (signed ? hi : hi >>> 0);
      }
      values[at] = sum;
      if (sum > LIMIT || sum < -LIMIT) this.carry(slots[i] as number);
    }
  }

  private carry(slot: number): void {
    const sum = this.low.of(slot);
    const over = Math.floor(sum / TWO_32);
    this.high.set(slot, this.high.of(slot) + over);
    this.low.set(slot, sum - over * TWO_32);
  }

  merge(into: number, from: number): void {
    this.carry(from);
    this.high.set(into, this.high.of(into) + this.high.of(from));
    this.low.set(into, this.low.of(into) + this.low.of(from));
    this.carry(into);
  }

  /** The total as int64; false when it does not fit. */
  total(slot: number, out: WordPair): boolean {
    this.carry(slot);
    const high = this.high.of(slot);
    out.lo = this.low.of(slot) | 0;
    out.hi = high | 0;
    return high >= -2147483648 && high <= 2147483647;
  }

  /** The nearest double. */
  number(slot: number): number {
    this.carry(slot);
    return wordsToNumber(this.low.of(slot), this.high.of(slot));
  }

  save(slots: Int32Array): SnapshotValue {
    return { low: this.low.take(slots), high: this.high.take(slots) };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { low, high } = saved as { readonly [key: string]: SnapshotValue };
    assert(low instanceof Float64Array && high instanceof Float64Array, "saved totals");
    this.low.put(low, slots);
    this.high.put(high, slots);
  }
}
