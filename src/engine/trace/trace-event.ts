import type { TimeMark } from "../base/event-time.ts";
import type { EdgeId, Epoch, TaskId } from "../base/ids.ts";
import type { Message, MessageKind } from "../core/messages.ts";
import type { TaskState } from "../core/probes.ts";

/** What passed over an edge, without its rows. */
export interface MessageTrace {
  readonly message: MessageKind;
  readonly rows?: number;
  readonly epoch?: Epoch;
  readonly source?: TaskId;
  readonly mark?: TimeMark;
}

/** What a task did, in the order in which it did it. `atMs`: the run's clock. */
export type TaskTrace =
  | { readonly kind: "state"; readonly state: TaskState; readonly target?: EdgeId }
  | ({ readonly kind: "sent"; readonly edge: EdgeId } & MessageTrace)
  | ({ readonly kind: "received"; readonly edge: EdgeId } & MessageTrace)
  /** The task took its snapshot of the epoch and reported it; `sink` when it is an ack. */
  | { readonly kind: "snapshot"; readonly epoch: Epoch; readonly sink: boolean }
  | { readonly kind: "committed"; readonly epoch: Epoch }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "finished" };

/** What the coordinator did. */
export type CoordinatorTrace =
  | { readonly kind: "issued"; readonly epoch: Epoch }
  | { readonly kind: "completed"; readonly epoch: Epoch }
  | { readonly kind: "aborted"; readonly epoch: Epoch }
  | { readonly kind: "commit"; readonly epoch: Epoch };

export type TraceEvent =
  | ({ readonly atMs: number; readonly task: TaskId } & TaskTrace)
  | ({ readonly atMs: number; readonly task?: undefined } & CoordinatorTrace);

export function traceOf(message: Message<{ readonly rowCount: number }>): MessageTrace {
  switch (message.kind) {
    case "data":
      return { message: "data", rows: message.batch.rowCount };
    case "watermark":
      return { message: "watermark", source: message.source, mark: message.mark };
    case "barrier":
      return { message: "barrier", epoch: message.epoch };
    default:
      return { message: message.kind };
  }
}

/** Where trace events go. `wants` is asked first, so that nothing is built for nobody. */
export interface TraceSink {
  /** Whether messages are recorded too, or only states and epochs. */
  readonly messages: boolean;
  /** Whether anything is recorded. */
  readonly on: boolean;
  record(event: TraceEvent): void;
  /** Records an event of kind `state`, which comes too often to make an object of each. */
  state(atMs: number, task: TaskId, state: TaskState, target: EdgeId | undefined): void;
}

export const NO_TRACE: TraceSink = { messages: false, on: false, record: () => undefined, state: () => undefined };

/** Keeps everything: the lab, and tests of the threads executor. */
export class FullTrace implements TraceSink {
  readonly messages = true;
  readonly on = true;
  readonly events: TraceEvent[] = [];

  record(event: TraceEvent): void {
    // Frozen, so that the keyframes of the lab share it.
    this.events.push(Object.freeze(event));
  }

  state(atMs: number, task: TaskId, state: TaskState, target: EdgeId | undefined): void {
    this.record(
      target === undefined ? { atMs, task, kind: "state", state } : { atMs, task, kind: "state", state, target },
    );
  }
}
