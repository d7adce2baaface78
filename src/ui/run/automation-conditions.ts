import type { RunStatus, TaskState } from "../../engine/index.ts";
import type { Run } from "../engine-client/run.ts";
import { alignments } from "./alignment.ts";
import type { RunModel } from "./run-model.ts";

/** What can be waited for. Of several all have to hold at one moment. */
export interface Condition {
  /** The run is in this state. */
  readonly life?: RunStatus["life"];
  /** Nothing of the run is left. */
  readonly over?: true;
  /** An epoch of this number, or a later one, is issued, complete, committed. */
  readonly epochIssued?: number;
  readonly epochCompleted?: number;
  readonly epochCommitted?: number;
  /** The sink has made at least so many rows visible. */
  readonly rows?: { readonly sink: string; readonly atLeast: number };
  /** A task of the node is in the state. */
  readonly state?: { readonly node: string; readonly state: TaskState; readonly subtask?: number };
  /** A task of the node aligns, with at least so many messages held. */
  readonly aligning?: { readonly node: string; readonly held?: number };
}

export function isMet(condition: Condition, run: Run, model: RunModel): boolean {
  const { life, over, epochIssued, epochCompleted, epochCommitted, rows, state, aligning } = condition;
  const { status } = run.state.getState();
  return (
    (life === undefined || status.life === life) &&
    (over === undefined || run.isOver) &&
    (epochIssued === undefined || status.issued >= epochIssued) &&
    (epochCompleted === undefined || status.completed >= epochCompleted) &&
    (epochCommitted === undefined || status.committed >= epochCommitted) &&
    (rows === undefined || (run.outputs.get(rows.sink)?.rowCount ?? 0) >= rows.atLeast) &&
    (state === undefined || isInState(run, model, state)) &&
    (aligning === undefined || isAligning(run, model, aligning))
  );
}

function isInState(run: Run, model: RunModel, { node, state, subtask }: NonNullable<Condition["state"]>): boolean {
  return (model.tasksOf.get(node) ?? []).some(
    ({ task }) => (subtask === undefined || task.subtask === subtask) && run.frame.tasks[task.id]?.state === state,
  );
}

function isAligning(run: Run, model: RunModel, { node, held = 0 }: NonNullable<Condition["aligning"]>): boolean {
  const tasks = new Set<number>((model.tasksOf.get(node) ?? []).map(({ task }) => task.id));
  return alignments(model, run.frame).some((found) => tasks.has(found.task) && found.held >= held);
}

export function conditionText(condition: Condition): string {
  return JSON.stringify(condition);
}
