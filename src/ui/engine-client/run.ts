import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type Batch,
  type EdgeId,
  type EngineEvent,
  type ErrorData,
  type Plan,
  type PlanCost,
  probeShape,
  type RunCommand,
  type RunOutcome,
  type RunStatus,
  type StartAnswer,
  type StartRequest,
  unpackBatch,
  unpackPlan,
} from "../../engine/index.ts";
import type { EngineWorker } from "./engine-worker.ts";
import { withNews } from "./known-epochs.ts";
import { LabWatch } from "./lab-watch.ts";
import { LabReader, type RunFrame, type RunReader, SharedReader } from "./run-reader.ts";
import { RunTimelines } from "./run-timelines.ts";
import { RunTrends } from "./run-trends.ts";
import { SinkOutput } from "./sink-output.ts";
import { TimeHistory } from "./time-history.ts";

/** What changes seldom enough to be told by messages. */
export interface RunState {
  readonly status: RunStatus;
  /** The newest ones, oldest first. */
  readonly notes: readonly TimedNote[];
  /** All that came. */
  readonly noteCount: number;
  /** Files that sinks made visible, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** By edge: the newest rows that were asked for. */
  readonly samples: ReadonlyMap<EdgeId, Sample>;
}

/** First rows of a batch that was taken from an edge. */
export interface Sample {
  /** The run's clock. */
  readonly atMs: number;
  readonly batch: Batch;
}

export interface TimedNote {
  readonly atMs: number;
  readonly note: ErrorData;
}

const NOTES_KEPT = 500;

const STARTING: RunStatus = {
  life: "starting",
  issued: 0 as RunStatus["issued"],
  completed: 0 as RunStatus["completed"],
  committed: 0 as RunStatus["committed"],
  epochs: [],
  outcome: undefined,
  nowMs: 0,
};

type Begun = Extract<StartAnswer, { kind: "started" }>;

/** A run as its page sees it, while it goes on and after. */
export class Run {
  readonly plan: Plan;
  readonly executor: StartRequest["executor"];
  readonly cost: PlanCost | undefined;
  /** Worker of every task; undefined in the lab. */
  readonly hostOf: readonly number[] | undefined;
  readonly state: StoreApi<RunState>;
  /** Of the sinks that show rows, by node. */
  readonly outputs: ReadonlyMap<string, SinkOutput>;
  readonly timelines: RunTimelines;
  readonly trends: RunTrends;
  readonly history: TimeHistory;
  /** Settles when nothing of the run is left. Never rejects. */
  readonly over: Promise<RunOutcome>;
  /** As of the last `look`. */
  frame: RunFrame;
  private readonly reader: RunReader;
  private readonly worker: EngineWorker;
  private readonly watch: LabWatch | undefined;
  private settle: (outcome: RunOutcome) => void = () => undefined;

  constructor(answer: Begun, executor: StartRequest["executor"], worker: EngineWorker) {
    this.plan = unpackPlan(answer.plan);
    this.executor = executor;
    this.cost = answer.cost;
    this.worker = worker;
    const shape = probeShape(this.plan);
    this.hostOf = answer.shared?.hostOf;
    this.timelines = new RunTimelines(this.plan, answer.shared);
    this.reader =
      answer.shared === undefined ? new LabReader(this.plan, shape) : new SharedReader(this.plan, shape, answer.shared);
    this.frame = this.reader.read();
    this.trends = new RunTrends(shape, this.plan);
    this.history = new TimeHistory(this.plan);
    this.outputs = outputsOf(this.plan);
    this.state = createStore<RunState>(() => ({
      status: STARTING,
      notes: [],
      noteCount: 0,
      files: new Map(),
      samples: new Map(),
    }));
    this.over = new Promise((resolve) => {
      this.settle = resolve;
    });
    if (executor === "lab") this.watch = new LabWatch(this.plan, (error) => worker.end(error));
    void worker.gone.then((error) => this.end({ kind: "failed", error }));
  }

  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /** Undefined while the run goes on. */
  get outcome(): RunOutcome | undefined {
    return this.state.getState().status.outcome;
  }

