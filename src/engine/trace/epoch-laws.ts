import type { Epoch } from "../base/ids.ts";
import type { LawBook } from "./law-book.ts";
import type { TaskLaws } from "./task-laws.ts";
import type { CoordinatorTrace } from "./trace-event.ts";

/** The laws of a run's epochs: issued and completed in order and without gaps (F-48, F-50), committed when everybody reported (F-55). */
export class EpochLaws {
  private readonly book: LawBook;
  private readonly tasks: readonly TaskLaws[];
  private readonly open = new Set<Epoch>();
  private readonly completed: Epoch[] = [];
  private readonly aborted = new Set<Epoch>();
  private readonly committed = new Set<Epoch>();
  private readonly checkLater = new Set<Epoch>();
  private greatest: number | undefined = undefined;
  private traced = false;

  constructor(book: LawBook, tasks: readonly TaskLaws[]) {
    this.book = book;
    this.tasks = tasks;
  }

  take(event: CoordinatorTrace): void {
    this.traced = true;
    const { epoch } = event;
    switch (event.kind) {
      case "issued": {
        const last = this.greatest;
        this.require(
          last === undefined || epoch === last + 1,
          "F-48",
          () => `epoch ${epoch} was issued after epoch ${last}`,
        );
        this.greatest = Math.max(epoch, last ?? epoch);
        this.open.add(epoch);
        return;
      }
      case "aborted":
        this.require(this.open.delete(epoch), "D-8", () => `epoch ${epoch} was given up, but it was not out`);
        this.aborted.add(epoch);
        return;
      case "completed":
        this.complete(epoch);
        return;
      case "commit":
        this.commit(epoch);
        return;
    }
  }

  /** A task heard the commit of an epoch. */
  heard(task: number, epoch: Epoch, ordered: boolean): void {
    const known = !this.traced || this.committed.has(epoch);
    this.require(known, "F-55", () => `task ${task} committed epoch ${epoch}, the coordinator did not`);
    if (ordered) this.accounted(epoch);
    else this.checkLater.add(epoch);
  }

  finish(): void {
    for (const epoch of this.checkLater) this.accounted(epoch);
  }

  private complete(epoch: Epoch): void {
    const last = this.completed[this.completed.length - 1];
    this.require(last === undefined || epoch > last, "F-50", () => `epoch ${epoch} completed after epoch ${last}`);
    this.require(!this.aborted.has(epoch), "D-8", () => `epoch ${epoch} completed after it was given up`);
    this.open.delete(epoch);
    for (const earlier of this.open) {
      this.require(earlier > epoch, "F-50", () => `epoch ${epoch} completed before epoch ${earlier}`);
    }
    this.completed.push(epoch);
    // A sink seals its last epoch without a barrier (D-13).
    this.greatest = Math.max(epoch, this.greatest ?? epoch);
    this.accounted(epoch);
  }

  private commit(epoch: Epoch): void {
    const next = this.completed.find((completed) => !this.committed.has(completed));
    this.require(
      epoch === next,
      "F-57",
      () => `epoch ${epoch} was committed, ${next ?? "none"} is the next completed one`,
    );
    this.committed.add(epoch);
    this.accounted(epoch);
  }

  private accounted(epoch: Epoch): void {
    this.tasks.forEach((task, id) => {
      this.require(
        task.accountsFor(epoch),
        "F-55",
        () => `epoch ${epoch} went ahead of task ${id}, which had not reported it`,
      );
    });
  }

  private require(condition: boolean, law: string, message: () => string): void {
    this.book.require(condition, law, message);
  }
}
