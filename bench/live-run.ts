import { z } from "zod";
import {
  CATALOG,
  type Catalog,
  type KindSpec,
  type Plan,
  parseDocument,
  planOf,
  ThreadsExecutor,
  type ThreadsRun,
  type TraceMode,
} from "../src/engine/index.ts";
import { schemaOf } from "./batches.ts";
import { benchHost, type Environment } from "./environment.ts";
import { type Effort, pause } from "./measure.ts";
import type { EventsConfig } from "./worker/nexmark-events.ts";
import type { BenchSetup, CheapSourceConfig } from "./worker/stages.ts";

const cheapSource: KindSpec<CheapSourceConfig> = {
  kind: "bench.source",
  role: "source",
  group: "sources",
  title: "Cheap source",
  summary: "Goes round the same batches",
  help: "",
  config: z.strictObject({ keys: z.enum(["text", "int", "dictionary"]), rows: z.int(), batches: z.int() }),
  inputs: [],
  outputs: () => [{ name: "out", summary: "the rows" }],
  schemaFlow: ({ keys }) => ({ kind: "ok", outputs: { out: schemaOf(keys) } }),
  endless: () => true,
};

/** Nexmark events that were made before, round after round; its config is one of `source.nexmark`. */
const replaySource: KindSpec<EventsConfig> = {
  kind: "bench.nexmark",
  role: "source",
  group: "sources",
  title: "Nexmark events from memory",
  summary: "Goes round events of one stream",
  help: "",
  config: nexmarkSpec().config as KindSpec<EventsConfig>["config"],
  inputs: [],
  outputs: () => [{ name: "out", summary: "the rows" }],
  schemaFlow: (config, inputs) => nexmarkSpec().schemaFlow(config, inputs),
  hasEventTime: () => true,
  endless: () => true,
};

/** The same with all text plain, as in a file. */
const replayText: KindSpec<EventsConfig> = { ...replaySource, kind: "bench.text" };

function nexmarkSpec(): KindSpec {
  const spec = CATALOG.get("source.nexmark");
  if (spec === undefined) throw new Error("the catalog has Nexmark");
  return spec;
}

const countingSink: KindSpec = {
  kind: "bench.sink",
  role: "sink",
  group: "sinks",
  title: "Counting sink",
  summary: "Counts what comes",
  help: "",
  config: z.strictObject({}),
  inputs: [{ name: "in", many: true }],
  outputs: () => [],
  schemaFlow: () => ({ kind: "ok", outputs: {} }),
};

const BENCH_CATALOG: Catalog = new Map([
  ...CATALOG,
  [cheapSource.kind, cheapSource],
  [replaySource.kind, replaySource],
  [replayText.kind, replayText],
  [countingSink.kind, countingSink],
]);

/** The plan of a document that may use the benchmarks' own kinds. */
export function benchPlan(document: object): Plan {
  const parsed = parseDocument(JSON.stringify({ format: "weir.graph/v1", name: "benchmark", ...document }));
  if (parsed.kind === "problems") throw new Error(parsed.problems.map((problem) => problem.message).join("; "));
  return planOf(parsed.document, BENCH_CATALOG);
}

export interface LiveOptions {
  readonly trace?: TraceMode;
  readonly probes?: boolean;
}

/** How much arrived in a window. */
export interface Flow {
  readonly messagesPerSecond: number;
  readonly rowsPerSecond: number;
  /** Rows for each second of CPU that the process used; undefined where nobody tells. */
  readonly rowsPerCpuSecond: number | undefined;
}

/** More subtasks than any benchmark's sink has. */
const MOST_SINKS = 64;
const SETTLE_MS = 10;
/** A worker's code is compiled while it runs: until so many messages arrived, or the time is up, nothing is measured. */
const WARM_UP_MESSAGES = 5000;

/** An endless run on real workers, measured from outside while it goes on. */
export class LiveRun {
  readonly run: ThreadsRun;
  private readonly env: Environment;
  private readonly cells: Float64Array;

