import type { EdgeId, NodeId, TaskId } from "../base/ids.ts";

/** What a run did against a law of semantics.md. */
export interface Violation {
  /** `F-6`, `D-3`. */
  readonly law: string;
  /** Index in the trace of the event that shows it; the length of the trace when it is seen at the end. */
  readonly atStep: number;
  readonly message: string;
}

/** The part of a plan that the laws speak of; a `Plan` is one. */
export interface CheckedPlan {
  readonly settings: { readonly alignment: "aligned" | "none" };
  readonly tasks: readonly CheckedTask[];
  readonly edges: readonly CheckedEdge[];
}

export interface CheckedTask {
  readonly id: TaskId;
  readonly inEdges: readonly EdgeId[];
  readonly stages: readonly {
    readonly node: NodeId;
    readonly kind: string;
    readonly role: "source" | "operator" | "sink";
  }[];
}

export interface CheckedEdge {
  readonly id: EdgeId;
  readonly from: { readonly task: TaskId; readonly node: NodeId };
  readonly to: { readonly task: TaskId };
}

/** Where checks write what they find. */
export class LawBook {
  /** Events fed so far: where the one that is being looked at stands. */
  step = 0;
  readonly violations: Violation[] = [];

  broken(law: string, message: string): void {
    this.violations.push({ law, atStep: this.step, message });
  }

  require(condition: boolean, law: string, message: () => string): void {
    if (!condition) this.broken(law, message());
  }
}
