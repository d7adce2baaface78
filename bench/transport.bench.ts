import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, channel, type Environment, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perSecond, type Variant, within } from "./measure.ts";
import { type Case, measurement, ratio } from "./results.ts";
import { RingRun } from "./ring-run.ts";
import type { Form } from "./worker/messages.ts";

const KEYS = "text";

/**
 * Batches from one worker to another: over the ring, as an Arrow IPC stream and as row objects by `postMessage`, and next to them a
 * bare copy of the same bytes to shared memory.
 */
export const transport: Benchmark = {
  name: "transport",
  summary: "one producer, one consumer: the ring, Arrow IPC and row objects by postMessage, bare memcpy",
  async *run(env, effort) {
    for (const rows of within(effort.largest.rows, [1024, 8192, 65_536])) {
      yield await withWorkers(env, 2, (workers) => measureSize(env, effort, rows, workers));
    }
  },
};

async function measureSize(env: Environment, effort: Effort, rows: number, workers: BenchWorker[]): Promise<Case> {
  const [producer, consumer] = workers as [BenchWorker, BenchWorker];
  const rings = new RingRun(1, 2);
  const target = new SharedArrayBuffer(rings.bytesOf(0));
  const { batches, windowMs, turns } = effort;
  const shape = { keys: KEYS, rows, batches } as const;
  const byMessage = (form: Form): Variant =>
    perSecond(async (count) => {
      const [here, there] = channel();
      const [consumed] = await Promise.all([
        consumer.do("receive", { port: there, form, count }, [there]),
        producer.do("post", { port: here, form, rows, batches, count }, [here]),
      ]);
      return consumed.ms * (count / (count - 1));
    }, windowMs);
  const rates = await inTurns(
    {
      memcpy: perSecond((count) => producer.do("copyBatches", { ...shape, target, count }), windowMs),
      ring: perSecond(async (count) => {
        const place = rings.renew();
        const [consumed] = await Promise.all([
          consumer.do("consume", { place, host: 0, keys: KEYS, inputs: [{ edge: 0, peer: 1 }] }),
          producer.do("produce", { place, edge: 0, host: 1, peer: 0, ...shape, count }),
        ]);
        return consumed.ms * (count / (count - 1));
      }, windowMs),
      ipc: byMessage("ipc"),
      objects: byMessage("objects"),
    },
    turns,
  );
  const rowRate = (values: number[]): number[] => values.map((value) => value * rows);
  const bytes = await producer.do("batchBytes", shape);
  return {
    name: `batches of ${rows} rows, ${Math.round(bytes / rows)} bytes a row`,
    measurements: [
      measurement("bare memcpy into shared memory", "rows/s", rowRate(rates.memcpy)),
      measurement("ring, read in place, probes on", "rows/s", rowRate(rates.ring)),
      measurement("Arrow IPC stream by postMessage", "rows/s", rowRate(rates.ipc)),
      measurement("row objects by structured clone", "rows/s", rowRate(rates.objects)),
    ],
    comparisons: [
      ratio(
        "ring to memcpy",
        rates.ring,
        rates.memcpy,
        rows === 8192 && env.name === "node" ? { atLeast: 0.35 } : undefined,
      ),
      ratio("ring to Arrow IPC", rates.ring, rates.ipc, { atLeast: env.name === "node" ? 4 : 12 }),
      ratio("ring to row objects", rates.ring, rates.objects, { atLeast: 80 }),
    ],
  };
}
