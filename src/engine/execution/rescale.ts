import { END, IDLE } from "../base/event-time.ts";
import type { StageProgress } from "../core/effects.ts";
import { type VnodeRange, vnodeRanges } from "../core/vnodes.ts";
import { CATALOG } from "../operators/catalog.ts";
import type { CheckpointNode, StageState } from "../state/checkpoint.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import { routeOf } from "./planned-nodes.ts";
import type { Share, StageStart } from "./resumption.ts";

const UNKNOWN: StageProgress = { fired: undefined, said: undefined };

/** Whether a node with state can go on with another number of subtasks (D-10): where keys tell whose a state is, or one subtask has it all. */
export function mayRescale({ kind }: Pick<CheckpointNode, "kind">): boolean {
  const spec = CATALOG.get(kind);
  return spec?.role !== "source" || spec.readsAlone === true;
}

/** Where a stage is: a place in a task of a plan. */
interface StagePlace {
  readonly plan: Plan;
  readonly task: PlanTask;
  readonly place: number;
}

/** What a stage goes on with: the state of its subtask, or where there are others now, its share of theirs. */
export function stageStart(saved: CheckpointNode, at: StagePlace): StageStart {
  const { subtask, parallelism, stages } = at.task;
  const { subtasks } = saved;
  if (subtasks.length === parallelism || subtasks.every(({ state }) => state === null)) {
    const same = subtasks.length === parallelism ? subtasks[subtask] : undefined;
    return { states: statesOf(same === undefined ? [] : [same]), time: same?.time ?? UNKNOWN, share: undefined };
  }
  switch (stages[at.place]?.role) {
    case "operator":
      return shareOf(subtasks, at);
    case "sink":
      // A sealed part can be committed by anybody.
      return {
        states: statesOf(subtasks.filter((_, i) => i % parallelism === subtask)),
        time: UNKNOWN,
        share: undefined,
      };
    default:
      return { states: statesOf(subtasks.slice(subtask, subtask + 1)), time: UNKNOWN, share: undefined };
  }
}

function shareOf(subtasks: readonly StageState[], { plan, task, place }: StagePlace): StageStart {
  const { vnodes } = plan.settings;
  const [from, to] = vnodeRanges(vnodes, task.parallelism)[task.subtask] as VnodeRange;
  const ranges = vnodeRanges(vnodes, subtasks.length);
  const parts = subtasks.filter((_, i) => {
    const [start, end] = ranges[i] as VnodeRange;
    return start < to && from < end;
  });
  const columns: Record<string, readonly string[]> = {};
  if (place === 0) {
    for (const edge of task.inEdges) columns[plan.edges[edge]?.to.port ?? ""] = routeOf(plan, edge).columns;
  }
  const share: Share = { vnodes, from, to, columns };
  return { states: statesOf(parts), time: leastOf(parts.map(({ time }) => time)), share };
}

const statesOf = (subtasks: readonly StageState[]): Uint8Array[] =>
  subtasks.flatMap(({ state }) => (state === null ? [] : [state]));

/** The time of tasks that become one: the least of them (D-10, P-19). */
function leastOf(times: readonly StageProgress[]): StageProgress {
  const fired = times.map((time) => time.fired);
  const least = fired.includes(undefined) ? undefined : Math.min(...(fired as number[]));
  const open = times.filter(({ said }) => said?.kind !== "end");
  if (open.length === 0) return { fired: least, said: END, saidMs: times[0]?.saidMs };
  const said = open.map(({ saidMs }) => saidMs);
  if (said.includes(undefined)) return { fired: least, said: undefined };
  const saidMs = Math.min(...(said as number[]));
  if (open.every((time) => time.said?.kind === "idle")) return { fired: least, said: IDLE, saidMs };
  return { fired: least, said: { kind: "time", ms: saidMs }, saidMs };
}
