import { assert, InvariantError } from "../base/assert.ts";
import type { Column } from "./column.ts";
import type { Schema } from "./schema.ts";

/**
 * Event time of every row in whole milliseconds, NaN for NULL. It travels beside the columns, whatever they are
 * renamed to or dropped (D-29).
 */
export type EventTimes = Float64Array;

/**
 * Rows in columns. The row count is the batch's own, also without columns (D-44). Immutable.
 *
 * `borrowed`: the buffers lie in a ring slot and are valid only until the effects of the call that received
 * the batch are through. A stage that keeps a batch, or any slice of it, keeps `retain(batch)` (kernels/copy.ts).
 */
export class Batch {
  readonly schema: Schema;
  readonly rowCount: number;
  readonly columns: readonly Column[];
  readonly eventTimes: EventTimes | null;
  readonly borrowed: boolean;

  constructor(
    schema: Schema,
    rowCount: number,
    columns: readonly Column[],
    eventTimes: EventTimes | null = null,
    borrowed = false,
  ) {
    // The text is made where it is needed only: batches are made all the time.
    if (columns.length !== schema.length)
      throw new InvariantError(`a batch of ${schema.length} fields has ${columns.length} columns`);
    assert(eventTimes === null || eventTimes.length === rowCount, "one event time a row");
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = columns;
    this.eventTimes = eventTimes;
    this.borrowed = borrowed;
  }

  /** The column of that name; `undefined` when there is none. */
  column(name: string): Column | undefined {
    const index = this.schema.indexOf(name);
    return index < 0 ? undefined : this.columns[index];
  }
}
