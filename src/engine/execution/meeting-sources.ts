import type { TaskId } from "../base/ids.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import type { SourcePaces } from "../transport/source-paces.ts";

/** How far a source has come, and whether it lets others go first. */
export interface Paced {
  readonly task: TaskId;
  /** Event time of a source that could go on at once, or as soon as there is room; `undefined` for any other. */
  readonly pace: number | undefined;
  yields: boolean;
}

/**
 * The source tasks whose rows meet in steps that wait for event time, such as windows and joins, in groups of two or more; no task is in two of
 * them. Rows of one that is ahead of the others would only wait there, as state.
 */
export function meetingSources(plan: Plan): TaskId[][] {
  let groups: Set<TaskId>[] = [];
  for (const task of plan.tasks) {
    if (!task.stages.some((stage) => stage.waitsForTime)) continue;
    const met = sourcesOf(plan, task);
    const apart = groups.filter((group) => [...met].every((source) => !group.has(source)));
    for (const group of groups) if (!apart.includes(group)) for (const source of group) met.add(source);
    groups = [...apart, met];
  }
  return groups.filter((group) => group.size > 1).map((group) => [...group].sort((a, b) => a - b));
}

/** Sources upstream of a task. */
function sourcesOf(plan: Plan, task: PlanTask): Set<TaskId> {
  const seen = new Set([task]);
  // What is added is gone through as well.
  for (const { inEdges } of seen) {
    for (const edge of inEdges) seen.add(plan.tasks[plan.edges[edge]?.from.task as TaskId] as PlanTask);
  }
  return new Set([...seen].filter(({ inEdges }) => inEdges.length === 0).map(({ id }) => id));
}

/** Bursts that a source may be ahead of one on another host, so that neither waits for each burst of the other. */
const HEAD_START = 2;

/** Sources of one host that meet, with those on other hosts that they meet. Those that are ahead let the one that is behind go first. */
export class Meeting {
  private readonly here: readonly Paced[];
  private readonly elsewhere: readonly TaskId[];
  private readonly paces: SourcePaces;
  /** What was told of those that are here, and how far each came with its last burst. */
  private readonly told: (number | undefined)[];
  private readonly steps: number[];

  constructor(here: readonly Paced[], elsewhere: readonly TaskId[], paces: SourcePaces) {
    this.here = here;
    this.elsewhere = elsewhere;
    this.paces = paces;
    this.told = here.map(() => undefined);
    this.steps = here.map(() => 0);
  }

  /** Decides who yields. */
  look(): void {
    const { here, steps } = this;
    const least = this.leastHere();
    const leastElsewhere = this.leastElsewhere();
    for (let i = 0; i < here.length; i++) {
      const source = here[i] as Paced;
      const { pace } = source;
      const most = Math.min(least, leastElsewhere + HEAD_START * (steps[i] as number));
      source.yields = pace !== undefined && pace > most;
    }
  }

  /** Tells the other hosts how far those here have come. Answers whether that is news. */
  tell(): boolean {
    if (this.elsewhere.length === 0) return false;
    const { here, told, steps } = this;
    let isNews = false;
    for (let i = 0; i < here.length; i++) {
      const { task, pace } = here[i] as Paced;
      const before = told[i];
      if (pace === before) continue;
      if (pace !== undefined && before !== undefined) steps[i] = Math.max(0, pace - before);
      told[i] = pace;
      this.paces.tell(task, pace);
      isNews = true;
    }
    return isNews;
  }

  private leastHere(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { pace } of this.here) if (pace !== undefined) least = Math.min(least, pace);
    return least;
  }

  private leastElsewhere(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const task of this.elsewhere) least = Math.min(least, this.paces.of(task) ?? Number.POSITIVE_INFINITY);
    return least;
  }
}
