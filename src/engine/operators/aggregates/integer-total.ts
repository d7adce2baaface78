import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { FixedColumn } from "../../data/column.ts";
import { grownNumbers, newNumbers } from "../../data/state-arrays.ts";
import { type WordPair, wordsToNumber } from "../../data/words.ts";
import { putNumbers, takeNumbers, zero } from "./accumulator.ts";
import type { Feed } from "./feed.ts";

const TWO_32 = 4294967296;
/** A low part beyond this is carried into the high one, so that adding a number of 52 bits stays exact. */
const LIMIT = 2 ** 52;

/**
 * Exact totals of integers of up to 64 bits: high · 2^32 + low, both whole doubles. Only what a total comes to in the end must fit int64, so the
 * order of the rows never decides whether it does (D-25); on the way there is room for 84 bits.
 */
export class IntegerTotals {
  private low = newNumbers(1);
  private high = newNumbers(1);

  reserve(slots: number): void {
    this.low = grownNumbers(this.low, slots);
    this.high = grownNumbers(this.high, slots);
  }

  add(feed: Feed): void {
    const { type } = feed.column as FixedColumn;
    if (type.kind === "int" && type.bits === 64) this.addLongs(feed.longs(), type.signed, feed);
    else this.addNumbers(feed.numbers(), feed);
  }

  private addNumbers(values: Float64Array, { slots, count, heap }: Feed): void {
    const { low, high } = this;
    if (heap !== undefined) {
      heap.kernels.addNumbers(slots.byteOffset, values.byteOffset, count, low.byteOffset, high.byteOffset);
      return;
    }
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const sum = (low[slot] as number) + (values[i] as number);
      low[slot] = sum;
      if (sum > LIMIT || sum < -LIMIT) this.carry(slot);
    }
  }

  private addLongs(words: Int32Array, signed: boolean, { slots, count, heap }: Feed): void {
    const { low, high } = this;
    if (heap !== undefined) {
      const [to, from] = [slots.byteOffset, words.byteOffset];
      heap.kernels.addLongs(to, from, signed ? 1 : 0, count, low.byteOffset, high.byteOffset);
      return;
    }
    // High words from here on, below 2^20, are those of values within ±2^52: one double.
    const least = signed ? -0x100000 : 0;
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const lo = words[2 * i] as number;
      const hi = words[2 * i + 1] as number;
      let sum = low[slot] as number;
      if (hi < 0x100000 && hi >= least) sum += hi * TWO_32 + (lo >>> 0);
      else {
        sum += lo >>> 0;
        high[slot] = (high[slot] as number) + (signed ? hi : hi >>> 0);
      }
      low[slot] = sum;
      if (sum > LIMIT || sum < -LIMIT) this.carry(slot);
    }
  }

  private carry(slot: number): void {
    const sum = this.low[slot] as number;
    const over = Math.floor(sum / TWO_32);
    this.high[slot] = (this.high[slot] as number) + over;
    this.low[slot] = sum - over * TWO_32;
  }

  merge(into: number, from: number): void {
    this.carry(from);
    this.high[into] = (this.high[into] as number) + (this.high[from] as number);
    this.low[into] = (this.low[into] as number) + (this.low[from] as number);
    this.carry(into);
  }

  clear(from: number, to: number): void {
    zero(this.low, from, to);
    zero(this.high, from, to);
  }

  /** The total as int64; false when it does not fit. */
  total(slot: number, out: WordPair): boolean {
    this.carry(slot);
    const high = this.high[slot] as number;
    out.lo = (this.low[slot] as number) | 0;
    out.hi = high | 0;
    return high >= -2147483648 && high <= 2147483647;
  }

  /** The nearest double. */
  number(slot: number): number {
    this.carry(slot);
    return wordsToNumber(this.low[slot] as number, this.high[slot] as number);
  }

  save(slots: Int32Array): SnapshotValue {
    return { low: takeNumbers(this.low, slots), high: takeNumbers(this.high, slots) };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { low, high } = saved as { readonly [key: string]: SnapshotValue };
    assert(low instanceof Float64Array && high instanceof Float64Array, "saved totals");
    putNumbers(low, slots, this.low);
    putNumbers(high, slots, this.high);
  }
}