  /** The run's clock: of the lab, the virtual one. */
  get nowMs(): number {
    return this.frame.nowMs;
  }

  /** Reads everything anew; called once a frame while the run goes on. */
  look(): void {
    if (this.isOver) return;
    this.frame = this.reader.read();
    this.timelines.take();
    this.history.see(this.frame);
    this.trends.sample(this.frame, performance.now());
  }

  command(command: RunCommand): void {
    if (!this.isOver) void this.worker.call((api) => api.command(command)).catch(() => undefined);
  }

  setSlowMotion(ms: number): void {
    if (!this.isOver) void this.worker.call((api) => api.setSlowMotion(ms)).catch(() => undefined);
  }

  /** Asks for rows of the next batch that is taken from the edge; `samples` gets them. */
  sample(edge: EdgeId): void {
    if (!this.isOver) void this.worker.call((api) => api.sample(edge)).catch(() => undefined);
  }

  /** Ends the worker as a crash would. */
  killHost(host: number): void {
    if (!this.isOver) void this.worker.call((api) => api.killHost(host)).catch(() => undefined);
  }

  /** @internal What the engine tells of this run. */
  hear(event: EngineEvent): void {
    if (this.isOver) return;
    this.watch?.heard();
    switch (event.kind) {
      case "status":
        this.hearStatus(event.status, event.othersFrom);
        return;
      case "rows":
        for (const each of this.outputs.get(event.node)?.add(event.batches) ?? []) {
          this.history.addResults(this.nowMs, each);
        }
        return;
      case "note":
        this.addNote(event.note);
        return;
      case "sample": {
        const sample = { atMs: this.nowMs, batch: unpackBatch(event.batch) };
        this.state.setState(({ samples }) => ({ samples: new Map(samples).set(event.edge, sample) }));
        return;
      }
      case "file":
        this.state.setState(({ files }) => ({ files: new Map(files).set(event.path, event.bytes) }));
        return;
      case "frame":
        if (this.reader instanceof LabReader) this.reader.hear(event.frame);
        this.timelines.add(event.frame.events);
        return;
    }
  }

  /** @internal Another run takes its memory: what it shows is what it last read. */
  replace(): void {
    this.end({ kind: "cancelled" });
  }

  private hearStatus(told: RunStatus, othersFrom: number | undefined): void {
    const known = this.state.getState().status.epochs;
    const status = othersFrom === undefined ? told : { ...told, epochs: withNews(known, told.epochs, othersFrom) };
    if (status.outcome === undefined) this.state.setState({ status });
    else this.end(status.outcome, status);
  }

  private addNote(note: ErrorData): void {
    const timed = { atMs: this.nowMs, note };
    this.state.setState(({ notes, noteCount }) => ({
      notes: [...notes.slice(Math.max(0, notes.length + 1 - NOTES_KEPT)), timed],
      noteCount: noteCount + 1,
    }));
  }

  /** The memory of a run that is over goes to the next one: it is looked at once more, and never again (D-9). */
  private end(outcome: RunOutcome, last?: RunStatus): void {
    if (this.isOver) return;
    this.watch?.stop();
    this.look();
    this.reader.freeze();
    this.frame = this.reader.read();
    for (const output of this.outputs.values()) output.tellNow();
    this.state.setState(({ status }) => {
      const known = last ?? { ...status, nowMs: this.frame.nowMs };
      return { status: { ...known, life: outcome.kind, outcome } };
    });
    this.settle(outcome);
  }
}

function outputsOf(plan: Plan): Map<string, SinkOutput> {
  const sinks = plan.tasks.flatMap(({ stages }) => stages.filter((stage) => stage.role === "sink"));
  const shown = sinks.filter(({ kind }) => kind === "sink.table" || kind === "sink.log");
  return new Map(shown.map((stage) => [stage.node, new SinkOutput(stage)]));
}
