import type { RunFrame } from "../engine-client/run-reader.ts";
import type { RunTrends } from "../engine-client/run-trends.ts";
import type { RunModel } from "./run-model.ts";

/** Where the stream is held up, told at its cause. */
export interface Pressure {
  /** Edges on which their senders wait for room. */
  readonly full: ReadonlySet<number>;
  /** Tasks that others wait for although nobody keeps them from working. */
  readonly slow: ReadonlySet<number>;
}

/**
 * An edge is full when it was so nearly all of the time, or when its sender spent this part of the time waiting for it: a sender that
 * was blocked waits until a good part of the ring is free. A sender that merely was not woken yet, over an empty ring, does not count.
 */
const FULL = 0.88;
const FILLED = 0.3;
const WAITS = 0.4;
const LATELY_MS = 500;

/**
 * A full edge is the fault of the task that reads it, unless that one waits itself: for room on a full edge of its own, or for a
 * barrier, behind which the edge is held.
 */
export function pressureOf(
  model: RunModel,
  frame: RunFrame,
  trends: Pick<RunTrends, "fill" | "target" | "shares">,
): Pressure {
  const full = new Set<number>();
  frame.tasks.forEach((_, task) => {
    const target = trends.target[task] ?? -1;
    if (target < 0 || (trends.fill[target] ?? 0) < FILLED) return;
    if (trends.shares(task, LATELY_MS).Sending >= WAITS) full.add(target);
  });
  frame.edges.forEach((_, edge) => {
    if ((trends.fill[edge] ?? 0) >= FULL) full.add(edge);
  });
  const slow = new Set<number>();
  for (const edge of full) {
    const task = model.plan.edges[edge]?.to.task;
    if (task === undefined || frame.edges[edge]?.held === true) continue;
    const state = frame.tasks[task]?.state;
    const waits = state === "Done" || state === "Failed" || (model.outOf[task] ?? []).some(({ id }) => full.has(id));
    if (!waits) slow.add(task);
  }
  return { full, slow };
}
