import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { Batch } from "../../data/batch.ts";
import { type Column, isNull } from "../../data/column.ts";
import { columnBuilder } from "../../data/column-builder.ts";
import { Schema } from "../../data/schema.ts";
import { grownBytes, newBytes } from "../../data/state-arrays.ts";
import type { LogicalType } from "../../data/types.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { type ValueStore, valueStore } from "./value-store.ts";

/** At most one value by slot, NULL where there is none yet. */
export class HeldValues {
  readonly store: ValueStore;
  private readonly type: LogicalType;
  private held = newBytes(1);

  constructor(type: LogicalType) {
    this.type = type;
    this.store = valueStore(type);
  }

  reserve(slots: number): void {
    this.held = grownBytes(this.held, slots);
    this.store.reserve(slots);
  }

  /** Address of which slots hold one, on the heap: a byte each. */
  get address(): number {
    return this.held.byteOffset;
  }

  has(slot: number): boolean {
    return this.held[slot] === 1;
  }

  set(slot: number, column: Column, row: number): void {
    this.held[slot] = 1;
    this.store.set(slot, column, row);
  }

  copy(into: number, from: number): void {
    this.held[into] = this.held[from] as number;
    this.store.copy(into, from);
  }

  clear(from: number, to: number): void {
    this.held.fill(0, from, to);
    this.store.clear(from, to);
  }

  column(slots: Int32Array): Column {
    const builder = columnBuilder(this.type, slots.length);
    for (const slot of slots) {
      if (this.has(slot)) this.store.append(builder, slot);
      else builder.appendNull();
    }
    return builder.finish();
  }

  save(slots: Int32Array): SnapshotValue {
    return saveBatch(new Batch(this.schema, slots.length, [this.column(slots)]));
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { rowCount, columns } = loadBatch(saved, this.schema);
    const [column] = columns;
    assert(column !== undefined, "a saved value");
    for (let row = 0; row < rowCount; row++) {
      const slot = slots[row] as number;
      if (slot >= 0 && !isNull(column, row)) this.set(slot, column, row);
    }
  }

  private get schema(): Schema {
    return new Schema([{ name: "value", type: this.type, nullable: true }]);
  }
}
