import { describe, expect, it } from "vitest";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const OF = schema("v float64");
const AGGREGATES = [
  { name: "var", fn: "var", column: "v" },
  { name: "stddev", fn: "stddev", column: "v" },
];

/** Of one window; each value a millisecond after the one before, and with a session in parts that are merged. */
function spreadOf(window: object, values: readonly number[], order = values.map((_, i) => i)): unknown[] {
  const { operator } = windowOver(OF, { window, aggregates: AGGREGATES });
  const output = new RecordingOutput();
  for (const i of order) operator.process(batch(OF, [[values[i] as number]], [i]), "in", output);
  operator.onEnd?.(output);
  return output.rows[0]?.slice(2) ?? [];
}

describe("the spread of values (D-24, D-25)", () => {
  const tumbling = { kind: "tumbling", sizeMs: 10 };
  const session = { kind: "session", gapMs: 1 };

  it("of finite numbers that are further apart than a float64 is infinite, in any order, and never negative", () => {
    for (const values of [
      [1e308, -1e308],
      [-1e308, 1e308, 0],
      [0, 1e308, 5, -1.7e308],
    ]) {
      expect(spreadOf(tumbling, values)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
      const inward = [0, values.length - 1, ...values.slice(1, -1).map((_, i) => i + 1)];
      expect(spreadOf(session, values, inward)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    }
  });

  it("with an infinity or NaN among them is NaN", () => {
    for (const odd of [Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(spreadOf(tumbling, [1, odd, 3])).toEqual([Number.NaN, Number.NaN]);
      expect(spreadOf(session, [odd, 2, 3], [0, 2, 1])).toEqual([Number.NaN, Number.NaN]);
    }
  });
});
