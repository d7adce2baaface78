import type { ErrorData } from "../base/errors.ts";
import { ProbeReader } from "../core/probes.ts";
import type { Plan, PlanEdge } from "../topology/physical-plan.ts";
import type { EdgeView } from "../transport/edge.ts";
import { taskName } from "./coordinator-spec.ts";
import { probeShape } from "./probe-shape.ts";

/** Says who waits for whom in a run that can no longer move: the task and the edge, not a spinner. */
export function describeStall(plan: Plan, cells: Float64Array, viewOf: (edge: number) => EdgeView): ErrorData {
  const probes = new ProbeReader(cells, probeShape(plan));
  const waits: string[] = [];
  let node: string | undefined;
  for (const task of plan.tasks) {
    const reading = probes.task(task.id, 0);
    if (reading.state === "Sending" && reading.target !== undefined) {
      const edge = plan.edges[reading.target] as PlanEdge;
      const view = viewOf(edge.id);
      node ??= task.stages[0]?.node;
      waits.push(`${taskName(task)} waits to send on edge ${edge.edge} (${view.dataQueued}/${view.capacity} full)`);
    } else if (reading.state === "Barrier") {
      const missing = task.inEdges.filter(
        (edge) => probes.edge(edge).delivered === undefined && !probes.edge(edge).ended,
      );
      const names = missing.map((edge) => (plan.edges[edge] as PlanEdge).edge).join(", ");
      waits.push(`${taskName(task)} waits for barrier ${reading.pendingEpoch} from edge ${names}`);
    } else if (reading.state !== "Done" && reading.state !== "Failed") {
      waits.push(`${taskName(task)} is ${reading.state}`);
    }
  }
  const message = `the run stands still: ${waits.join("; ")}`;
  return {
    code: "stalled",
    domain: "engine",
    node,
    message,
    hint: "this is a fault of the engine: please report the graph",
  };
}

/** A run whose tasks all wait for each other for this long has come to a stand-still that nothing ends. */
const STALLED_MS = 10_000;

/**
 * Watches for a stand-still from outside: at least one task that cannot send, none that works, waits for the world or for a timer, and
 * not one turn taken for a while. Waiting for the world shows as Polling, so a quiet source never counts.
 */
export class StallWatch {
  private readonly plan: Plan;
  private readonly probes: ProbeReader;
  private turns = -1;
  private since = 0;

  constructor(plan: Plan, cells: Float64Array) {
    this.plan = plan;
    this.probes = new ProbeReader(cells, probeShape(plan));
  }

  /** Time that does not count: a pause, or output that nobody takes. */
  reset(nowMs: number): void {
    this.since = nowMs;
  }

  standsStill(nowMs: number): boolean {
    const readings = this.plan.tasks.map((task) => this.probes.task(task.id, nowMs));
    const turns = readings.reduce((sum, reading) => sum + reading.turns, 0);
    const moving = readings.some(({ state }) => state === "Working" || state === "Polling" || state === "Starting");
    if (turns !== this.turns || moving || !readings.some(({ state }) => state === "Sending")) {
      this.turns = turns;
      this.since = nowMs;
      return false;
    }
    return nowMs - this.since >= STALLED_MS;
  }
}
