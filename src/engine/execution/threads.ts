import { type Attempt, attempt } from "../base/ids.ts";
import { probeBytes } from "../core/probes.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { allocateTimeline } from "../trace/timeline.ts";
import { DeliveryCredit } from "../transport/delivery-credit.ts";
import { layoutRun, type PlanCost, planCost, type RunLayout } from "../transport/ring-layout.ts";
import { allocateRunMemory, prefault, type RunMemory, resetRun } from "../transport/run-memory.ts";
import { batchBytesOf } from "./batch-bytes.ts";
import { placeTasks } from "./placement.ts";
import { probeShape } from "./probe-shape.ts";
import type { HostHandle, Placement } from "./protocol.ts";
import { FRESH } from "./resumption.ts";
import type { RunOptions } from "./run-options.ts";
import { ThreadsRun } from "./threads-run.ts";

export interface ThreadsOptions {
  /** Starts a worker. It may be asked for several at once. */
  readonly spawn: (host: number) => HostHandle;
  /** Number of cores, for `hosts: "auto"`. */
  readonly cores: number;
}

/** Memory that a plan's edges take in this executor. @throws WeirError `ring-budget-too-small` */
export function memoryCost(plan: Plan, cores: number): PlanCost {
  return planCost(layoutOf(plan, placeTasks(plan, cores)));
}

/**
 * The threads executor: real workers, real parallelism. One object runs any number of runs, one after another or at once; ring memory is
 * kept between runs, because the first touch of fresh memory costs milliseconds a MiB.
 */
export class ThreadsExecutor {
  private readonly options: ThreadsOptions;
  private readonly idleMemory: RunMemory[] = [];
  private attempts = 0;

  constructor(options: ThreadsOptions) {
    this.options = options;
  }

  /**
   * Starts a run. It reports its own failures, the start's included, as its outcome (F-10).
   * @throws WeirError where the run cannot be laid out at all: `ring-budget-too-small`, `no-shared-memory`, `out-of-memory`
   */
  start(plan: Plan, options: RunOptions): ThreadsRun {
    const placement = placeTasks(plan, this.options.cores);
    const layout = layoutOf(plan, placement);
    const memory = this.takeMemory(layout);
    const number: Attempt = attempt(++this.attempts);
    resetRun(memory.buffer, layout, number);
    return new ThreadsRun({
      plan,
      options,
      placement,
      layout,
      memory,
      attempt: number,
      from: options.from ?? FRESH,
      credit: DeliveryCredit.allocate(),
      timelines: Array.from({ length: options.trace === "timeline" ? placement.hosts : 0 }, allocateTimeline),
      spawn: this.options.spawn,
      giveBack: () => this.idleMemory.push(memory),
    });
  }

  /** Lets the kept memory go. */
  release(): void {
    this.idleMemory.length = 0;
  }

  private takeMemory({ totalBytes: bytes, rings }: RunLayout): RunMemory {
    const fits = this.idleMemory.findIndex((memory) => memory.buffer.byteLength >= bytes);
    const kept = fits < 0 ? undefined : this.idleMemory.splice(fits, 1)[0];
    if (kept !== undefined) return kept;
    // Smaller memory of earlier runs would only pile up.
    this.idleMemory.length = 0;
    const memory = allocateRunMemory(bytes);
    const last = rings.at(-1);
    prefault(memory.buffer, last === undefined ? bytes : last.data.offset + last.data.bytes);
    return memory;
  }
}

function layoutOf(plan: Plan, { hosts, hostOf }: Placement): RunLayout {
  const shuffles = plan.tasks.filter((task) => task.routes.some((route) => route.kind === "shuffle"));
  const batchBytes = batchBytesOf(plan);
  return layoutRun({
    kernelHosts: [...new Set(shuffles.map((task) => hostOf[task.id] as number))],
    edges: plan.edges.map(({ id, capacity }) => ({ id, capacity, batchBytes: batchBytes(id) })),
    hosts,
    ringBudgetMiB: plan.settings.ringBudgetMiB,
    probeBytes: probeBytes(probeShape(plan)),
    pacedTasks: plan.tasks.length,
  });
}
