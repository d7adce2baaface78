import { Bytes } from "./vec.ts";

/** A row error of an evaluation: the first in row order. */
export interface RowError {
  /** From 0, within the batch. */
  readonly row: number;
  readonly message: string;
}

/** Rows that failed in an evaluation, each counted once, whatever failed in it (D-25). */
export class RowErrors {
  count = 0;
  first: RowError | null = null;
  /** Number of the expression in which the first of them failed. */
  expression = 0;
  private readonly room = new Bytes();
  private rows = 0;
  private failed: Uint8Array | null = null;

  reset(rows: number): void {
    this.count = 0;
    this.first = null;
    this.rows = rows;
    this.failed = null;
  }

  /** A byte a row, 1 where it failed; `null`: none did. */
  get mask(): Uint8Array | null {
    return this.failed;
  }

  add(row: number, message: () => string): void {
    this.failed ??= this.room.zeros(this.rows);
    if (this.first === null || row < this.first.row) this.first = { row, message: message() };
    if (this.failed[row] === 1) return;
    this.failed[row] = 1;
    this.count++;
  }
}

/** Takes the errors of a kernel. */
export interface ErrorSink {
  add(row: number, message: () => string): void;
}

/**
 * What a kernel is told beside its arguments: how many rows, which of them are NULL because an argument is, and where errors go.
 * A kernel computes all rows and need not look at NULLs, but where that is dear.
 */
export class Frame {
  rows = 0;
  /** Rows whose result is NULL, a byte each. */
  nulls: Uint8Array | null = null;
  /** Rows whose result is asked for; `null`: all. */
  active: Uint8Array | null = null;
  private errors: ErrorSink | null = null;
  private isOwn = false;
  private readonly room = new Bytes();

  begin(rows: number, nulls: Uint8Array | null, active: Uint8Array | null, errors: ErrorSink): void {
    this.rows = rows;
    this.nulls = nulls;
    this.active = active;
    this.errors = errors;
    this.isOwn = false;
  }

  /** Whether row i is worth computing. */
  wants(row: number): boolean {
    return (this.nulls === null || this.nulls[row] === 0) && (this.active === null || this.active[row] === 1);
  }

  /** A row error: the result is NULL, and where the row is asked for the error counts. A NULL argument has none (P-40). */
  fail(row: number, message: () => string): void {
    if (this.nulls !== null && this.nulls[row] === 1) return;
    this.setNull(row);
    if (this.active === null || this.active[row] === 1) this.errors?.add(row, message);
  }

  setNull(row: number): void {
    if (!this.isOwn) {
      const own = this.room.take(this.rows);
      if (this.nulls === null) own.fill(0, 0, this.rows);
      else own.set(this.nulls.subarray(0, this.rows));
      this.nulls = own;
      this.isOwn = true;
    }
    (this.nulls as Uint8Array)[row] = 1;
  }
}
