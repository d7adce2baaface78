import type { Output, Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { GeneratorSourceConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { type FieldMaker, fieldMakers } from "./generator-fields.ts";
import { NumberedSource, type OwnNumbers } from "./numbered-source.ts";

/** Subtask t of n makes the rows i with i mod n = t, in order. */
class RowNumbers implements OwnNumbers {
  readonly own: number;
  readonly subtask: number;
  readonly step: number;

  /** @param rows 0 is endless */
  constructor(rows: number, { subtask, parallelism }: SourceContext) {
    this.subtask = subtask;
    this.step = parallelism;
    this.own = rows === 0 ? Number.POSITIVE_INFINITY : this.ownBelow(rows);
  }

  numberOf(own: number): number {
    return this.subtask + own * this.step;
  }

  allBefore(own: number): number {
    return own * this.step;
  }

  ownBelow(rows: number): number {
    return Math.max(0, Math.ceil((rows - this.subtask) / this.step));
  }
}

/** Made-up rows. Row i is a function of (seed, i). */
class GeneratorSource extends NumberedSource<RowNumbers> {
  private readonly schema: Schema;
  private readonly makers: readonly FieldMaker[];

  constructor(config: GeneratorSourceConfig, context: SourceContext) {
    super(new RowNumbers(config.rows, context), config, context);
    this.schema = schemaAt(context.outputs, "out");
    this.makers = fieldMakers(config);
  }

  protected override emit(output: Output<Batch>, from: number, to: number): void {
    const { subtask, step } = this.numbers;
    const numbers = new Float64Array(to - from);
    for (let i = 0; i < numbers.length; i++) numbers[i] = subtask + (from + i) * step;
    const columns = this.makers.map((make) => make(numbers));
    this.tracker.send(output, new Batch(this.schema, numbers.length, columns));
  }
}

export function generatorSource(config: GeneratorSourceConfig, context: SourceContext): Source<Batch> {
  return new GeneratorSource(config, context);
}
