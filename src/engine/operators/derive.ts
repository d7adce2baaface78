import type { Operator, Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import type { Schema } from "../data/schema.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import { checkEventTime } from "../expressions/event-time.ts";
import { createProgram, type Program } from "../expressions/program.ts";
import type { DeriveConfig } from "./catalog.ts";
import type { StageContext } from "./context.ts";
import { checkedNode, nodeOf } from "./expression-node.ts";
import { schemaAt } from "./ports.ts";
import { RowErrorRule, withoutFailed } from "./row-errors.ts";

/** Where a column of the result comes from: column `from` of the input, or expression `from`. */
interface Place {
  readonly isComputed: boolean;
  readonly from: number;
}

/**
 * Columns computed by expressions, which all see the columns that came in; columns of their names are replaced where they stand, others
 * go behind. Rows for which an expression fails are treated by `onError` (D-25). Event time travels along, or is set anew (D-29). No state.
 */
class Derive implements Operator<Batch> {
  private readonly schema: Schema;
  private readonly places: readonly Place[];
  private readonly program: Program;
  private readonly rule: RowErrorRule;
  private readonly memory: TurnMemory | undefined;
  /** Number of the expression that tells the event time, or −1. */
  private readonly eventTime: number;

  constructor(config: DeriveConfig, context: StageContext) {
    const input = schemaAt(context.inputs, "in");
    this.schema = schemaAt(context.outputs, "out");
    const names = config.columns.map(({ name }) => name);
    this.places = this.schema.names.map((name) => {
      const from = names.indexOf(name);
      return from < 0 ? { isComputed: false, from: input.indexOf(name) } : { isComputed: true, from };
    });
    const nodes = config.columns.map(({ expression }) => nodeOf(expression, input));
    const { eventTime } = config;
    if (eventTime !== undefined) nodes.push(checkedNode(eventTime, checkEventTime(eventTime, input)));
    this.eventTime = eventTime === undefined ? -1 : nodes.length - 1;
    this.program = createProgram(nodes);
    const fields = config.columns.map((_, index) => `columns[${index}].expression`);
    this.rule = new RowErrorRule(config.onError, [...fields, "eventTime"], context);
    this.memory = context.memory;
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    const errors = this.program.evaluate(batch);
    this.rule.tell(errors, batch);
    const derived = new Batch(
      this.schema,
      batch.rowCount,
      this.places.map(({ isComputed, from }) =>
        isComputed ? this.program.column(from, this.memory) : (batch.columns[from] as Column),
      ),
      this.eventTime < 0 ? batch.eventTimes : this.program.numbers(this.eventTime),
      batch.borrowed || this.memory !== undefined,
    );
    const failed = errors.count === 0 ? null : this.rule.dropped(errors);
    const left = failed === null ? derived : withoutFailed(derived, failed);
    if (left.rowCount > 0 || batch.rowCount === 0) output.emit(left);
  }
}

export function derive(config: DeriveConfig, context: StageContext): Operator<Batch> {
  return new Derive(config, context);
}
