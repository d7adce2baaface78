import type { Plan } from "../topology/physical-plan.ts";
import type { Placement } from "./protocol.ts";

/**
 * Spreads tasks over hosts (architecture: placement). Tasks in plan order go to hosts in contiguous blocks of nearly equal size, so that
 * the steps of a pipeline lie side by side and its halves run in parallel.
 */
export function placeTasks(plan: Plan, cores: number): Placement {
  const count = plan.tasks.length;
  const { hosts: wanted } = plan.settings;
  const most = wanted === "per-task" ? count : wanted === "auto" ? Math.max(1, cores) : wanted;
  const hosts = Math.max(1, Math.min(most, count));
  return { hosts, hostOf: plan.tasks.map((_, i) => Math.floor((i * hosts) / count)) };
}
