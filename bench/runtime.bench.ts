import type { Plan } from "../src/engine/index.ts";
import type { Benchmark } from "./benchmark.ts";
import type { Environment } from "./environment.ts";
import { benchPlan, type Flow, type LiveRun, withRuns } from "./live-run.ts";
import { type Effort, inTurns, pause, within } from "./measure.ts";
import { type Case, cost, measurement, ratio, spreadOf } from "./results.ts";

const STEPS = 3;
const BARRIER_EVERY_MS = 100;
const BARRIERS_A_WINDOW = 2;
const BARRIER_TURNS = 3;
/** Costs of a few percent need more turns than rates do; short ones, so that those that are compared see the same machine. */
const COST_TURNS = 6;
const COST_WINDOW = 1 / 3;

/** Source → three forward steps → sink, as real runs: what the engine itself costs a message. */
export const runtime: Benchmark = {
  name: "runtime",
  summary: "source, three steps, sink: chained or not, on pooled hosts or one a task; barriers, probes, trace",
  async *run(env, effort) {
    for (const rows of within(effort.largest.rows, [1, 64, 1024, 8192])) yield await throughput(env, effort, rows);
    for (const rows of within(effort.largest.rows, [1024, 8192])) yield await costOfBarriers(env, effort, rows);
    for (const rows of within(effort.largest.rows, [1024, 8192])) yield await costOfShowing(env, effort, rows);
    for (const hosts of ["auto", "per-task"] as const) yield await barrierLatency(env, effort, hosts);
  },
};

interface Shape {
  readonly rows: number;
  readonly batches: number;
  readonly chaining?: boolean;
  readonly hosts: "auto" | "per-task" | number;
}

function pipeline({ rows, batches, chaining = false, hosts }: Shape): Plan {
  const steps = Array.from({ length: STEPS }, (_, i) => ({
    id: `step${i}`,
    kind: "select",
    config: { columns: ["k", "ts", "v"] },
  }));
  const nodes = [
    { id: "source", kind: "bench.source", config: { keys: "text", rows, batches } },
    ...steps,
    { id: "sink", kind: "bench.sink" },
  ];
  const edges = nodes.slice(1).map(({ id }, i) => ({ id: `e${i}`, from: nodes[i]?.id, to: id }));
  return benchPlan({ settings: { barrierEveryMs: 0, chaining, hosts }, nodes, edges });
}

async function throughput(env: Environment, effort: Effort, rows: number): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const plans = {
    chained: { plan: pipeline({ rows, batches, chaining: true, hosts: "auto" }) },
    oneHost: { plan: pipeline({ rows, batches, hosts: 1 }) },
    pooled: { plan: pipeline({ rows, batches, hosts: "auto" }) },
    perTask: { plan: pipeline({ rows, batches, hosts: "per-task" }) },
  };
  return withRuns(env, effort, plans, async (runs) => {
    const rate = (live: LiveRun) => async () => (await live.measure(windowMs)).messagesPerSecond;
    const rates = await inTurns(
      {
        chained: rate(runs.chained),
        oneHost: rate(runs.oneHost),
        pooled: rate(runs.pooled),
        perTask: rate(runs.perTask),
      },
      turns,
    );
    const named = [
      ["chained into one task", rates.chained],
      ["five tasks, one host", rates.oneHost],
      ["five tasks, pooled hosts", rates.pooled],
      ["five tasks, a host each", rates.perTask],
    ] as const;
    return {
      name: rows === 1 ? "batches of 1 row" : `batches of ${rows} rows`,
      measurements: [
        ...named.map(([name, values]) => measurement(name, "messages/s", values)),
        ...(rows === 1 ? [] : named.map(([name, values]) => measurement(name, "rows/s", timesRows(values, rows)))),
      ],
      comparisons: [
        ratio("pooled to one host", rates.pooled, rates.oneHost),
        ratio("pooled to a host each", rates.pooled, rates.perTask),
      ],
    };
  });
}

const timesRows = (values: readonly number[], rows: number): number[] => values.map((value) => value * rows);

/** By CPU time where it is known: there, what else the machine does counts least. */
const efficiency = ({ rowsPerCpuSecond, rowsPerSecond }: Flow): number => rowsPerCpuSecond ?? rowsPerSecond;

