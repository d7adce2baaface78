import type { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { RowErrors } from "./frame.ts";
import { ColumnLoader } from "./load.ts";
import type { Vec } from "./vec.ts";

/** The evaluation of a batch: its columns, each read once however often it is named, and what went wrong. */
export class Run {
  rows = 0;
  /** Rows whose value is asked for in the branch that is being evaluated; `null`: all. */
  active: Uint8Array | null = null;
  readonly errors = new RowErrors();
  private readonly loaders: (ColumnLoader | undefined)[] = [];
  private vecs: (Vec | undefined)[] = [];
  private columns: readonly Column[] = [];

  begin({ rowCount, columns }: Batch): void {
    this.rows = rowCount;
    this.active = null;
    this.columns = columns;
    this.vecs = [];
    this.errors.reset(rowCount);
  }

  column(index: number): Vec {
    let vec = this.vecs[index];
    if (vec === undefined) {
      const loader = this.loaders[index] ?? new ColumnLoader();
      this.loaders[index] = loader;
      vec = loader.load(this.columns[index] as Column);
      this.vecs[index] = vec;
    }
    return vec;
  }

  /** The columns of the batch; those that were copied to be read, there. */
  placed(): readonly Column[] {
    return this.columns.map((column, index) =>
      this.vecs[index] === undefined ? column : ((this.loaders[index] as ColumnLoader).placed ?? column),
    );
  }

  /** Errors of a value that is the same for all rows. */
  failAll(message: () => string): void {
    for (let row = 0; row < this.rows; row++) {
      if (this.active === null || this.active[row] === 1) this.errors.add(row, message);
    }
  }
}

/** Computes a part of an expression for all rows of a run. The vector is good until the next evaluation. */
export type Evaluate = (run: Run) => Vec;
