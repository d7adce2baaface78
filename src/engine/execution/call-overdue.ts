import type { ErrorData } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import type { PlanStage } from "../topology/physical-plan.ts";

/** The failure of a stage whose foreign code did not return in its time. */
export function callOverdue({ node, kind }: PlanStage, task: TaskId, limitMs: number): ErrorData {
  return {
    code: "call-overdue",
    domain: "task",
    node,
    task,
    message: `${kind} node ${JSON.stringify(node)} did not return within ${limitMs} ms`,
    hint: "its code does not end, or needs longer: raise timeoutMs, or lower the rows of a batch",
  };
}
