import type { Benchmark } from "./benchmark.ts";
import { BenchWorker, type Environment } from "./environment.ts";
import { withRuns } from "./live-run.ts";
import { type Effort, inTurns, perSecond, warm } from "./measure.ts";
import { eventsOf, queryPlan } from "./nexmark-graphs.ts";
import { type Aim, type Case, measurement, ratio } from "./results.ts";
import type { QueryName } from "./worker/nexmark-events.ts";

const CASES: readonly (readonly [QueryName, string])[] = [
  ["channel", "bids by channel, keys of plain text: filter, shuffle, tumbling count and sum"],
  ["codes", "bids by channel, keys as codes of a dictionary"],
  ["q0", "q0, pass through"],
  ["q1", "q1, currency conversion"],
  ["q2", "q2, selection"],
  ["q5", "q5, hot items"],
  ["q7", "q7, highest bid"],
  ["q8", "q8, monitor new users"],
];

/** On two cores, by keys of text. */
const AIMS: Readonly<Record<"loop" | "rxjs" | "d2ts", Aim | undefined>> = {
  loop: { atLeast: 1.3 },
  rxjs: { atLeast: 6 },
  d2ts: { atLeast: 200 },
};

const NO_AIMS: typeof AIMS = { loop: undefined, rxjs: undefined, d2ts: undefined };

/** Rows that d2ts is given at a time: it keeps and compares all that it was given, so many more would take minutes. */
const D2TS_ROWS = 20_000;
/** So many times the usual: the code of several operators is compiled for seconds on the cores on which it runs. Everybody is warmed as long. */
const WARM_UPS = 4;
/** Batches that a loop goes through at a time until it is warm. */
const WARM_BATCHES = 16;
/** Batches that one thread goes through at least for one measurement. */
const LEAST_BATCHES = 1;

/** Nexmark queries, the same events for everybody: Weir on threads, a loop over typed arrays, RxJS, d2ts. */
export const nexmark: Benchmark = {
  name: "nexmark",
  summary: "Nexmark queries against a hand-written loop over typed arrays, RxJS and d2ts",
  async *run(env, effort) {
    const worker = new BenchWorker(env);
    try {
      for (const [query, name] of CASES) yield await compare(env, effort, worker, query, name);
    } finally {
      await worker.end();
    }
  },
};

async function compare(
  env: Environment,
  effort: Effort,
  worker: BenchWorker,
  query: QueryName,
  name: string,
): Promise<Case> {
  const { turns, windowMs, bids } = effort;
  const plans = { weir: { plan: queryPlan(query, bids) } };
  const events = eventsOf(query, bids);
  const few = eventsOf(query, Math.min(bids, D2TS_ROWS));
  return withRuns(env, effort, plans, async (runs) => {
    const rows = await worker.do("nexmarkRows", { events });
    const job = { query, events };
    const warmUpMs = WARM_UPS * effort.warmUpMs;
    await warm(warmUpMs, () => runs.weir.measure(windowMs));
    await warm(warmUpMs, () => worker.do("nexmarkLoop", { ...job, count: WARM_BATCHES }));
    await warm(warmUpMs, () => worker.do("nexmarkRxjs", { ...job, count: 1 }));
    const rate = (variant: () => number | Promise<number>, each: number) => async () => (await variant()) * each;
    const byCpu: number[] = [];
    const rates = await inTurns(
      {
        weir: async () => {
          const { rowsPerSecond, rowsPerCpuSecond } = await runs.weir.measure(windowMs);
          if (rowsPerCpuSecond !== undefined) byCpu.push(rowsPerCpuSecond);
          return rowsPerSecond;
        },
        loop: rate(
          perSecond((count) => worker.do("nexmarkLoop", { ...job, count }), windowMs, LEAST_BATCHES),
          rows.aBatch,
        ),
        rxjs: rate(
          perSecond((count) => worker.do("nexmarkRxjs", { ...job, count }), windowMs, LEAST_BATCHES),
          rows.aBatch,
        ),
        d2ts: async () => {
          const found = await worker.do("nexmarkD2ts", { query, events: few });
          return (found.rows / found.ms) * 1000;
        },
      },
      turns,
    );
    const aims = query === "channel" ? AIMS : NO_AIMS;
    return {
      name: `${name}, ${rows.all.toLocaleString("en")} different rows`,
      measurements: [
        measurement("Weir on threads", "rows/s", rates.weir),
        ...(byCpu.length === 0 ? [] : [measurement("Weir, for each second of CPU", "rows/s", byCpu)]),
        measurement("loop over typed arrays, one thread", "rows/s", rates.loop),
        measurement("RxJS, one thread", "rows/s", rates.rxjs),
        measurement("d2ts, one thread", "rows/s", rates.d2ts),
      ],
      comparisons: [
        ratio("Weir to the loop", rates.weir, rates.loop, aims.loop),
        ratio("Weir to RxJS", rates.weir, rates.rxjs, aims.rxjs),
        ratio("Weir to d2ts", rates.weir, rates.d2ts, aims.d2ts),
      ],
    };
  });
}
