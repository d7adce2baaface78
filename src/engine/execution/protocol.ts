import type { ErrorData } from "../base/errors.ts";
import type { Attempt, EdgeId, NodeId, TaskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import type { Column } from "../data/column.ts";
import type { Field } from "../data/schema.ts";
import type { PackedPlan } from "../topology/plan-transfer.ts";
import type { TraceEvent } from "../trace/trace-event.ts";
import type { RunLayout } from "../transport/ring-layout.ts";
import type { Resumption } from "./resumption.ts";

/** How much a run records: nothing, the timeline's states and epochs in a lossy ring, or every message (for tests). */
export type TraceMode = "off" | "timeline" | "full";

/** Run's memory as it is posted: the WebAssembly memory where there is one, and its buffer. */
export interface PostedMemory {
  readonly buffer: SharedArrayBuffer;
  readonly memory: WebAssembly.Memory | undefined;
}

/** Executor → host. A host runs one attempt and is gone with it. */
export type ToHost = {
  readonly kind: "start";
  readonly host: number;
  readonly attempt: Attempt;
  readonly plan: PackedPlan;
  readonly layout: RunLayout;
  readonly memory: PostedMemory;
  readonly credit: SharedArrayBuffer;
  /** Host of every task. */
  readonly placement: readonly number[];
  /** Where the run begins; only this host's tasks. */
  readonly from: Resumption;
  readonly trace: TraceMode;
  /** Shared ring of the timeline, where `trace` is `timeline`. */
  readonly timeline: SharedArrayBuffer | undefined;
  /** `performance.timeOrigin + performance.now()` of the executor at the run's zero. */
  readonly originMs: number;
  /** What the entry needs to open files: a folder in Node, the document's attached data. */
  readonly files: unknown;
};

/** A batch as structured clone takes it. */
export interface PackedBatch {
  readonly fields: readonly Field[];
  readonly rowCount: number;
  readonly columns: readonly Column[];
  readonly eventTimes: Float64Array | null;
}

/** Host → executor. */
export type FromHost =
  /** Every task of this host is built; it waits for the run word (F-10). */
  | { readonly kind: "built" }
  | { readonly kind: "refused"; readonly error: ErrorData }
  | { readonly kind: "event"; readonly event: TaskEvent }
  | { readonly kind: "rows"; readonly node: NodeId; readonly batches: readonly PackedBatch[] }
  /** A file became visible, where files do not go to a disk: in a page. */
  | { readonly kind: "file"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "note"; readonly error: ErrorData }
  /** First rows of a batch that came on an edge, as it was asked for. */
  | { readonly kind: "sample"; readonly edge: EdgeId; readonly batch: PackedBatch }
  /** The host's own code failed: a fault of the engine. */
  | { readonly kind: "crashed"; readonly error: ErrorData }
  | { readonly kind: "trace"; readonly events: readonly TraceEvent[] }
  /** All its tasks are over; it may be ended. */
  | { readonly kind: "over" };

/** A worker as the executor sees it; Web Worker or worker_thread. */
export interface HostHandle {
  post(message: ToHost): void;
  /** Both are set before the first `post`. */
  onMessage(listener: (message: FromHost) => void): void;
  /** The worker is gone and was not ended by `end`: why, as far as it is known. Called once at most. */
  onDeath(listener: (why: string) => void): void;
  /** A fault, for lessons and tests: ends the worker without telling anybody. */
  kill(): void;
  /** Ends the worker; settles when it is gone. */
  end(): Promise<void>;
}

/** Which worker runs which tasks. */
export interface Placement {
  readonly hosts: number;
  readonly hostOf: readonly number[];
}

export function tasksOf(placement: readonly number[], host: number): TaskId[] {
  return placement.flatMap((h, task) => (h === host ? [task as TaskId] : []));
}
