import type { TimeMark } from "../base/event-time.ts";
import type { EdgeId, Epoch } from "../base/ids.ts";
import type { EdgeLaws } from "./edge-laws.ts";
import type { CheckedTask, LawBook } from "./law-book.ts";
import { TimeBound } from "./time-bound.ts";
import type { TaskTrace } from "./trace-event.ts";

/**
 * The laws of one task: it says nothing about time that its inputs did not allow (F-17, D-3); its snapshots are consistent cuts (F-39 to
 * F-42); its commits go forward (F-57); it ends once (F-69).
 */
export class TaskLaws {
  ended = false;
  failed = false;
  finished = false;
  lastSnapshot: Epoch | undefined = undefined;
  private readonly task: CheckedTask;
  private readonly book: LawBook;
  private readonly inputs: ReadonlyMap<EdgeId, EdgeLaws>;
  private readonly outputs: ReadonlyMap<EdgeId, EdgeLaws>;
  private readonly aligned: boolean;
  private readonly bound: TimeBound;
  private readonly snapshots = new Set<Epoch>();
  private lastCommit = Number.NEGATIVE_INFINITY;
  /** Epoch whose snapshot is taken and whose barrier is not on all outputs yet. */
  private forwarding: Epoch | undefined = undefined;

  constructor(
    task: CheckedTask,
    book: LawBook,
    inputs: ReadonlyMap<EdgeId, EdgeLaws>,
    outputs: ReadonlyMap<EdgeId, EdgeLaws>,
    aligned: boolean,
  ) {
    this.task = task;
    this.book = book;
    this.inputs = inputs;
    this.outputs = outputs;
    this.aligned = aligned;
    this.bound = new TimeBound(task.inEdges);
  }

  /** Whether the epoch counts as reported: a snapshot of it, or an end before it (F-53, D-15). */
  accountsFor(epoch: Epoch): boolean {
    return this.snapshots.has(epoch) || this.ended || this.finished;
  }

  take(event: TaskTrace): void {
    this.require(!this.finished, "F-69", () => `${event.kind} after it had finished`);
    switch (event.kind) {
      case "received":
        this.received(event.edge, event);
        return;
      case "sent":
        if (event.mark !== undefined && this.task.inEdges.length > 0) this.marked(event.mark);
        this.forwarded();
        return;
      case "snapshot":
        this.snapshot(event.epoch);
        return;
      case "committed":
        this.require(
          event.epoch > this.lastCommit,
          "F-57",
          () => `commit ${event.epoch} after commit ${this.lastCommit}`,
        );
        this.lastCommit = event.epoch;
        return;
      case "ended":
        this.ended = true;
        this.allInputsEnded();
        return;
      case "failed":
        this.failed = true;
        return;
      case "finished":
        this.finished = true;
        return;
      default:
    }
  }

  private received(edge: EdgeId, event: TaskTrace & { kind: "received" }): void {
    const { forwarding } = this;
    this.require(
      forwarding === undefined,
      "F-42",
      () => `input was taken before barrier ${forwarding} was on all outputs`,
    );
    this.bound.hear(edge, event);
  }

  private marked(mark: TimeMark): void {
    const { bound } = this;
    if (mark.kind === "time") {
      this.require(mark.ms <= bound.ms, "F-17", () => `it said time ${mark.ms}, its inputs allow ${bound.ms}`);
    } else if (mark.kind === "idle") this.require(!bound.isHeld, "F-20", () => "it said idle while an input was not");
    else this.require(bound.isEnd, "D-3", () => "it said the end of time before all its inputs had");
  }

  private snapshot(epoch: Epoch): void {
    const last = this.lastSnapshot;
    this.require(last === undefined || epoch > last, "D-8", () => `snapshot ${epoch} after snapshot ${last}`);
    this.lastSnapshot = epoch;
    this.snapshots.add(epoch);
    if (this.aligned) for (const [edge, laws] of this.inputs) this.cut(edge, laws, epoch);
    this.forwarding = epoch;
    this.forwarded();
  }

  /** What was received before the snapshot is what was sent before the barrier. */
  private cut(edge: EdgeId, { received }: EdgeLaws, epoch: Epoch): void {
    const before = received.rowsBefore.get(epoch);
    if (before === undefined) {
      this.require(received.eos, "F-39", () => `snapshot ${epoch} without the barrier of edge ${edge}`);
      return;
    }
    this.require(
      before === received.rows,
      "F-40",
      () => `snapshot ${epoch} holds ${received.rows} rows of edge ${edge}, its barrier stands behind ${before}`,
    );
  }

  private forwarded(): void {
    const { forwarding } = this;
    if (forwarding === undefined) return;
    const missing = [...this.outputs.values()].some(({ sent }) => !sent.rowsBefore.has(forwarding) && !sent.eos);
    if (!missing) this.forwarding = undefined;
  }

  private allInputsEnded(): void {
    for (const [edge, { received }] of this.inputs) {
      this.require(received.eos, "F-46", () => `it ended before Eos of edge ${edge}`);
    }
  }

  private require(condition: boolean, law: string, message: () => string): void {
    if (!condition) this.book.broken(law, `task ${this.task.id}: ${message()}`);
  }
}