async function costOfBarriers(env: Environment, effort: Effort, rows: number): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const plans = { run: { plan: pipeline({ rows, batches, hosts: "auto" }) } };
  // Several barriers fall into a window.
  const ms = BARRIERS_A_WINDOW * Math.min(windowMs, BARRIER_EVERY_MS);
  return withRuns(env, effort, plans, async ({ run: live }) => {
    const rates = await inTurns(
      {
        without: async () => efficiency(await live.measure(ms)),
        withBarriers: async () => {
          const ticker = setInterval(() => live.run.barrier(), BARRIER_EVERY_MS);
          try {
            return efficiency(await live.measure(ms));
          } finally {
            clearInterval(ticker);
          }
        },
      },
      turns * BARRIER_TURNS,
    );
    return {
      name: `a barrier every ${BARRIER_EVERY_MS} ms, five tasks, pooled hosts, batches of ${rows} rows`,
      measurements: [
        measurement("without barriers", "rows/s", rates.without),
        measurement("with barriers", "rows/s", rates.withBarriers),
      ],
      comparisons: [cost("cost of barriers", rates.without, rates.withBarriers, { atMost: 0.02 })],
    };
  });
}

async function costOfShowing(env: Environment, effort: Effort, rows: number): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const plan = pipeline({ rows, batches, hosts: 1 });
  const plans = { silent: { plan, probes: false }, probes: { plan }, timeline: { plan, trace: "timeline" } } as const;
  return withRuns(env, effort, plans, async (runs) => {
    const rate = (live: LiveRun) => async () => efficiency(await live.measure(windowMs * COST_WINDOW));
    const rates = await inTurns(
      { silent: rate(runs.silent), probes: rate(runs.probes), timeline: rate(runs.timeline) },
      turns * COST_TURNS,
    );
    return {
      name: `what it costs to show, five tasks, one host, batches of ${rows} rows`,
      measurements: [
        measurement("silent", "rows/s", rates.silent),
        measurement("probes", "rows/s", rates.probes),
        measurement("probes and timeline", "rows/s", rates.timeline),
      ],
      comparisons: [
        cost("cost of probes", rates.silent, rates.probes),
        cost("cost of the timeline", rates.probes, rates.timeline),
        cost("cost of both", rates.silent, rates.timeline, { atMost: 0.03 }),
      ],
    };
  });
}

const LATENCY_ROWS = 1024;
const BARRIERS_A_TURN = 10;

async function barrierLatency(env: Environment, effort: Effort, hosts: "auto" | "per-task"): Promise<Case> {
  const { turns, batches } = effort;
  const plan = pipeline({ rows: LATENCY_ROWS, batches, hosts });
  return withRuns(env, effort, { run: { plan, trace: "timeline" } }, async ({ run: live }) => {
    const throughTheGraph: number[] = [];
    const toCompletion: number[] = [];
    live.run.resume();
    for (let turn = 0; turn < turns; turn++) {
      const latencies = await barriersOf(live);
      throughTheGraph.push(spreadOf(latencies.throughTheGraph).median);
      toCompletion.push(spreadOf(latencies.toCompletion).median);
    }
    return {
      name: `barrier latency under full load, ${hosts === "auto" ? "pooled hosts" : "a host each"}, batches of ${LATENCY_ROWS} rows`,
      measurements: [
        measurement("source to sink", "ms", throughTheGraph),
        measurement("issued to completed", "ms", toCompletion),
      ],
      comparisons: [],
    };
  });
}

/** Issues barriers one after another; times from the source's snapshot to the sink's, and from issuing to completing. */
async function barriersOf(live: LiveRun) {
  const { run } = live;
  const sink = run.plan.tasks.length - 1;
  const [throughTheGraph, toCompletion]: [number[], number[]] = [[], []];
  for (let i = 0; i < BARRIERS_A_TURN; i++) {
    for (const timeline of run.timelines) timeline.take();
    const epoch = run.barrier();
    const record = () => run.coordinator.epochs.find((each) => each.epoch === epoch);
    while (record()?.committedMs === undefined) await pause(1);
    const { issuedMs, completedMs } = record() ?? {};
    toCompletion.push((completedMs ?? Number.NaN) - (issuedMs ?? Number.NaN));
    const snapshots = run.timelines
      .flatMap((timeline) => timeline.take())
      .filter((event) => event.kind === "snapshot" && event.epoch === epoch);
    const at = (task: number): number => snapshots.find((event) => event.task === task)?.atMs ?? Number.NaN;
    throughTheGraph.push(at(sink) - at(0));
  }
  return { throughTheGraph, toCompletion };
}
