import type { ErrorData } from "../base/errors.ts";
import type { TimeMark } from "../base/event-time.ts";
import type { EdgeId, Epoch, TaskId } from "../base/ids.ts";
import type { Message } from "./messages.ts";

/** What the machine asks the runner to do, in order. */
export type Effect<B> =
  | { readonly kind: "send"; readonly edge: EdgeId; readonly message: Message<B> }
  | { readonly kind: "report"; readonly event: TaskEvent }
  /** Nothing that follows may happen before the clock reads `untilMs`. */
  | { readonly kind: "delay"; readonly untilMs: number }
  /** The task is over: close its edges. Not `clean`: without Eos (F-35, F-64). */
  | { readonly kind: "finish"; readonly clean: boolean };

/** State of one stage of a task at a barrier: encoded bytes (null: stateless), and how far its time had come. */
export interface StageSnapshot {
  readonly state: Uint8Array | null;
  readonly time: StageProgress;
}

export interface StageProgress {
  /** Combined time that the stage had fired. */
  readonly fired: number | undefined;
  /** What it last said downstream. */
  readonly said: TimeMark | undefined;
  /** The last time that it said, which an idle one keeps (D-3). */
  readonly saidMs?: number | undefined;
}

export interface TaskSnapshot {
  readonly stages: readonly StageSnapshot[];
}

/** Task → coordinator. */
export type TaskEvent =
  /** A source, an operator, or any chained task: one per epoch, and no ack (F-31, F-42, F-72). */
  | { readonly kind: "snapshot"; readonly task: TaskId; readonly epoch: Epoch; readonly snapshot: TaskSnapshot }
  /** A task that is a sink alone: durable, with its pre-commit snapshot (F-45, D-14). */
  | { readonly kind: "ack"; readonly task: TaskId; readonly epoch: Epoch; readonly snapshot: TaskSnapshot }
  /** A sink did not take over the rows of this epoch, which therefore cannot complete; a later one may (F-45, D-8). */
  | { readonly kind: "refused"; readonly task: TaskId; readonly epoch: Epoch; readonly reason: string }
  /** A source ran dry, with its final position (F-33). */
  | { readonly kind: "drained"; readonly task: TaskId; readonly snapshot: TaskSnapshot }
  /**
   * The inputs are done and every epoch is reported; the task may still wait for a commit (D-15). `snapshot`: its state at the end, which belongs to every
   * epoch that it does not report: windows that a stop left open, rows that are staged (D-4, D-13). Null where `drained` told it.
   */
  | { readonly kind: "ended"; readonly task: TaskId; readonly snapshot: TaskSnapshot | null }
  | { readonly kind: "failed"; readonly task: TaskId; readonly error: ErrorData }
  /** The task is gone; CPU in milliseconds, null where nobody keeps the ledger (F-69, F-82). */
  | { readonly kind: "finished"; readonly task: TaskId; readonly cpuMs: number | null };
