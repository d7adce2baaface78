import { assert } from "../base/assert.ts";
import { type ErrorData, WeirError } from "../base/errors.ts";
import { IDLE, timeMark } from "../base/event-time.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output } from "../core/stages.ts";
import { Batch, type EventTimes } from "../data/batch.ts";
import { toEventMs } from "../data/temporal.ts";
import type { TimeConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { PartitionProgress } from "./partition-progress.ts";
import { recordOf } from "./position.ts";

export interface EventTimeOptions {
  /** `undefined`: rows have no event time, and the source says idle at its start (D-6). */
  readonly time: TimeConfig | undefined;
  /** Partitions that this subtask owns (E-4). One that was not seen yet holds time back until it is idle. */
  readonly partitions: readonly number[];
  /** What `snapshot` gave when the position was taken. */
  readonly restored?: SnapshotValue | undefined;
  readonly note?: (error: ErrorData) => void;
}

/** A stamped batch on its way out, and which partitions its rows are of. */
interface Part {
  readonly batch: Batch;
  readonly port: string | undefined;
  readonly slots: number | Int32Array;
}

/**
 * What a source does about event time: stamps its batches (D-29), follows the progress of every partition, says the
 * watermark of the source, the least progress of those that are active (A-14, A-16, D-22), and that it is idle.
 *
 * A source calls `open` at its start, `send` for every batch, `quiet` in a poll that found nothing to read, and `end` when a
 * partition ran dry. END at the end of the source is the task's to say (D-4).
 *
 * Idleness (D-6, P-11): a partition is idle when two polls at least the time-out apart, and all between them, found nothing
 * in it. Rows that could not be read while the task was blocked are found by the next poll, so a partition with rows to read is
 * never called idle, however long the task was blocked; and while the run is paused its clock stands still.
 */
export class EventTimeTracker {
  private readonly time: TimeConfig | undefined;
  private readonly note: ((error: ErrorData) => void) | undefined;
  private readonly partitions: readonly number[];
  private readonly progress: readonly PartitionProgress[];
  /** The greatest watermark said. What is forwarded never goes back (D-22). */
  private said: number | undefined = undefined;
  private saidIdle = false;

  /** Of a source, going on where its position says. */
  static of(time: TimeConfig | undefined, context: SourceContext, partitions: readonly number[]): EventTimeTracker {
    const restored = recordOf(context.position)["time"];
    return new EventTimeTracker({ time, partitions, restored, note: (error) => context.note(error) });
  }

  constructor({ time, partitions, restored, note }: EventTimeOptions) {
    this.time = time;
    this.note = note;
    this.partitions = partitions;
    const saved = recordOf(restored);
    const each = recordOf(saved["partitions"]);
    this.progress = partitions.map((partition) => new PartitionProgress(time, each[partition]));
    const said = saved["said"];
    if (typeof said === "number") this.said = said;
  }

  /** Before the first poll: what a reader of fresh edges has to know. */
  open(output: Output<Batch>): void {
    if (this.said !== undefined) output.mark(timeMark(this.said));
    if (!this.saysTime || this.partitions.length === 0) output.mark(IDLE);
    else this.advance(output);
  }

  /**
   * Stamps a batch and sends it with the watermark that follows from it: behind it, or before it (D-21).
   * `slots` tells the partition of every row, or of all rows, as its place in `partitions`.
   * @throws WeirError `event-time-overflow` and the like, naming the column
   */
  send(output: Output<Batch>, batch: Batch, slots: number | Int32Array = 0): void {
    this.sendParts(output, [{ batch: this.stamp(batch), port: undefined, slots }]);
  }

  /**
   * The same for batches that come together at several ports, all of the source's first partition: time moves when all of them are out,
   * so that none has rows behind a watermark that another one moved.
   */
  sendTogether(output: Output<Batch>, parts: readonly { readonly batch: Batch; readonly port: string }[]): void {
    this.sendParts(
      output,
      parts.map(({ batch, port }) => ({ batch: this.stamp(batch), port, slots: 0 })),
    );
  }

  private sendParts(output: Output<Batch>, parts: readonly Part[]): void {
    const before = this.time?.emit === "before";
    if (before) this.observeParts(output, parts);
    for (const { batch, port } of parts) output.emit(batch, port);
    if (!before) this.observeParts(output, parts);
  }

  private observeParts(output: Output<Batch>, parts: readonly Part[]): void {
    if (!this.saysTime) return;
    let observed = false;
    for (const { batch, slots } of parts) {
      if (batch.eventTimes === null) continue;
      this.observe(batch.eventTimes, slots);
      observed = true;
    }
    if (observed) this.advance(output);
  }

  /** The batch with the event time of its rows, NaN where it is NULL. */
  stamp(batch: Batch): Batch {
    if (this.time === undefined) return batch;
    const column = batch.column(this.time.column);
    if (column === undefined) {
      throw new WeirError({
        code: "unknown-column",
        domain: "graph",
        field: "time.column",
        message: `there is no column ${JSON.stringify(this.time.column)}`,
        hint: `the columns are ${batch.schema.names.join(", ")}`,
      });
    }
    const times = toEventMs(column, this.time.unit, this.time.column);
    return new Batch(batch.schema, batch.rowCount, batch.columns, times, batch.borrowed);
  }

  /**
   * A poll that found nothing to read, in one partition or in all. Answers when the next idle time-out is due, on the
   * run's clock, for `wakeAtMs`; `undefined` when none is.
   */
  quiet(output: Output<Batch>, slot?: number): number | undefined {
    if (!this.saysTime) return undefined;
    const timeout = this.time?.idleTimeoutMs ?? undefined;
    if (timeout === undefined) return undefined;
    const slots = slot === undefined ? this.progress.keys() : [slot];
    for (const each of slots) (this.progress[each] as PartitionProgress).quiet(output.nowMs, timeout);
    this.advance(output);
    const due = this.progress.map((each) => each.idleAt(timeout)).filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** The partition ran dry: it holds nobody's time back any more (D-3). */
  end(output: Output<Batch>, slot: number): void {
    (this.progress[slot] as PartitionProgress).end();
    if (this.saysTime) this.advance(output);
  }

  /** Progress of every partition, part of the source's position. */
  snapshot(): SnapshotValue {
    if (!this.saysTime) return null;
    const each = this.partitions.map(
      (partition, slot) => [partition, this.progress[slot]?.snapshot() ?? null] as const,
    );
    return { said: this.said ?? null, partitions: Object.fromEntries(each) };
  }

  private get saysTime(): boolean {
    return this.time !== undefined && this.time.watermark.kind !== "none";
  }

  private observe(times: EventTimes, slots: number | Int32Array): void {
    if (typeof slots === "number") {
      (this.progress[slots] as PartitionProgress).observe(times, 0, times.length);
    } else {
      assert(slots.length === times.length, "one partition a row");
      // Rows of one partition in a row are observed together.
      for (let from = 0; from < slots.length; ) {
        let to = from + 1;
        while (to < slots.length && slots[to] === slots[from]) to++;
        (this.progress[slots[from] as number] as PartitionProgress).observe(times, from, to);
        from = to;
      }
    }
    for (const each of this.progress) this.noteJump(each.takeJump());
  }

  private advance(output: Output<Batch>): void {
    let least = Number.POSITIVE_INFINITY;
    let idle = 0;
    for (const each of this.progress) {
      if (each.state === "active") least = Math.min(least, each.watermark);
      else if (each.state === "idle") idle++;
    }
    if (least === Number.POSITIVE_INFINITY) {
      // Nobody is active: the last value stays. Partitions at their end say nothing more.
      if (idle > 0 && !this.saidIdle) output.mark(IDLE);
      this.saidIdle = idle > 0;
      return;
    }
    this.saidIdle = false;
    if (!Number.isFinite(least) || (this.said !== undefined && least <= this.said)) return;
    this.said = least;
    output.mark(timeMark(least));
  }

  private noteJump(jump: number | undefined): void {
    if (jump === undefined || this.time === undefined) return;
    this.note?.({
      code: "event-time-ahead",
      domain: "data",
      field: this.time.column,
      message: `event time ${jump} ms is more than ${this.time.maxAheadMs} ms ahead of the rows before and behind it, so it did not move the watermark`,
      hint: "check the clock that wrote it, or allow a larger maxAheadMs",
    });
  }
}
