import fc from "fast-check";
import { expect, it } from "vitest";
import type { CellValue } from "../../testing/batch-values.ts";
import { fuzz } from "../../testing/fuzz.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const OF = schema("k int32, v utf8, w int64");
const AGGREGATES = ["first", "last"].map((fn) => ({ name: fn, fn, column: "v" }));

type Row = readonly [key: number, value: string | null, other: number, time: number];

/** What the window says of each key when the rows come in batches of some size. */
function told(rows: readonly Row[], batchRows: number): CellValue[][] {
  const { operator } = windowOver(OF, {
    groupBy: ["k"],
    window: { kind: "tumbling", sizeMs: 100 },
    aggregates: AGGREGATES,
  });
  const output = new RecordingOutput();
  for (let from = 0; from < rows.length; from += batchRows) {
    const part = rows.slice(from, from + batchRows);
    const cells = part.map(([k, v, w]) => [k, v, w]);
    operator.process(
      batch(
        OF,
        cells,
        part.map(([, , , time]) => time),
      ),
      "in",
      output,
    );
  }
  operator.onEnd?.(output);
  return output.rows.map(([k, , , first, last]) => [k, first, last] as CellValue[]);
}

it("D-27: first and last of rows of few times are the same in any order and in batches of any size", () => {
  const row = fc.tuple(
    fc.integer({ min: 0, max: 2 }),
    fc.option(fc.constantFrom("a", "b", "ab", "ä")),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 2 }),
  );
  const cases = fc
    .array(row, { minLength: 30, maxLength: 80 })
    .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
  fuzz(
    fc.property(cases, fc.constantFrom(3, 20, 1000), ([rows, shuffled], size) => {
      expect(told(shuffled, size)).toEqual(told(rows, 1));
    }),
    20,
  );
});
