import { Batch } from "../../data/batch.ts";
import { bytesForBits } from "../../data/bits.ts";
import type { BitColumn, Column } from "../../data/column.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import { cell } from "../../data/row-codec.ts";
import type { Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import type { Aggregates } from "../aggregates/aggregates.ts";
import { overflow } from "../aggregates/overflow.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { EMITTED, type Slots } from "./slots.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;

/** Result rows of slots: keys, bounds, aggregates, and whether each corrects an earlier one. Their event time is the end − 1 (D-29). */
export class Results {
  private readonly schema: Schema;
  private readonly keys: KeyIndex;
  private readonly slots: Slots;
  private readonly aggregates: Aggregates;
  private readonly tellsUpdates: boolean;
  private readonly marks: boolean;

  /**
   * @param tellsUpdates there is a column for that
   * @param marks the slots are to know what was told of them
   */
  constructor(
    schema: Schema,
    keys: KeyIndex,
    slots: Slots,
    aggregates: Aggregates,
    tellsUpdates: boolean,
    marks: boolean,
  ) {
    this.schema = schema;
    this.keys = keys;
    this.slots = slots;
    this.aggregates = aggregates;
    this.tellsUpdates = tellsUpdates;
    this.marks = marks;
  }

  /** In this order; the slots count as told from now on. */
  emit(slots: Int32Array, send: (batch: Batch) => void): void {
    let bounds: Bounds | undefined;
    for (let from = 0; from < slots.length; from += BATCH_ROWS) {
      const part = slots.subarray(from, from + BATCH_ROWS);
      bounds = boundsOf(this.slots, part, bounds);
      const batch = this.batch(part, bounds);
      if (this.marks) for (const slot of part) this.slots.told(slot);
      send(batch);
    }
  }

  private batch(slots: Int32Array, { starts, ends, times }: Bounds): Batch {
    const columns: Column[] = [
      ...this.keys.columns(this.slots.keysOf(slots)),
      starts,
      ends,
      ...this.aggregates.results(slots, (name, slot) => this.fail(name, slot)),
    ];
    if (this.tellsUpdates) columns.push(this.updates(slots));
    return new Batch(this.schema, slots.length, columns, times);
  }

  private updates(slots: Int32Array): BitColumn {
    const bits = new Uint8Array(bytesForBits(slots.length));
    slots.forEach((slot, row) => {
      if (this.slots.has(slot, EMITTED)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    });
    const values = { bits, bitOffset: 0 };
    return { encoding: "bits", type: typeOf("boolean"), length: slots.length, nullCount: 0, validity: null, values };
  }

  private fail(name: string, slot: number): never {
    const key = this.keys.columns(Int32Array.of(this.slots.keyOf(slot))).map((column) => cell(column, 0));
    throw overflow(name, key, this.schema);
  }
}
