import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import type { Placement } from "./protocol.ts";

/**
 * Spreads tasks over hosts (architecture: placement). Tasks are taken lane by lane, first the first subtask of every node, and go to hosts in
 * contiguous blocks of nearly equal size: so the steps of a pipeline lie side by side and its halves run in parallel, and of parallel lanes each
 * lies whole on a host, where that is even.
 */
export function placeTasks(plan: Plan, cores: number): Placement {
  const count = plan.tasks.length;
  const { hosts: wanted } = plan.settings;
  const most = wanted === "per-task" ? count : wanted === "auto" ? Math.max(1, cores) : wanted;
  const hosts = Math.max(1, Math.min(most, count));
  // How far a subtask is among its node's, from 0 up to 1; tasks of one lane stay in plan order.
  const lane = (task: number): number => {
    const { subtask, parallelism } = plan.tasks[task] as PlanTask;
    return subtask / parallelism;
  };
  const order = plan.tasks.map((_, task) => task).sort((a, b) => lane(a) - lane(b) || a - b);
  const hostOf = new Array<number>(count).fill(0);
  order.forEach((task, place) => {
    hostOf[task] = Math.floor((place * hosts) / count);
  });
  return { hosts, hostOf };
}
