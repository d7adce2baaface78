import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { GeneratorSourceConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { EventTimeTracker } from "./event-time.ts";
import { type FieldMaker, fieldMakers } from "./generator-fields.ts";
import { numberOf, recordOf } from "./position.ts";

/** With a rate, rows come in portions of about so long. */
const PORTION_MS = 10;

/**
 * Made-up rows. Row i is a function of (seed, i), and subtask t of n makes the rows with i mod n = t, in order, so any n gives
 * the same rows (E-4). With a rate, row i is due i / rate after the start, on the run's clock; a source that was held up
 * catches up.
 *
 * Position: the number of the next row, and the progress of event time.
 */
class GeneratorSource implements Source<Batch> {
  private readonly schema: Schema;
  private readonly makers: readonly FieldMaker[];
  private readonly tracker: EventTimeTracker;
  /** Numbers of this subtask's rows: subtask, subtask + step, … below `rows`. */
  private readonly rows: number;
  private readonly subtask: number;
  private readonly step: number;
  private readonly batchRows: number;
  private readonly msPerRow: number;
  private readonly portion: number;
  private next: number;
  /** Run clock at which row 0 was due. */
  private startMs: number | undefined = undefined;

  constructor(config: GeneratorSourceConfig, context: SourceContext) {
    const { subtask, parallelism } = context;
    this.schema = schemaAt(context.outputs, "out");
    this.makers = fieldMakers(config);
    this.rows = config.rows === 0 ? Number.MAX_SAFE_INTEGER : config.rows;
    this.subtask = subtask;
    this.step = parallelism;
    this.batchRows = config.batchRows;
    this.msPerRow = config.rowsPerSecond === 0 ? 0 : 1000 / config.rowsPerSecond;
    const ownMsPerRow = this.msPerRow * parallelism;
    this.portion = ownMsPerRow === 0 ? this.batchRows : Math.min(this.batchRows, Math.ceil(PORTION_MS / ownMsPerRow));
    const position = recordOf(context.position);
    if (context.position !== undefined && position["of"] !== parallelism) throw rescaled(position["of"], parallelism);
    this.next = context.position === undefined ? subtask : numberOf(position["next"]);
    this.tracker = new EventTimeTracker({
      time: config.time,
      partitions: [subtask],
      restored: position["time"],
      note: (error) => context.note(error),
    });
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(output: Output<Batch>): PollResult {
    const left = Math.ceil((this.rows - this.next) / this.step);
    if (left <= 0) return { kind: "done" };
    const due = this.dueRows(output.nowMs, left);
    if (due > 0) {
      this.emit(output, due);
      return { kind: "again" };
    }
    const wakeAtMs = this.dueMs(Math.min(this.portion, left));
    return { kind: "idle", wakeAtMs: Math.min(wakeAtMs, this.tracker.quiet(output) ?? wakeAtMs) };
  }

  position(): SnapshotValue {
    return { next: this.next, of: this.step, time: this.tracker.snapshot() };
  }

  /** How many rows to send now: none before a whole portion is due, no more than a batch. */
  private dueRows(nowMs: number, left: number): number {
    if (this.msPerRow === 0) return Math.min(this.batchRows, left);
    this.startMs ??= nowMs - (this.next - this.subtask) * this.msPerRow;
    if (nowMs < this.dueMs(Math.min(this.portion, left))) return 0;
    const elapsedRows = (nowMs - this.startMs) / this.msPerRow - this.next;
    const due = Math.floor(elapsedRows / this.step) + 1;
    return Math.min(Math.max(due, this.portion), this.batchRows, left);
  }

  /** When the last of the next `count` rows is due. */
  private dueMs(count: number): number {
    return (this.startMs ?? 0) + (this.next + (count - 1) * this.step) * this.msPerRow;
  }

  private emit(output: Output<Batch>, count: number): void {
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = this.next + i * this.step;
    this.next += count * this.step;
    const columns = this.makers.map((make) => make(numbers));
    this.tracker.send(output, new Batch(this.schema, count, columns));
  }
}

function rescaled(before: SnapshotValue | undefined, now: number): WeirError {
  return new WeirError({
    code: "generator-rescaled",
    domain: "checkpoint",
    message: `the checkpoint was taken with ${JSON.stringify(before)} subtasks of the generator, and there are ${now}`,
    hint: "restore it with the same parallelism",
  });
}

export function generatorSource(config: GeneratorSourceConfig, context: SourceContext): Source<Batch> {
  return new GeneratorSource(config, context);
}