  private constructor(env: Environment, executor: ThreadsExecutor, plan: Plan, options: LiveOptions) {
    const setup: BenchSetup = {
      counts: new SharedArrayBuffer(2 * MOST_SINKS * Float64Array.BYTES_PER_ELEMENT),
      probes: options.probes ?? true,
    };
    this.env = env;
    this.cells = new Float64Array(setup.counts);
    this.run = executor.start(plan, { files: setup, trace: options.trace ?? "off" });
  }

  /** Starts a run and waits until it is warm; at least until something arrived. */
  static async start(env: Environment, executor: ThreadsExecutor, warmUpMs: number, plan: Plan, options: LiveOptions) {
    const from = performance.now();
    const live = new LiveRun(env, executor, plan, options);
    let failure: string | undefined;
    void live.run.outcome.then(({ kind, error }) => {
      failure = error?.message ?? kind;
    });
    const isWarm = ({ messages }: { readonly messages: number }): boolean =>
      messages >= WARM_UP_MESSAGES || (messages > 0 && performance.now() - from > warmUpMs);
    while (!isWarm(live.arrived())) {
      if (failure !== undefined) throw new Error(`a benchmark's run is over: ${failure}`);
      await pause(1);
    }
    return live;
  }

  /** Stands still until it is measured, so that several runs can be measured in turns. */
  rest(): void {
    this.run.pause();
  }

  /** What arrives in so many milliseconds or, if nothing does, in a few times as many; the run is set going for it. */
  async measure(ms: number): Promise<Flow> {
    this.run.resume();
    await pause(SETTLE_MS);
    const [before, cpuBefore, from] = [this.arrived(), this.env.cpuMs?.(), performance.now()];
    do await pause(ms);
    while (this.arrived().rows === before.rows);
    const [after, cpuAfter, to] = [this.arrived(), this.env.cpuMs?.(), performance.now()];
    this.run.pause();
    const rows = after.rows - before.rows;
    return {
      messagesPerSecond: ((after.messages - before.messages) / (to - from)) * 1000,
      rowsPerSecond: (rows / (to - from)) * 1000,
      rowsPerCpuSecond:
        cpuBefore === undefined || cpuAfter === undefined ? undefined : (rows / (cpuAfter - cpuBefore)) * 1000,
    };
  }

  /** Ends the run and waits until its workers are gone. */
  async end(): Promise<void> {
    this.run.cancel();
    await this.run.outcome;
  }

  private arrived(): { readonly messages: number; readonly rows: number } {
    let [messages, rows] = [0, 0];
    for (let at = 0; at < this.cells.length; at += 2) {
      messages += this.cells[at] as number;
      rows += this.cells[at + 1] as number;
    }
    return { messages, rows };
  }
}

function benchExecutor(env: Environment): ThreadsExecutor {
  return new ThreadsExecutor({ cores: env.machine.cores, spawn: () => benchHost(env) });
}

/** Starts the runs side by side, each at rest, and ends them whatever happens. */
export async function withRuns<K extends string, T>(
  env: Environment,
  { warmUpMs }: Pick<Effort, "warmUpMs">,
  plans: Readonly<Record<K, { readonly plan: Plan } & LiveOptions>>,
  use: (runs: Record<K, LiveRun>) => Promise<T>,
): Promise<T> {
  const executor = benchExecutor(env);
  const runs: [string, LiveRun][] = [];
  try {
    for (const [name, { plan, ...options }] of Object.entries<{ readonly plan: Plan } & LiveOptions>(plans)) {
      const live = await LiveRun.start(env, executor, warmUpMs, plan, options);
      live.rest();
      runs.push([name, live]);
    }
    return await use(Object.fromEntries(runs) as Record<K, LiveRun>);
  } finally {
    await Promise.all(runs.map(([, live]) => live.end()));
  }
}
