import { describe, expect, it } from "vitest";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const OF = schema("u uint64");

function resultsOf(values: readonly string[], aggregates: object[]): unknown[] {
  const { operator } = windowOver(OF, { window: { kind: "tumbling", sizeMs: 10 }, aggregates });
  const output = new RecordingOutput();
  const rows = values.map((value) => [value]);
  operator.process(
    batch(
      OF,
      rows,
      rows.map(() => 1),
    ),
    "in",
    output,
  );
  operator.onEnd?.(output);
  return output.rows[0]?.slice(2) ?? [];
}

describe("totals of unsigned integers (D-25)", () => {
  it("the greatest uint64 is not −1: its average is itself, and its sum does not fit", () => {
    const avg = { name: "avg", fn: "avg", column: "u" };
    expect(resultsOf(["18446744073709551615"], [avg])).toEqual([2 ** 64]);
    expect(resultsOf(["18446744073709551615", "1"], [avg])).toEqual([2 ** 63]);
    const sum = { name: "sum", fn: "sum", column: "u" };
    expect(() => resultsOf(["18446744073709551615"], [sum])).toThrow("64 bits");
    expect(resultsOf(["9223372036854775806", "1"], [sum])).toEqual([2n ** 63n - 1n]);
  });
});
