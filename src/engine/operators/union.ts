import type { Operator, Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { StageContext } from "./context.ts";
import { schemaAt } from "./ports.ts";

/**
 * Passes the batches of all its inputs on as they come. Order is kept within an input and not between inputs (F-6); merging
 * the inputs' times is the task's job (F-17). Inputs may differ in what may be NULL: the output's schema says what of all of
 * them. No state.
 */
class Union implements Operator<Batch> {
  private readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    const { rowCount, columns, eventTimes, borrowed } = batch;
    const fits = batch.schema.equals(this.schema);
    output.emit(fits ? batch : new Batch(this.schema, rowCount, columns, eventTimes, borrowed));
  }
}

export function union(_config: unknown, context: StageContext): Operator<Batch> {
  return new Union(schemaAt(context.outputs, "out"));
}
