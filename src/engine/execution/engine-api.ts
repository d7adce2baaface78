import type { ErrorData } from "../base/errors.ts";
import type { EdgeId, Epoch, NodeId } from "../base/ids.ts";
import type { MessageKind } from "../core/messages.ts";
import type { SchemaConfig } from "../operators/catalog.ts";
import type { GraphPlace } from "../topology/document-before.ts";
import type { PackedPlan } from "../topology/plan-transfer.ts";
import type { Problem } from "../topology/problem.ts";
import type { TraceEvent } from "../trace/trace-event.ts";
import type { PlanCost, RunLayout } from "../transport/ring-layout.ts";
import type { RunLife, RunOutcome } from "./coordinator.ts";
import type { EpochRecord } from "./epoch-ledger.ts";
import type { PackedBatch } from "./protocol.ts";

/**
 * What a page says to the worker that coordinates its runs, and what it hears. Plain data and shared memory only, so that all of it can be
 * posted. One run at a time.
 */
export interface StartRequest {
  /** Text of the document. */
  readonly document: string;
  /** Files by the path that the document uses; attached data comes with the document. */
  readonly files: ReadonlyMap<string, Blob>;
  /** `threads` needs shared memory; `lab` runs the same graph in one worker without it. */
  readonly executor: "threads" | "lab";
  readonly seed: number;
  readonly slowMotionMs: number;
}

export type StartAnswer =
  | {
      readonly kind: "started";
      readonly plan: PackedPlan;
      /** What the page reads once a frame; undefined in the lab, which tells `LabFrame`s instead. */
      readonly shared: SharedRun | undefined;
      readonly cost: PlanCost | undefined;
    }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** The graph is right, but it cannot be run here: no memory for its edges. */
  | { readonly kind: "failed"; readonly error: ErrorData };

export interface SharedRun {
  readonly memory: SharedArrayBuffer;
  readonly layout: RunLayout;
  /** One for each worker. */
  readonly timelines: readonly SharedArrayBuffer[];
  /** Worker of every task. */
  readonly hostOf: readonly number[];
  /** `performance.timeOrigin + performance.now()` at the run's zero. */
  readonly originMs: number;
}

/** Probes and edges of a run without shared memory, as they were a moment ago. */
export interface LabFrame {
  readonly nowMs: number;
  readonly cells: Float64Array;
  readonly edges: readonly LabEdge[];
  /** What the timeline shows: states and epochs since the frame before. */
  readonly events: readonly TraceEvent[];
}

export interface LabEdge {
  readonly dataQueued: number;
  readonly queued: number;
  readonly messagesSent: number;
  readonly rowsSent: number;
  readonly kinds: readonly MessageKind[];
}

export interface RunStatus {
  readonly life: RunLife;
  readonly issued: Epoch;
  readonly completed: Epoch;
  readonly committed: Epoch;
  /** The newest epochs, oldest first. */
  readonly epochs: readonly EpochRecord[];
  readonly outcome: RunOutcome | undefined;
  /** The run's clock. */
  readonly nowMs: number;
}

export type EngineEvent =
  /** With `othersFrom` the epochs of the status are those that changed; others from that one on are as they were told before. */
  | { readonly kind: "status"; readonly status: RunStatus; readonly othersFrom?: Epoch }
  | { readonly kind: "rows"; readonly node: NodeId; readonly batches: readonly PackedBatch[] }
  | { readonly kind: "note"; readonly note: ErrorData }
  /** First rows of a batch that came on an edge, as `sample` asked for them. */
  | { readonly kind: "sample"; readonly edge: EdgeId; readonly batch: PackedBatch }
  /** A file sink made a file visible. */
  | { readonly kind: "file"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "frame"; readonly frame: LabFrame };

export type RunCommand = "barrier" | "pause" | "resume" | "stop" | "cancel";

/** Served by the coordinator's worker. */
export interface EngineApi {
  start(request: StartRequest, tell: (event: EngineEvent) => void): Promise<StartAnswer>;
  command(command: RunCommand): void;
  setSlowMotion(ms: number): void;
  /** Asks for rows of the next batch that is taken from the edge. One edge at a time. */
  sample(edge: EdgeId): void;
  /** A fault for lessons and tests: ends the worker that runs the task, as a crash would. */
  killHost(host: number): void;
  /** First rows at a place of the graph, read by the real decoder and made by the real steps, without running the graph. */
  preview(request: PreviewRequest): Promise<PreviewAnswer>;
  /** Columns of the files whose sources leave them out. */
  columns(request: ColumnsRequest): Promise<ColumnsAnswer>;
}

export interface ColumnsRequest {
  readonly document: string;
  readonly files: ReadonlyMap<string, Blob>;
}

export interface ColumnsAnswer {
  /** By node id. */
  readonly columns: ReadonlyMap<string, SchemaConfig>;
  /** Files that could not be read. */
  readonly problems: readonly Problem[];
}

export interface PreviewRequest {
  readonly document: string;
  readonly files: ReadonlyMap<string, Blob>;
  readonly place: GraphPlace;
  readonly rows: number;
}

export type PreviewAnswer =
  | { readonly kind: "rows"; readonly batches: readonly PackedBatch[]; readonly notes: readonly ErrorData[] }
  | { readonly kind: "refused"; readonly problems: readonly (Problem | ErrorData)[] };
