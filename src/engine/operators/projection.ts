import type { Operator, Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import type { Schema } from "../data/schema.ts";
import type { DropConfig, SelectConfig } from "./catalog.ts";
import type { StageContext } from "./context.ts";
import { schemaAt } from "./ports.ts";

/**
 * select, drop and rename: the columns of a batch in another order or number, or under other names. No row is touched or copied,
 * and event time travels along, also when its column goes (D-29); a batch keeps its rows without columns (D-44). No state.
 */
export class Projection implements Operator<Batch> {
  private readonly schema: Schema;
  /** For every output column its place among the input columns. */
  private readonly places: readonly number[];

  constructor(schema: Schema, places: readonly number[]) {
    this.schema = schema;
    this.places = places;
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    const columns = this.places.map((place) => batch.columns[place] as Column);
    output.emit(new Batch(this.schema, batch.rowCount, columns, batch.eventTimes, batch.borrowed));
  }
}

/** The columns named, in the order named. */
export function select(config: SelectConfig, context: StageContext): Operator<Batch> {
  const input = schemaAt(context.inputs, "in");
  return new Projection(
    schemaAt(context.outputs, "out"),
    config.columns.map((name) => input.indexOf(name)),
  );
}

/** All columns but those named. */
export function drop(config: DropConfig, context: StageContext): Operator<Batch> {
  const gone = new Set(config.columns);
  const kept = schemaAt(context.inputs, "in").fields.flatMap(({ name }, place) => (gone.has(name) ? [] : [place]));
  return new Projection(schemaAt(context.outputs, "out"), kept);
}

/** All columns; the plan's output schema has the new names. */
export function rename(_config: unknown, context: StageContext): Operator<Batch> {
  return new Projection(
    schemaAt(context.outputs, "out"),
    schemaAt(context.inputs, "in").fields.map((_, place) => place),
  );
}
