import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { sortRows } from "../data/kernels/compare.ts";
import { KeyIndex } from "../data/key-index.ts";
import type { Field, Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { highWord, lowWord } from "../data/words.ts";
import { putNumbers } from "./aggregates/accumulator.ts";
import type { CountConfig } from "./catalog.ts";
import type { StageContext } from "./context.ts";
import { ownKeys } from "./part.ts";
import { schemaAt } from "./ports.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;

/**
 * Counts rows by key, and sends all counts at END, in the natural order of the keys, so that every executor sends the same rows in
 * the same order. A run that is stopped says no END: nothing goes out, and the counts stay in the checkpoint (D-4). NULL is a key of its
 * own, 0 = −0, all NaN are one (D-23, D-26). Rows without any key columns are one group; where no row came there is none.
 *
 * State: the keys, and a count for each, exact up to 2^53. It is empty once the counts went out, so that a restore
 * from a later checkpoint does not send them again.
 */
class Count implements Operator<Batch> {
  private readonly input: Schema;
  private readonly schema: Schema;
  private readonly places: readonly number[];
  private readonly keys: KeyIndex;
  /** By number of the key. */
  private counts = new Float64Array(64);
  private ids = new Int32Array(0);

  constructor(config: CountConfig, context: StageContext) {
    const input = schemaAt(context.inputs, "in");
    this.input = input;
    this.schema = schemaAt(context.outputs, "out");
    this.places = config.groupBy.map((name) => input.indexOf(name));
    this.keys = new KeyIndex(this.places.map((place) => (input.fields[place] as Field).type));
  }

  process(batch: Batch): void {
    const { rowCount } = batch;
    if (this.ids.length < rowCount) this.ids = new Int32Array(rowCount);
    const { ids } = this;
    this.keys.idsOf(
      this.places.map((place) => batch.columns[place] as Column),
      rowCount,
      ids,
    );
    this.reserve(this.keys.size);
    const { counts } = this;
    for (let row = 0; row < rowCount; row++) {
      const id = ids[row] as number;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  onEnd(output: Output<Batch>): void {
    const { size } = this.keys;
    const columns = this.keys.columns(Int32Array.from({ length: size }, (_, id) => id));
    const order = sortRows(
      columns.map((column) => ({ column })),
      size,
    );
    for (let from = 0; from < size; from += BATCH_ROWS)
      output.emit(this.results(order.subarray(from, from + BATCH_ROWS)));
    this.keys.compact(new Int32Array(0));
    this.counts.fill(0);
  }

  snapshot(): SnapshotValue {
    return { keys: this.keys.snapshot(), counts: this.counts.slice(0, this.keys.size) };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { keys, counts } = state as { readonly keys: SnapshotValue; readonly counts: Float64Array };
    const ids = this.keys.add(keys, ownKeys(part, this.input, this.places));
    this.reserve(this.keys.size);
    putNumbers(counts, ids, this.counts);
  }

  private results(ids: Int32Array): Batch {
    const words = new Int32Array(2 * ids.length);
    for (let row = 0; row < ids.length; row++) {
      const count = this.counts[ids[row] as number] as number;
      words[2 * row] = lowWord(count);
      words[2 * row + 1] = highWord(count);
    }
    const common = { type: typeOf("int64"), length: ids.length, nullCount: 0, validity: null };
    return new Batch(this.schema, ids.length, [
      ...this.keys.columns(ids),
      { encoding: "fixed", ...common, values: words },
    ]);
  }

  private reserve(keys: number): void {
    if (keys <= this.counts.length) return;
    const grown = new Float64Array(Math.max(keys, 2 * this.counts.length));
    grown.set(this.counts);
    this.counts = grown;
  }
}

export function count(config: CountConfig, context: StageContext): Operator<Batch> {
  return new Count(config, context);
}
