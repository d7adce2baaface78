import type { EdgeId, NodeId, TaskId } from "../base/ids.ts";
import type { Schema } from "../data/schema.ts";

/**
 * The physical plan: tasks and edges with their numbers. A pure function of the document (with its schemas resolved), so every
 * worker that builds the same graph gets the same ids (F-4).
 */
export interface Plan {
  readonly tasks: readonly PlanTask[];
  readonly edges: readonly PlanEdge[];
  readonly settings: PlanSettings;
  /** Hash of everything that a move list depends on (D-51). */
  readonly fingerprint: string;
}

/** Settings of the document with defaults filled in. */
export interface PlanSettings {
  readonly edgeCapacity: number;
  readonly barrierEveryMs: number;
  readonly vnodes: number;
  readonly alignment: "aligned" | "none";
  readonly epochTimeoutMs: number;
  readonly stopTimeoutMs: number;
  readonly ringBudgetMiB: number;
  readonly chaining: boolean;
  readonly hosts: "auto" | "per-task" | number;
  readonly retainedCheckpoints: number;
}

/** One node's part in a task. A chained task has several (source? operators* sink?). */
export interface PlanStage {
  readonly node: NodeId;
  /** What the person calls the node, where that is not its id. */
  readonly name?: string | undefined;
  readonly kind: string;
  readonly role: "source" | "operator" | "sink";
  /** Whether its results wait for event time, and rows that are ahead wait there with them. */
  readonly waitsForTime?: true | undefined;
  /** As parsed by the kind's schema, defaults filled in. */
  readonly config: unknown;
  readonly inputs: Readonly<Record<string, Schema>>;
  readonly outputs: Readonly<Record<string, Schema>>;
}

export interface PlanTask {
  readonly id: TaskId;
  readonly subtask: number;
  readonly parallelism: number;
  readonly stages: readonly PlanStage[];
  /** Physical edges into the first stage, in edge-id order. */
  readonly inEdges: readonly EdgeId[];
  /** Routes out of this task, in declaration order (F-4). The link between chained stages is no route. */
  readonly routes: readonly PlanRoute[];
}

export interface PlanRoute {
  /** Index into `stages` of the stage whose output goes along this route. */
  readonly stage: number;
  readonly port: string;
  readonly kind: "forward" | "shuffle" | "broadcast" | "rebalance";
  /** Shuffle columns; none: every row is vnode 0 (F-75). */
  readonly columns: readonly string[];
  /** Id of the document's edge. */
  readonly edge: string;
  readonly targets: readonly PlanTarget[];
}

export interface PlanTarget {
  readonly edge: EdgeId;
  readonly task: TaskId;
  /** vnodes [from, to) that the target owns (F-77); the whole range where the route is no shuffle. */
  readonly vnodes: readonly [from: number, to: number];
}

export interface PlanEdge {
  readonly id: EdgeId;
  /** Id of the document's edge. */
  readonly edge: string;
  readonly from: { readonly task: TaskId; readonly node: NodeId; readonly port: string };
  readonly to: { readonly task: TaskId; readonly node: NodeId; readonly port: string };
  readonly capacity: number;
  readonly schema: Schema;
}
