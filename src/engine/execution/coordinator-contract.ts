import type { ErrorData } from "../base/errors.ts";
import type { Epoch, TaskId } from "../base/ids.ts";
import type { CompletedEpoch } from "../core/epoch-tracker.ts";
import type { ControlMessage } from "../core/messages.ts";

export interface CoordinatorSpec {
  readonly tasks: readonly CoordinatedTask[];
  readonly barrierEveryMs: number;
  readonly epochTimeoutMs: number;
  readonly stopTimeoutMs: number;
  readonly startEpoch: Epoch;
}

export interface CoordinatedTask {
  readonly id: TaskId;
  /** For messages: `orders · 0`. */
  readonly name: string;
  /** Heads with a source take barriers and stop; tasks with a source or a sink take commits (F-48). */
  readonly hasSource: boolean;
  readonly hasSink: boolean;
}

export type RunLife = "starting" | "running" | "paused" | "stopping" | "finished" | "stopped" | "failed" | "cancelled";

export interface RunOutcome {
  readonly kind: "finished" | "stopped" | "failed" | "cancelled";
  readonly error?: ErrorData;
}

/** What the coordinator asks its executor to do, in order. */
export type CoordinatorEffect =
  | { readonly kind: "control"; readonly task: TaskId; readonly message: ControlMessage }
  /** The run word that every task's loop reads. */
  | { readonly kind: "run-state"; readonly state: "running" | "paused" | "cancelled" }
  /** For the trace: the barrier of this epoch goes out with the controls that follow. */
  | { readonly kind: "issued"; readonly epoch: Epoch }
  /** For the trace: the epoch is durable and its commit goes out with the controls that follow. */
  | { readonly kind: "committed"; readonly epoch: Epoch }
  /** Make the epoch durable, then answer `durable` or `hookFailed`; never two at a time (F-55). */
  | { readonly kind: "complete"; readonly epoch: CompletedEpoch }
  | { readonly kind: "aborted"; readonly epoch: Epoch; readonly error: ErrorData }
  /** The tasks did not leave: end their workers. */
  | { readonly kind: "terminate" }
  | { readonly kind: "over"; readonly outcome: RunOutcome };
