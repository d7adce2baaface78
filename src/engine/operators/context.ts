import type { Clock } from "../base/clock.ts";
import type { ErrorData } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";
import type { EdgeId, NodeId, TaskId } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Sockets } from "../base/sockets.ts";
import type { Acker, Operator, Sink, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { TurnMemory } from "../data/turn-memory.ts";

/** Counters of a subtask, shown in the page and the report (D-32). */
export type CounterName = "late" | "bad" | "routed" | "evicted" | "errors";

/** What a stage is told when it is built on the worker that owns it (F-9, E-5). */
export interface StageContext {
  readonly node: NodeId;
  readonly task: TaskId;
  readonly subtask: number;
  readonly parallelism: number;
  /** Schema by input port; empty for sources. */
  readonly inputs: Readonly<Record<string, Schema>>;
  /** Schema by output port; empty for sinks. */
  readonly outputs: Readonly<Record<string, Schema>>;
  readonly inEdges: readonly { readonly edge: EdgeId; readonly from: TaskId; readonly port: string }[];
  readonly clock: Clock;
  readonly files: FileStore;
  /** Connections to the world; `undefined` in the lab, where there are none. */
  readonly sockets?: (() => Promise<Sockets>) | undefined;
  /** Memory for batches that go out while the call lasts, borrowed; `undefined` in the lab, where every batch is kept. */
  readonly memory?: TurnMemory | undefined;
  count(counter: CounterName, by?: number): void;
  /**
   * Runs code that may never return. On a worker of its own its time is watched from outside (`KindSpec.callLimitMs`); elsewhere it is broken
   * off here, where that can be done.
   *
   * @throws WeirError `call-overdue`
   */
  foreignCode<T>(run: () => T, limitMs: number): T;
  /** A warning for the person, at most a few kept per node: a sample of a bad row, a late misfit of a guessed schema. */
  note(error: ErrorData): void;
}

export interface SourceContext extends StageContext {
  /** Position to continue from; `undefined` starts at the beginning. */
  readonly position: SnapshotValue | undefined;
}

export interface SinkContext extends StageContext {
  readonly acker: Acker;
  /** First epoch that this run issues, for part names and D-14. */
  readonly firstEpoch: number;
  /** Committed rows of `sink.table`, or all rows of an at-least-once one, for the page and the command line. */
  deliver(batch: Batch): void;
}

/** Builders run before any task starts; a throw fails the start, naming the node (F-10, E-6). May be async (lazy formats, opening files). */
export type SourceBuilder = (config: never, context: SourceContext) => Source<Batch> | Promise<Source<Batch>>;
export type OperatorBuilder = (config: never, context: StageContext) => Operator<Batch> | Promise<Operator<Batch>>;
export type SinkBuilder = (config: never, context: SinkContext) => Sink<Batch> | Promise<Sink<Batch>>;
