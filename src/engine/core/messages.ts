import type { TimeMark } from "../base/event-time.ts";
import type { Epoch, TaskId } from "../base/ids.ts";

/**
 * What flows on an edge (F-12), generic over the payload: the core never opens a batch.
 *
 * A watermark carries the id of the task that says it (F-16); `mark` is a time, idle, or END (D-3).
 */
export type Message<B> =
  | { readonly kind: "data"; readonly batch: B }
  | { readonly kind: "watermark"; readonly source: TaskId; readonly mark: TimeMark }
  | { readonly kind: "barrier"; readonly epoch: Epoch }
  | { readonly kind: "tick"; readonly nowMs: number }
  | { readonly kind: "eos" };

export type MessageKind = Message<unknown>["kind"];

/** Messages that use the slots reserved for control (D-2). */
export function isControl(message: Message<unknown>): boolean {
  return message.kind !== "data";
}

/** Coordinator → task. Sources and sinks take all of them; operators only `cancel` (F-48). */
export type ControlMessage =
  | { readonly kind: "barrier"; readonly epoch: Epoch }
  | { readonly kind: "commit"; readonly epoch: Epoch }
  /** Leave at the next turn; the final barrier, if any, was sent before it (F-59, F-60). */
  | { readonly kind: "stop" }
  /** No commit will come any more: tasks that wait for one leave (F-56, F-68). */
  | { readonly kind: "close-control" };
