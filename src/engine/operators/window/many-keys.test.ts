import { describe, expect, it } from "vitest";
import type { Output } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { FixedColumn } from "../../data/column.ts";
import { Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { windowOver } from "../../testing/window-kit.ts";

const SCHEMA = new Schema([{ name: "k", type: typeOf("int32"), nullable: false }]);
/** More than those whose numbers are put in order; a prime. */
const KEYS = 16_411;
const ROWS = 4096;

/** Keys and counts of the results, in the order in which they came. */
class Told implements Output<Batch> {
  readonly nowMs = 0;
  private keys: number[] = [];
  private counts: number[] = [];

  emit({ columns, rowCount }: Batch): void {
    const [keys, counts] = [columns[0], columns[3]] as readonly FixedColumn[];
    for (let row = 0; row < rowCount; row++) {
      this.keys.push(keys?.values[row] as number);
      this.counts.push(counts?.values[2 * row] as number);
    }
  }

  mark(): void {}

  delay(): void {}

  take(): { keys: number[]; counts: number[] } {
    const { keys, counts } = this;
    this.keys = [];
    this.counts = [];
    return { keys, counts };
  }
}

describe("windows of many keys", () => {
  it("D-29: tell them in their order, whether keys are new, come again, or some are new among many, over windows that are open meanwhile", () => {
    const { operator } = windowOver(SCHEMA, { groupBy: ["k"], window: { kind: "tumbling", sizeMs: 10 } });
    const output = new Told();
    const feed = (keys: Int32Array, ms: number): void => {
      for (let from = 0; from < keys.length; from += ROWS) {
        const values = keys.slice(from, from + ROWS);
        const length = values.length;
        const column = {
          encoding: "fixed",
          type: typeOf("int32"),
          length,
          nullCount: 0,
          validity: null,
          values,
        } as const;
        operator.process(new Batch(SCHEMA, length, [column], new Float64Array(length).fill(ms)), "in", output);
      }
    };
    // Keys that come in no order, below and above 0.
    const keysOf = (window: number): Int32Array =>
      Int32Array.from({ length: KEYS }, (_, i) => ((i * 31 * (window + 1)) % KEYS) * 2 - KEYS);
    const fresh = Int32Array.from({ length: 300 }, (_, i) => i * 71 * 2 - KEYS + 1);
    let early = new Int32Array(0);
    for (let window = 0; window < 7; window++) {
      const keys = keysOf(window);
      const more = window >= 4 ? fresh : fresh.subarray(0, 0);
      feed(keys, 10 * window + 1);
      feed(more, 10 * window + 2);
      const counts = new Map<number, number>();
      for (const key of [...keys, ...more, ...early]) counts.set(key, (counts.get(key) ?? 0) + 1);
      // Of the next window, which is open while this one fires.
      early = keys.slice(0, 5000);
      feed(early, 10 * window + 11);
      operator.onTime?.(10 * window + 10, output);
      const expected = [...counts].sort(([a], [b]) => a - b);
      const told = output.take();
      expect(told.keys).toEqual(expected.map(([key]) => key));
      expect(told.counts).toEqual(expected.map(([, count]) => count));
    }
  });
});
