import type { EdgeId } from "../base/ids.ts";
import { EdgeLaws } from "./edge-laws.ts";
import { EpochLaws } from "./epoch-laws.ts";
import { type CheckedEdge, type CheckedPlan, type CheckedTask, LawBook, type Violation } from "./law-book.ts";
import { TaskLaws } from "./task-laws.ts";
import type { TraceEvent } from "./trace-event.ts";

export type { CheckedPlan, Violation } from "./law-book.ts";

export interface CheckOptions {
  /**
   * Whether events of different tasks stand in the order in which they happened, as in the lab. Without it only each task's own order
   * counts, as with workers. Default: true.
   */
  readonly ordered?: boolean;
  /** Tasks whose worker died: they do not finish. The list may grow while the run goes on. */
  readonly lost?: readonly number[];
}

/** Says what a trace breaks; nothing when it breaks no law. The whole trace of a run, so the end is checked too. */
export function checkTrace(plan: CheckedPlan, trace: Iterable<TraceEvent>, options: CheckOptions = {}): Violation[] {
  const checker = new InvariantChecker(plan, options);
  for (const event of trace) checker.feed(event);
  checker.finish();
  return [...checker.violations];
}

/**
 * Checks a run while it goes: feed it the trace events one by one, look at what `feed` answers. An event costs about as much as recording it, so it
 * can be asked after every step.
 */
export class InvariantChecker {
  private readonly book = new LawBook();
  private readonly edges: readonly EdgeLaws[];
  private readonly tasks: readonly TaskLaws[];
  private readonly epochs: EpochLaws;
  private readonly ordered: boolean;
  private readonly lost: readonly number[];

  constructor(plan: CheckedPlan, options: CheckOptions = {}) {
    this.ordered = options.ordered ?? true;
    this.lost = options.lost ?? [];
    this.edges = plan.edges.map((edge) => new EdgeLaws(edge.id, this.book, this.ordered, isScripted(plan, edge)));
    const lawsOf = (ids: readonly EdgeId[]) => new Map(ids.map((id) => [id, this.edges[id] as EdgeLaws]));
    const aligned = plan.settings.alignment === "aligned";
    this.tasks = plan.tasks.map((task) => {
      const outputs = plan.edges.filter((edge) => edge.from.task === task.id).map((edge) => edge.id);
      return new TaskLaws(task, this.book, lawsOf(task.inEdges), lawsOf(outputs), aligned);
    });
    this.epochs = new EpochLaws(this.book, this.tasks);
  }

  /** Everything found so far. */
  get violations(): readonly Violation[] {
    return this.book.violations;
  }

  /** Takes the next event; answers what it breaks. */
  feed(event: TraceEvent): readonly Violation[] {
    const before = this.book.violations.length;
    if (event.task === undefined) this.epochs.take(event);
    else {
      if (event.kind === "sent") this.edges[event.edge]?.send(event);
      if (event.kind === "received") this.edges[event.edge]?.receive(event);
      this.tasks[event.task]?.take(event);
      if (event.kind === "committed") this.epochs.heard(event.task, event.epoch, this.ordered);
    }
    this.book.step++;
    return this.book.violations.slice(before);
  }

  /** The run is over: everybody finished, and in a run that ended by itself everything that was sent was received. */
  finish(): readonly Violation[] {
    const before = this.book.violations.length;
    this.tasks.forEach((task, id) => {
      const over = task.finished || this.lost.includes(id);
      this.book.require(over, "F-69", () => `task ${id}: it never finished`);
    });
    const clean = this.tasks.every((task) => task.ended && !task.failed);
    for (const edge of this.edges) edge.finish(clean);
    this.epochs.finish();
    return this.book.violations.slice(before);
  }
}

/** Whether what goes on the edge comes straight from a script. */
function isScripted(plan: CheckedPlan, edge: CheckedEdge): boolean {
  const { stages } = plan.tasks[edge.from.task] as CheckedTask;
  return stages.some((stage) => stage.node === edge.from.node && stage.kind === "source.script");
}
