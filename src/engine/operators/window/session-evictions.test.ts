import fc from "fast-check";
import { expect, it } from "vitest";
import { fuzz } from "../../testing/fuzz.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const OF = schema("k int64 not");
const GAP = 3;

interface Session {
  readonly key: number;
  start: number;
  end: number;
  count: number;
}

/** Sessions that are open, as the definition says: rows of a key that touch are one. */
class Model {
  open: Session[] = [];
  evicted = 0;

  add(rows: readonly (readonly [key: number, at: number])[], limit: number): void {
    const touched = new Set<Session>();
    for (const [key, at] of rows) {
      const met = this.open.filter((each) => each.key === key && at + GAP >= each.start && at <= each.end);
      const session: Session = {
        key,
        start: Math.min(at, ...met.map(({ start }) => start)),
        end: Math.max(at + GAP, ...met.map(({ end }) => end)),
        count: met.reduce((sum, { count }) => sum + count, 1),
      };
      this.open = [...this.open.filter((each) => !met.includes(each)), session];
      touched.add(session);
    }
    const others = this.open.filter((each) => !touched.has(each)).sort((a, b) => a.start - b.start || a.key - b.key);
    const doomed = others.slice(0, Math.max(0, this.open.length - limit));
    this.evicted += doomed.length;
    this.open = this.open.filter((each) => !doomed.includes(each));
  }
}

it("A-46: over the limit the oldest sessions by (start, key) go, but none that the batch touched, however sessions grow and merge", () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 60 }));
  const batches = fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 25, size: "max" });
  fuzz(
    fc.property(batches, fc.integer({ min: 1, max: 12 }), (all, limit) => {
      const { operator, heard } = windowOver(OF, {
        groupBy: ["k"],
        window: { kind: "session", gapMs: GAP },
        aggregates: [{ name: "n", fn: "count" }],
        maxBufferedKeys: limit,
      });
      const output = new RecordingOutput();
      const model = new Model();
      for (const rows of all) {
        const times = rows.map(([, at]) => at);
        operator.process(
          batch(
            OF,
            rows.map(([k]) => [k]),
            times,
          ),
          "in",
          output,
        );
        model.add(rows, limit);
      }
      operator.onEnd?.(output);
      expect(heard.counts.get("evicted") ?? 0).toBe(model.evicted);
      const expected = model.open.sort((a, b) => a.start - b.start || a.key - b.key);
      expect(output.rows.map(([k, , , n]) => [Number(k), Number(n)])).toEqual(
        expected.map(({ key, count }) => [key, count]),
      );
    }),
    60,
  );
});
