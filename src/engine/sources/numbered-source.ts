import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { TimeConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { EventTimeTracker } from "./event-time.ts";
import { numberOf, recordOf } from "./position.ts";

/** With a rate, rows come in portions of about so long. */
const PORTION_MS = 10;

/** Which of the rows 0, 1, 2… of all subtasks are this one's. It counts its own 0, 1, 2…. */
export interface OwnNumbers {
  /** How many there are; infinite for an endless source. */
  readonly own: number;
  /** Number, over all subtasks, of this subtask's row `own`. */
  numberOf(own: number): number;
  /** About how many rows all subtasks have made when this one has made `own`: 0 at the start. */
  allBefore(own: number): number;
  /** How many of the first `rows` rows are this subtask's. */
  ownBelow(rows: number): number;
}

export interface Pace {
  /** Over all subtasks; 0: as fast as it goes. */
  readonly rowsPerSecond: number;
  readonly batchRows: number;
  readonly time?: TimeConfig | undefined;
}

/**
 * A source whose rows are a function of their number, so that any parallelism gives the same rows (E-4). With a rate, row i is due i / rate after
 * the start, on the run's clock; a source that was held up catches up.
 *
 * Position: how many rows this subtask has made, and the progress of event time.
 */
export abstract class NumberedSource<N extends OwnNumbers> implements Source<Batch> {
  protected readonly numbers: N;
  protected readonly tracker: EventTimeTracker;
  private readonly parallelism: number;
  private readonly batchRows: number;
  private readonly msPerRow: number;
  private readonly portion: number;
  private next: number;
  /** Run clock at which row 0 was due. */
  private startMs: number | undefined = undefined;

  constructor(numbers: N, { rowsPerSecond, batchRows, time }: Pace, context: SourceContext) {
    const { subtask, parallelism } = context;
    this.numbers = numbers;
    this.parallelism = parallelism;
    this.batchRows = batchRows;
    this.msPerRow = rowsPerSecond === 0 ? 0 : 1000 / rowsPerSecond;
    const ownMs = this.msPerRow * parallelism;
    this.portion = ownMs === 0 ? batchRows : Math.min(batchRows, Math.ceil(PORTION_MS / ownMs));
    const position = recordOf(context.position);
    if (context.position !== undefined && position["of"] !== parallelism) throw rescaled(position["of"], parallelism);
    this.next = numberOf(position["next"]);
    this.tracker = EventTimeTracker.of(time, context, [subtask]);
  }

  /** Sends this subtask's rows [from, to). */
  protected abstract emit(output: Output<Batch>, from: number, to: number): void;

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(output: Output<Batch>): PollResult {
    const left = this.numbers.own - this.next;
    if (left <= 0) return { kind: "done" };
    const due = this.dueRows(output.nowMs, left);
    if (due > 0) {
      const from = this.next;
      this.next += due;
      this.emit(output, from, this.next);
      return { kind: "again" };
    }
    const wakeAtMs = this.dueMs(Math.min(this.portion, left));
    return { kind: "idle", wakeAtMs: Math.min(wakeAtMs, this.tracker.quiet(output) ?? wakeAtMs) };
  }

  position(): SnapshotValue {
    return { next: this.next, of: this.parallelism, time: this.tracker.snapshot() };
  }

  /** How many rows to send now: none before a whole portion is due, no more than a batch. */
  private dueRows(nowMs: number, left: number): number {
    if (this.msPerRow === 0) return Math.min(this.batchRows, left);
    this.startMs ??= nowMs - this.numbers.allBefore(this.next) * this.msPerRow;
    const portion = Math.min(this.portion, left);
    if (nowMs < this.dueMs(portion)) return 0;
    const passed = Math.floor((nowMs - this.startMs) / this.msPerRow) + 1;
    const due = this.numbers.ownBelow(passed) - this.next;
    return Math.min(Math.max(due, portion), this.batchRows, left);
  }

  /** When the last of the next `count` rows is due. */
  private dueMs(count: number): number {
    return (this.startMs ?? 0) + this.numbers.numberOf(this.next + count - 1) * this.msPerRow;
  }
}

function rescaled(before: SnapshotValue | undefined, now: number): WeirError {
  return new WeirError({
    code: "generator-rescaled",
    domain: "checkpoint",
    message: `the checkpoint was taken with ${JSON.stringify(before)} subtasks of the source, and there are ${now}`,
    hint: "restore it with the same parallelism",
  });
}
