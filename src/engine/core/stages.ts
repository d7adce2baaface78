import type { ErrorData } from "../base/errors.ts";
import type { TimeMark } from "../base/event-time.ts";
import type { Epoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";

/**
 * The three kinds of code that a task runs. A task is a chain of stages: an optional source, any number
 * of operators, an optional sink. All calls are synchronous and never concurrent (F-14).
 *
 * A batch that a stage is given may live in a ring slot: it is valid until the effects of the current
 * call are through. What a stage keeps longer it must copy (`Batch.retain`).
 */

/** Where a stage puts its output. `port` is left out where a stage has one output. */
export interface Output<B> {
  /** The run's clock, read once for this call. */
  readonly nowMs: number;
  emit(batch: B, port?: string): void;
  /**
   * Says something about time downstream. From an operator it goes out after the batches of the same call
   * (F-13) and replaces the combined time (F-19); from a source it goes out in call order (D-21).
   */
  mark(mark: TimeMark): void;
  /** The task takes no further input, and sends nothing more, before the clock reads `untilMs`. */
  delay(untilMs: number): void;
}

export type PollResult =
  /** There may be more: poll again at once (F-29). */
  | { readonly kind: "again" }
  /** Nothing to read now. Polled again after 5 ms, or at `wakeAtMs` (run clock) when that is given. */
  | { readonly kind: "idle"; readonly wakeAtMs?: number }
  /** Waits for I/O; not polled before `ready` settles. It must never reject: errors are told by the next poll. */
  | { readonly kind: "pending"; readonly ready: PromiseLike<void> }
  /** Ran dry (F-33). */
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: ErrorData };

export interface Source<B> {
  /** Called once before the first poll: the place to say idle (D-6). */
  open?(output: Output<B>): void;
  /** One turn. Output of this call is sent before the result is acted on (F-30). Should emit at most a few batches. */
  poll(output: Output<B>): PollResult;
  /** Position after the last row emitted (F-31, P-18); counts records, exact for a restore. */
  position(): SnapshotValue;
  /** Final position of a drained source, `null` when there is nothing to keep (F-33). Default: `position()`. */
  finalPosition?(): SnapshotValue;
  /** Every completed epoch, in order (F-32, F-57). */
  commit?(epoch: Epoch): void;
  /** Runs on every ending: dry, stopped, failed (F-34). */
  stop?(): void;
}

/** A snapshot that cannot be taken (F-65): the text says why. */
export interface Refusal {
  readonly refused: string;
}

/** What an operator goes on with of a state that other tasks kept, of keys that this one shares with none of the present ones (D-10). */
export interface Part<B> {
  /** For each row, or key as a row, of an input's columns: 1 where it is this task's now. */
  owns(rows: B, port: string): Uint8Array;
  /** How far the time of all that is put together had come: the least. −∞ before the first. */
  readonly watermark: number;
}

export interface Operator<B> {
  process(batch: B, port: string, output: Output<B>): void;
  /** Combined time moved to `ms`: strictly increasing (F-18). Not called for END. */
  onTime?(ms: number, output: Output<B>): void;
  /** END: every input reached the end of time (D-3). Windows fire here; forwarding END is the task's job. */
  onEnd?(output: Output<B>): void;
  /** Wall-clock heart beat, at most one per 100 ms passes through (F-26); `nowMs` never decreases (D-18). */
  onTick?(nowMs: number, output: Output<B>): void;
  /** Rows emitted here go out before the barrier (F-44). */
  onBarrier?(epoch: Epoch, output: Output<B>): void;
  /** Every input reached Eos (F-46): flush partial batches, never windows (D-4). */
  onEos?(output: Output<B>): void;
  /** A read-only picture of the state (D-7). An operator without state leaves it out. */
  snapshot?(epoch: Epoch): SnapshotValue | { readonly refusal: Refusal };
  /**
   * Called before the first input with what `snapshot` returned. With a part: once for each state that it takes something of, whose
   * keys are all different.
   */
  restore?(state: SnapshotValue, part?: Part<B>): void;
}

export type FlushResult =
  /** Everything before the barrier is durable or staged; `precommit` is what a restore needs to commit it (D-14). */
  | { readonly kind: "durable"; readonly precommit: SnapshotValue }
  /** Will be acknowledged later through the sink's `Acker` (F-45). */
  | { readonly kind: "later" }
  /** Not accepted; the rows stay with the sink for the next epoch (F-71). */
  | { readonly kind: "refused"; readonly reason: string };

export interface Sink<B> {
  write(batch: B, nowMs: number): void;
  /** Barrier: seal the open epoch (F-42, F-73). */
  flush(epoch: Epoch): FlushResult;
  /** Whether rows were written since the last accepted flush; decides about the final epoch (D-13). */
  holdsRows(): boolean;
  /** Makes every sealed epoch ≤ `epoch` visible, in order; again for the same epoch changes nothing (D-12). */
  commit(epoch: Epoch): void;
  /** Every input reached Eos; called before the final flush. */
  onEos?(): void;
  /** Runs on every ending, after the last commit that it will see; what is still staged is dropped (F-73). */
  close(): void;
  /** Called before the first input with a pre-commit state; with several, one after the other, where other tasks wrote them. */
  restore?(precommit: SnapshotValue): void;
}

/** Lets a sink acknowledge an epoch after its `flush` said `later`; carries the task's identity (F-45). */
export interface Acker {
  ack(epoch: Epoch, precommit: SnapshotValue): void;
}
