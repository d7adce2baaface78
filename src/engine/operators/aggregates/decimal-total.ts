import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { FixedColumn } from "../../data/column.ts";
import { grownWords } from "./accumulator.ts";
import type { Feed } from "./feed.ts";

/** Words a total: one more than a decimal has, so that what leaves 128 bits on the way may come back. */
const WORDS = 5;

/** Exact totals of decimals of one scale, two's complement, lowest word first. */
export class DecimalTotals {
  private words = new Int32Array(WORDS);

  reserve(slots: number): void {
    this.words = grownWords(this.words, slots * WORDS);
  }

  add({ column, slots }: Feed, from: number, to: number): void {
    const values = (column as FixedColumn).values as Int32Array;
    for (let i = from; i < to; i++) this.addWords((slots[i] as number) * WORDS, values, 4 * i, 4);
  }

  /** Adds `length` words from `at`; the sign of the last fills up what is missing. */
  private addWords(to: number, from: Int32Array, at: number, length: number): void {
    const { words } = this;
    const sign = ((from[at + length - 1] as number) >> 31) >>> 0;
    let carry = 0;
    for (let w = 0; w < WORDS; w++) {
      const value = w < length ? (from[at + w] as number) >>> 0 : sign;
      const sum = ((words[to + w] as number) >>> 0) + value + carry;
      words[to + w] = sum | 0;
      carry = sum > 0xffffffff ? 1 : 0;
    }
  }

  merge(into: number, from: number): void {
    this.addWords(into * WORDS, this.words, from * WORDS, WORDS);
  }

  clear(from: number, to: number): void {
    this.words.fill(0, from * WORDS, to * WORDS);
  }

  total(slot: number): bigint {
    let value = BigInt(this.words[slot * WORDS + WORDS - 1] as number);
    for (let w = WORDS - 2; w >= 0; w--)
      value = (value << 32n) | BigInt((this.words[slot * WORDS + w] as number) >>> 0);
    return value;
  }

  save(slots: Int32Array): SnapshotValue {
    const saved = new Int32Array(slots.length * WORDS);
    slots.forEach((slot, i) => saved.set(this.words.subarray(slot * WORDS, (slot + 1) * WORDS), i * WORDS));
    return saved;
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    assert(saved instanceof Int32Array, "saved totals");
    slots.forEach((slot, i) => {
      if (slot >= 0) this.words.set(saved.subarray(i * WORDS, (i + 1) * WORDS), slot * WORDS);
    });
  }
}
