import type { Operator, Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { filterByBytes } from "../data/kernels/filter.ts";
import type { Schema } from "../data/schema.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import { createProgram, type Program } from "../expressions/program.ts";
import type { FilterConfig } from "./catalog.ts";
import type { StageContext } from "./context.ts";
import { nodeOf } from "./expression-node.ts";
import { schemaAt } from "./ports.ts";
import { RowErrorRule } from "./row-errors.ts";

/**
 * Rows for which a condition is true; NULL is not true. Rows for which it fails are treated by `onError` (D-25). Event time travels
 * along (D-29). No state.
 */
class Filter implements Operator<Batch> {
  private readonly schema: Schema;
  private readonly program: Program;
  private readonly rule: RowErrorRule;
  private readonly memory: TurnMemory | undefined;

  constructor(config: FilterConfig, context: StageContext) {
    this.schema = schemaAt(context.outputs, "out");
    this.program = createProgram([nodeOf(config.expression, schemaAt(context.inputs, "in"), "condition")]);
    this.rule = new RowErrorRule(config.onError, ["expression"], context);
    this.memory = context.memory;
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    const { rowCount } = batch;
    const errors = this.program.evaluate(batch);
    const mask = this.program.truth(0);
    if (errors.count > 0) {
      this.rule.tell(errors, batch);
      const failed = this.rule.dropped(errors);
      if (failed !== null) for (let i = 0; i < rowCount; i++) if (failed[i] === 1) mask[i] = 0;
    }
    const passed = filterByBytes(batch, mask, this.memory, this.program.placed());
    const { rowCount: left, columns, eventTimes, borrowed } = passed;
    if (left > 0) output.emit(new Batch(this.schema, left, columns, eventTimes, borrowed));
  }
}

export function filter(config: FilterConfig, context: StageContext): Operator<Batch> {
  return new Filter(config, context);
}
