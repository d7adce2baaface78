import {
  type EdgeId,
  type EngineEvent,
  memoryCost,
  type Plan,
  packBatch,
  packPlan,
  type RunCommand,
  type RunOutcome,
  type StartAnswer,
  type StartRequest,
  type ThreadsExecutor,
  type ThreadsRun,
} from "../engine/index.ts";
import { EpochNews } from "./epoch-news.ts";
import { RowsOutbox } from "./rows-outbox.ts";
import type { RunService } from "./run-service.ts";

/** Status goes out at most this often; the page reads probes by itself. */
const STATUS_EVERY_MS = 50;
const EPOCHS_TOLD = 64;

/** A run on Web Workers. */
export class LiveService implements RunService {
  readonly answer: StartAnswer;
  private readonly run: ThreadsRun;
  private readonly tell: (event: EngineEvent) => void;
  private readonly rows: RowsOutbox;
  private readonly epochNews = new EpochNews();
  private outcome: RunOutcome | undefined = undefined;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(
    executor: ThreadsExecutor,
    plan: Plan,
    blobs: ReadonlyMap<string, Blob>,
    request: StartRequest,
    tell: (event: EngineEvent) => void,
  ) {
    this.tell = tell;
    this.rows = new RowsOutbox(tell);
    this.run = executor.start(plan, {
      files: { blobs },
      trace: "timeline",
      onRows: (node, batch) => this.rows.add(node, packBatch(batch)),
      onNote: (note) => tell({ kind: "note", note }),
      onSample: (edge, batch) => tell({ kind: "sample", edge, batch: packBatch(batch) }),
      onFile: (path, bytes) => tell({ kind: "file", path, bytes }),
    });
    if (request.slowMotionMs > 0) this.run.slowMotionMs = request.slowMotionMs;
    this.run.onChange(() => this.schedule());
    void this.run.outcome.then((outcome) => {
      this.outcome = outcome;
      this.tellStatus();
    });
    this.answer = {
      kind: "started",
      plan: packPlan(plan),
      shared: this.run.shared,
      cost: memoryCost(plan, navigator.hardwareConcurrency),
    };
  }

  get over(): boolean {
    return this.outcome !== undefined;
  }

  command(command: RunCommand): void {
    this.run[command]();
    this.tellStatus();
  }

  setSlowMotion(ms: number): void {
    this.run.slowMotionMs = ms;
  }

  sample(edge: EdgeId): void {
    this.run.sample(edge);
  }

  killHost(host: number): void {
    this.run.killHost(host);
  }

  async discard(): Promise<void> {
    this.run.cancel();
    await this.run.outcome;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.tellStatus(), STATUS_EVERY_MS);
  }

  private tellStatus(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // The rows of an epoch come before the news that it is committed.
    void this.rows.flush();
    const { coordinator, nowMs } = this.run;
    const epochs = coordinator.epochs.slice(-EPOCHS_TOLD);
    const oldest = epochs[0]?.epoch;
    this.tell({
      kind: "status",
      ...(oldest !== undefined && { othersFrom: oldest }),
      status: {
        life: coordinator.state,
        issued: coordinator.epoch,
        completed: coordinator.completedEpoch,
        committed: coordinator.committedEpoch,
        epochs: this.epochNews.take(epochs),
        outcome: this.outcome,
        nowMs,
      },
    });
  }
}
