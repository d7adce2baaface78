import type { TaskId } from "../base/ids.ts";
import type { CoordinatedTask } from "./coordinator-contract.ts";

/** Which tasks of a run are still there, and who hears which control word (F-48). */
export class TaskRoll {
  private readonly tasks: readonly CoordinatedTask[];
  private readonly over = new Set<TaskId>();
  private readonly gone = new Set<TaskId>();

  constructor(tasks: readonly CoordinatedTask[]) {
    this.tasks = tasks;
  }

  /** Its inputs are done (D-15). */
  ended(task: TaskId): void {
    this.over.add(task);
  }

  finished(task: TaskId): void {
    this.over.add(task);
    this.gone.add(task);
  }

  isFinished(task: TaskId): boolean {
    return this.gone.has(task);
  }

  get allFinished(): boolean {
    return this.gone.size === this.tasks.length;
  }

  /** Sources that take barriers and stop: those that have not ended (F-37). */
  get sources(): TaskId[] {
    return this.tasks.filter((task) => task.hasSource && !this.over.has(task.id)).map((task) => task.id);
  }

  /** Tasks that take commits: sources and sinks that are still there. */
  get committers(): TaskId[] {
    return this.unfinished.filter((task) => task.hasSource || task.hasSink).map((task) => task.id);
  }

  get unfinished(): CoordinatedTask[] {
    return this.tasks.filter((task) => !this.gone.has(task.id));
  }

  nameOf(id: TaskId): string {
    return this.tasks.find((task) => task.id === id)?.name ?? `task ${id}`;
  }
}
