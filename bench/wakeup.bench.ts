import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, channel, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perSecond, type Variant } from "./measure.ts";
import { type Case, measurement, ratio, spreadOf } from "./results.ts";
import { RingRun } from "./ring-run.ts";

/** Looks before a sleep, as the engine's hosts do it. */
const SPINS = 40;
/** Long enough that neither side ever sleeps while the other one works. */
const MANY_SPINS = 20_000;

/** What it costs that the other side sleeps: round trips of one row, and one-row messages as fast as they go. */
export const wakeup: Benchmark = {
  name: "wakeup",
  summary: "round trip of one row between two hosts, and messages of one row as fast as they go",
  async *run(env, effort) {
    yield await withWorkers(env, 2, (workers) => roundTrips(effort, workers));
    yield await withWorkers(env, 2, (workers) => oneRowMessages(effort, workers));
  },
};

async function roundTrips({ turns, windowMs }: Effort, workers: BenchWorker[]): Promise<Case> {
  const [here, there] = workers as [BenchWorker, BenchWorker];
  const rings = new RingRun(2, 2);
  const rounds = Math.ceil(windowMs * 4);
  const byRing =
    (spins: number): Variant =>
    async () => {
      const place = rings.renew();
      const [times] = await Promise.all([
        here.do("ping", { place, host: 0, rounds, spins }),
        there.do("ping", { place, host: 1, rounds, spins }),
      ]);
      return spreadOf(times).median * 1000;
    };
  const values = await inTurns(
    {
      sleeping: byRing(0),
      usual: byRing(SPINS),
      spinning: byRing(MANY_SPINS),
      posted: async () => {
        const [port, other] = channel();
        const [times] = await Promise.all([
          here.do("call", { port, rounds }, [port]),
          there.do("echo", { port: other, rounds }, [other]),
        ]);
        return spreadOf(times).median * 1000;
      },
    },
    turns,
  );
  return {
    name: "round trip, median of a turn",
    measurements: [
      measurement("ring, asleep at once", "µs", values.sleeping),
      measurement("ring, as hosts do it", "µs", values.usual),
      measurement("ring, never asleep", "µs", values.spinning),
      measurement("postMessage", "µs", values.posted),
    ],
    comparisons: [ratio("postMessage to ring", values.posted, values.usual)],
  };
}

async function oneRowMessages({ turns, windowMs, batches }: Effort, workers: BenchWorker[]): Promise<Case> {
  const [producer, consumer] = workers as [BenchWorker, BenchWorker];
  const rings = new RingRun(1, 2);
  const shape = { rows: 1, batches };
  const rates = await inTurns(
    {
      ring: perSecond(async (count) => {
        const place = rings.renew();
        const [consumed] = await Promise.all([
          consumer.do("consume", { place, host: 0, keys: "text", inputs: [{ edge: 0, peer: 1 }] }),
          producer.do("produce", { place, edge: 0, host: 1, peer: 0, keys: "text", ...shape, count }),
        ]);
        return consumed.ms;
      }, windowMs),
      posted: perSecond(async (count) => {
        const [port, other] = channel();
        const [consumed] = await Promise.all([
          consumer.do("receive", { port: other, form: "objects", count }, [other]),
          producer.do("post", { port, form: "objects", ...shape, count }, [port]),
        ]);
        return consumed.ms;
      }, windowMs),
    },
    turns,
  );
  return {
    name: "messages of one row, one way",
    measurements: [
      measurement("ring", "messages/s", rates.ring),
      measurement("row objects by postMessage", "messages/s", rates.posted),
    ],
    comparisons: [ratio("ring to postMessage", rates.ring, rates.posted)],
  };
}
