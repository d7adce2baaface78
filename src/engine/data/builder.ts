import { bytesForBits } from "./bits.ts";
import type { Validity } from "./column.ts";
import type { LogicalType } from "./types.ts";

/** Rows and their validity; bits are 1 ahead of the rows, so that only a NULL has to write one. */
export abstract class Builder {
  readonly type: LogicalType;
  protected capacity: number;
  private rows = 0;
  private nulls = 0;
  private valid: Uint8Array | null = null;

  constructor(type: LogicalType, capacity: number) {
    this.type = type;
    this.capacity = Math.max(capacity, 8);
  }

  get length(): number {
    return this.rows;
  }

  protected abstract resize(capacity: number): void;

  /** Counts one more row and answers its number. */
  protected next(): number {
    const row = this.rows;
    if (row === this.capacity) this.grow();
    this.rows = row + 1;
    return row;
  }

  private grow(): void {
    this.capacity *= 2;
    if (this.valid !== null) {
      const valid = allOnes(this.capacity);
      valid.set(this.valid);
      this.valid = valid;
    }
    this.resize(this.capacity);
  }

  protected nextNull(): number {
    const row = this.next();
    this.valid ??= allOnes(this.capacity);
    this.valid[row >> 3] = (this.valid[row >> 3] as number) & ~(1 << (row & 7));
    this.nulls++;
    return row;
  }

  /** Forgets the rows from `length` on: the fields of a row that turned out bad. */
  truncate(length: number): void {
    const { valid } = this;
    if (valid !== null && this.nulls > 0) {
      for (let row = length; row < this.rows; row++) {
        if (((valid[row >> 3] as number) & (1 << (row & 7))) !== 0) continue;
        valid[row >> 3] = (valid[row >> 3] as number) | (1 << (row & 7));
        this.nulls--;
      }
    }
    this.rows = Math.min(this.rows, length);
  }

  /** What every column has; the builder is empty after it. */
  protected take(): { type: LogicalType; length: number; nullCount: number; validity: Validity } {
    const { type, rows: length, nulls: nullCount, valid } = this;
    let validity: Validity = null;
    if (nullCount > 0 && valid !== null) {
      const used = bytesForBits(length);
      validity = { bits: valid.slice(0, used), bitOffset: 0 };
      valid.fill(0xff, 0, used);
    }
    this.rows = 0;
    this.nulls = 0;
    return { type, length, nullCount, validity };
  }
}

const allOnes = (rows: number): Uint8Array => new Uint8Array(bytesForBits(rows)).fill(0xff);
