import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perSecond, type Variant, within } from "./measure.ts";
import { type Case, measurement, ratio } from "./results.ts";
import { RingRun } from "./ring-run.ts";

const PRODUCERS = 4;
const KEYS = "text";

/** Several rings that end at one host, which waits on one bell. */
export const fanIn: Benchmark = {
  name: "fan-in",
  summary: "four producers into one consumer, beside one producer alone",
  async *run(env, effort) {
    for (const rows of within(effort.largest.rows, [1, 1024, 8192])) {
      yield await withWorkers(env, PRODUCERS + 1, (workers) => measureSize(effort, rows, workers));
    }
  },
};

async function measureSize(effort: Effort, rows: number, workers: BenchWorker[]): Promise<Case> {
  const { batches, windowMs, turns } = effort;
  const [consumer, ...producers] = workers as [BenchWorker, ...BenchWorker[]];
  const rings = new RingRun(PRODUCERS, PRODUCERS + 1);
  /** `count` messages in all. */
  const from = (some: readonly BenchWorker[]): Variant =>
    perSecond(async (count) => {
      const place = rings.renew();
      const inputs = some.map((_, edge) => ({ edge, peer: edge + 1 }));
      const each = Math.ceil(count / some.length);
      const [consumed] = await Promise.all([
        consumer.do("consume", { place, host: 0, keys: KEYS, inputs }),
        ...some.map((producer, edge) =>
          producer.do("produce", { place, edge, host: edge + 1, peer: 0, keys: KEYS, rows, batches, count: each }),
        ),
      ]);
      return consumed.ms * (count / (consumed.messages - 1));
    }, windowMs);
  const rates = await inTurns({ one: from(producers.slice(0, 1)), four: from(producers) }, turns);
  const rowRate = (values: readonly number[]): number[] => values.map((value) => value * rows);
  return {
    name: rows === 1 ? "batches of 1 row" : `batches of ${rows} rows`,
    measurements: [
      measurement("one producer", "messages/s", rates.one),
      measurement("four producers", "messages/s", rates.four),
      ...(rows === 1 ? [] : [measurement("four producers", "rows/s", rowRate(rates.four))]),
    ],
    comparisons: [ratio("four producers to one", rates.four, rates.one)],
  };
}
