import type { PlanEdge } from "../../engine/index.ts";
import type { RunFrame } from "../engine-client/run-reader.ts";
import type { RunModel } from "./run-model.ts";

/** A task that has the barrier of an epoch on some inputs and waits for it on others. */
export interface Alignment {
  readonly task: number;
  readonly epoch: number;
  /** Inputs whose barrier is here; what comes behind it is held. */
  readonly delivered: readonly PlanEdge[];
  readonly missing: readonly PlanEdge[];
  /** Messages that wait behind delivered barriers. */
  readonly held: number;
}

/** Where the barrier is that an input still owes. */
export type BarrierPlace =
  /** It stands in the ring of the edge, behind `ahead` messages, before this task. */
  | { readonly kind: "queued"; readonly edge: PlanEdge; readonly ahead: number }
  /** The task has it on some inputs and waits for others itself. */
  | { readonly kind: "aligning"; readonly task: number }
  /** The task has it, and waits for room on a full edge to send it on. */
  | { readonly kind: "unsent"; readonly task: number }
  /** The source has not taken it yet. */
  | { readonly kind: "source"; readonly task: number };

export function alignments(model: RunModel, frame: RunFrame): Alignment[] {
  const found: Alignment[] = [];
  frame.tasks.forEach(({ pendingEpoch }, task) => {
    if (pendingEpoch === undefined) return;
    const into = model.into[task] ?? [];
    const delivered = into.filter(({ id }) => frame.edges[id]?.delivered === pendingEpoch);
    const missing = into.filter(
      ({ id }) => frame.edges[id]?.delivered !== pendingEpoch && frame.edges[id]?.ended !== true,
    );
    if (delivered.length === 0 || missing.length === 0) return;
    const held = delivered.reduce((sum, { id }) => sum + (frame.edges[id]?.queued ?? 0), 0);
    found.push({ task, epoch: pendingEpoch, delivered, missing, held });
  });
  return found;
}

/** Follows the stream up from an input to the barrier that it owes. Undefined where it cannot be seen: it is just on its way. */
export function barrierPlace(
  model: RunModel,
  frame: RunFrame,
  epoch: number,
  edge: PlanEdge,
): BarrierPlace | undefined {
  const seen = new Set<number>();
  const search = (link: PlanEdge): BarrierPlace | undefined => {
    const ahead = placeInRing(frame, link, epoch);
    if (ahead !== undefined) return { kind: "queued", edge: link, ahead };
    const task = link.from.task;
    if (seen.has(task)) return undefined;
    seen.add(task);
    const { pendingEpoch, completedEpoch, state } = frame.tasks[task] ?? { completedEpoch: 0 };
    if (completedEpoch >= epoch) return state === "Sending" ? { kind: "unsent", task } : undefined;
    if (model.isSource(task)) return { kind: "source", task };
    for (const input of model.into[task] ?? []) {
      if (frame.edges[input.id]?.delivered === epoch) continue;
      const place = search(input);
      if (place !== undefined) return place;
    }
    return pendingEpoch === epoch ? { kind: "aligning", task } : undefined;
  };
  return search(edge);
}

/** Messages before the barrier of the epoch in the edge's ring. Barriers of earlier epochs come first. */
function placeInRing(frame: RunFrame, { id, to }: PlanEdge, epoch: number): number | undefined {
  const reading = frame.edges[id];
  const reader = frame.tasks[to.task];
  if (reading === undefined || reader === undefined) return undefined;
  // The reader's next barrier on this edge is that of the epoch after its last one, or after the one that it delivered.
  let next = Math.max(reader.completedEpoch, reading.delivered ?? 0) + 1;
  for (const [index, kind] of reading.kinds.entries()) {
    if (kind !== "barrier") continue;
    if (next === epoch) return index;
    next++;
  }
  return undefined;
}
