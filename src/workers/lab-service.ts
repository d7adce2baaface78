import {
  type Batch,
  type EdgeId,
  type EngineEvent,
  Lab,
  type LabFrame,
  type Plan,
  packBatch,
  packPlan,
  type RunCommand,
  type RunOutcome,
  type StartAnswer,
  type StartRequest,
  sampleOf,
  type TraceEvent,
} from "../engine/index.ts";
import { PageFiles } from "./page-files.ts";
import type { RunService } from "./run-service.ts";

/** The lab works for so long, then hears the page and shows itself. */
const SLICE_MS = 12;
const EPOCHS_TOLD = 64;
const KINDS_SHOWN = 64;
/** Trace events of a frame; the rest of a busy slice is left out of the timeline. */
const EVENTS_SHOWN = 20_000;
const TIMELINE_KINDS: ReadonlySet<string> = new Set(["state", "snapshot", "committed", "ended", "failed", "finished"]);

/**
 * A run in the lab, in this one worker and without shared memory: the same graph, the same rows. Its clock is virtual, so
 * what waits for time does not wait for long.
 */
export class LabService implements RunService {
  readonly answer: StartAnswer;
  private readonly lab: Lab;
  private readonly plan: Plan;
  private readonly tell: (event: EngineEvent) => void;
  private readonly done: Promise<void>;
  private paused = false;
  private slowMotionMs: number;
  private delivered = 0;
  private noted = 0;
  private traced = 0;
  private readonly shown = new Map<EdgeId, Batch>();

  static async start(
    plan: Plan,
    blobs: ReadonlyMap<string, Blob>,
    request: StartRequest,
    tell: (event: EngineEvent) => void,
  ): Promise<LabService> {
    const files = new PageFiles({ blobs }, (path, bytes) => tell({ kind: "file", path, bytes }));
    const lab = await Lab.create(plan, { seed: request.seed, files });
    return new LabService(plan, lab, request, tell);
  }

  private constructor(plan: Plan, lab: Lab, request: StartRequest, tell: (event: EngineEvent) => void) {
    this.plan = plan;
    this.lab = lab;
    this.tell = tell;
    this.slowMotionMs = request.slowMotionMs;
    this.answer = { kind: "started", plan: packPlan(plan), shared: undefined, cost: undefined };
    this.done = this.work();
  }

  get over(): boolean {
    return this.lab.outcome !== undefined;
  }

  command(command: RunCommand): void {
    if (command === "pause" || command === "resume") this.paused = command === "pause";
    else if (!this.over) {
      this.paused = false;
      this.lab.apply({ by: "person", kind: command });
    }
    this.show();
  }

  setSlowMotion(ms: number): void {
    this.slowMotionMs = ms;
  }

  sample(edge: EdgeId): void {
    if (!this.over) this.lab.sample(edge);
  }

  /** There are no workers here to lose: the first task of that number goes. */
  killHost(host: number): void {
    const task = this.plan.tasks[host];
    if (task !== undefined && !this.over) this.lab.apply({ by: "person", kind: "kill", task: task.id });
  }

  async discard(): Promise<void> {
    this.paused = false;
    if (!this.over) this.lab.apply({ by: "person", kind: "cancel" });
    await this.done;
  }

  private async work(): Promise<void> {
    // The page knows of the run before anything moves: a step may hold this worker for ever, and the page must end it.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    while (!this.over) {
      const until = performance.now() + SLICE_MS;
      const one = this.slowMotionMs > 0;
      let made = 0;
      if (!this.paused) await this.lab.run(() => (one ? made++ > 0 : performance.now() >= until));
      this.show();
      await new Promise<void>((resolve) => setTimeout(resolve, one ? this.slowMotionMs : 0));
    }
    this.show();
  }

  private show(): void {
    this.showRows();
    this.showSamples();
    for (; this.noted < this.lab.notes.length; this.noted++) {
      const note = this.lab.notes[this.noted];
      if (note !== undefined) this.tell({ kind: "note", note });
    }
    const { coordinator, outcome, nowMs } = this.lab;
    this.tell({ kind: "frame", frame: this.frame() });
    this.tell({
      kind: "status",
      status: {
        life: this.life(outcome),
        issued: coordinator.epoch,
        completed: coordinator.completedEpoch,
        committed: coordinator.committedEpoch,
        epochs: coordinator.epochs.slice(-EPOCHS_TOLD),
        outcome,
        nowMs,
      },
    });
  }

  private life(outcome: RunOutcome | undefined) {
    if (outcome !== undefined) return outcome.kind;
    return this.paused ? "paused" : this.lab.coordinator.state;
  }

  private showSamples(): void {
    for (const [edge, batch] of this.lab.samples) {
      if (this.shown.get(edge) === batch) continue;
      this.shown.set(edge, batch);
      this.tell({ kind: "sample", edge, batch: sampleOf(batch) });
    }
  }

  private showRows(): void {
    const fresh = this.lab.deliveries.slice(this.delivered);
    this.delivered += fresh.length;
    for (const node of new Set(fresh.map((delivery) => delivery.node))) {
      const batches = fresh.filter((delivery) => delivery.node === node).map(({ batch }) => packBatch(batch));
      this.tell({ kind: "rows", node, batches });
    }
  }

  private frame(): LabFrame {
    return {
      nowMs: this.lab.nowMs,
      cells: this.lab.cells.slice(),
      edges: this.plan.edges.map(({ id }) => {
        const view = this.lab.edge(id);
        return {
          dataQueued: view.dataQueued,
          queued: view.queued,
          messagesSent: view.messagesSent,
          rowsSent: view.rowsSent,
          kinds: view.kinds(KINDS_SHOWN),
        };
      }),
      events: this.newEvents(),
    };
  }

  private newEvents(): TraceEvent[] {
    const { trace } = this.lab;
    const from = Math.max(this.traced, trace.length - EVENTS_SHOWN);
    this.traced = trace.length;
    return trace.slice(from).filter(({ kind }) => TIMELINE_KINDS.has(kind));
  }
}
