import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import type { CellValue } from "../../testing/batch-values.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

/** Windows against a model that knows nothing of slots, pages or accumulators: it keeps all rows of a group and computes at the end. */

const OF = schema("key utf8, i int64, f float64, t utf8, n int32");
const AGGREGATES = [
  { name: "rows", fn: "count" },
  { name: "i_count", fn: "count", column: "i" },
  { name: "i_sum", fn: "sum", column: "i" },
  { name: "i_min", fn: "min", column: "i" },
  { name: "f_max", fn: "max", column: "f" },
  { name: "t_min", fn: "min", column: "t" },
  { name: "n_avg", fn: "avg", column: "n" },
  { name: "n_sum", fn: "sum", column: "n" },
  { name: "t_distinct", fn: "count_distinct", column: "t" },
  { name: "i_first", fn: "first", column: "i" },
  { name: "t_last", fn: "last", column: "t" },
  { name: "n_var", fn: "var", column: "n" },
];

interface Row {
  readonly key: string | null;
  readonly i: bigint | null;
  readonly f: number | null;
  readonly t: string | null;
  readonly n: number | null;
  readonly ts: number;
}
type Step = { readonly rows: readonly Row[] } | { readonly watermark: number };

const cellsOf = ({ key, i, f, t, n }: Row): unknown[] => [key, i, f === null || Number.isNaN(f) ? f && "NaN" : f, t, n];

const row = (times: fc.Arbitrary<number>): fc.Arbitrary<Row> =>
  fc.record({
    key: fc.option(fc.constantFrom("a", "b", "ü", ""), { freq: 6 }),
    i: fc.option(fc.oneof(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), fc.bigInt({ min: -3n, max: 3n }))),
    f: fc.option(fc.constantFrom(0, 1.5, -2, 1e300, 3)),
    t: fc.option(fc.constantFrom("x", "y", "", "zz", "é")),
    n: fc.option(fc.integer({ min: -5, max: 5 })),
    ts: times,
  });

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);
const least = <T extends bigint | number | string>(values: readonly T[]): T | null =>
  values.reduce<T | null>((best, value) => (best === null || value < best ? value : best), null);

/** Results of a group, but for first and last, whose ties need the encoding of rows. */
function resultsOf(rows: readonly Row[]): CellValue[] {
  const i = known(rows.map((each) => each.i));
  const f = known(rows.map((each) => each.f));
  const t = known(rows.map((each) => each.t));
  const n = known(rows.map((each) => each.n));
  const total = n.reduce((sum, value) => sum + value, 0);
  const mean = total / n.length;
  const squares = n.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [
    BigInt(rows.length),
    BigInt(i.length),
    i.length === 0 ? null : i.reduce((sum, value) => sum + value, 0n),
    least(i),
    f.length === 0 ? null : Math.max(...f),
    least(t),
    n.length === 0 ? null : mean,
    n.length === 0 ? null : BigInt(total),
    BigInt(new Set(t).size),
    firstOf(
      rows.filter((each) => each.i !== null),
      1,
    )?.i ?? null,
    firstOf(
      rows.filter((each) => each.t !== null),
      -1,
    )?.t ?? null,
    n.length < 2 ? null : squares / (n.length - 1),
  ];
}

/** Times are distinct in these tests. */
const firstOf = (rows: readonly Row[], sign: number): Row | undefined =>
  [...rows].sort((a, b) => sign * (a.ts - b.ts))[0];

const rounded = (value: CellValue): CellValue => (typeof value === "number" ? Number(value.toPrecision(9)) : value);

/** Last result of each key and window, sorted. */
function finalOf(rows: readonly CellValue[][], updates: boolean): string[] {
  const last = new Map<string, string>();
  for (const each of rows) {
    const values = updates ? each.slice(0, -1) : each;
    last.set(`${each[0] === null ? "NULL" : JSON.stringify(each[0])} ${each[1]} ${each[2]}`, text(values.slice(3)));
  }
  return [...last].map(([key, value]) => `${key}: ${value}`).sort();
}

const text = (values: readonly CellValue[]): string => values.map((value) => String(rounded(value))).join("|");

function run(config: object, steps: readonly Step[], size: number, snapshots: boolean): RecordingOutput {
  let { operator } = windowOver(OF, config);
  const output = new RecordingOutput();
  for (const step of steps) {
    if ("watermark" in step) operator.onTime?.(step.watermark, output);
    else {
      for (let from = 0; from < step.rows.length; from += size) {
        const part = step.rows.slice(from, from + size);
        operator.process(
          batch(
            OF,
            part.map(cellsOf),
            part.map(({ ts }) => ts),
          ),
          "in",
          output,
        );
      }
    }
    if (!snapshots) continue;
    const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
    operator = windowOver(OF, config).operator;
    operator.restore?.(taken);
  }
  operator.onEnd?.(output);
  return output;
}

/** Steps with distinct times and a watermark that only grows; rows may come behind it. */
const steps: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.array(row(fc.constant(0)), { maxLength: 6 }), fc.integer({ min: 0, max: 12 })), { maxLength: 8 })
  .chain((parts) => {
    const count = parts.reduce((sum, [rows]) => sum + rows.length, 0);
    const times = fc.uniqueArray(fc.integer({ min: -30, max: 60 }), { minLength: count, maxLength: count });
    return times.map((all) => {
      let at = 0;
      let watermark = -30;
      return parts.flatMap(([rows, ahead]): Step[] => {
        watermark += ahead;
        return [{ rows: rows.map((each) => ({ ...each, ts: all[at++] as number })) }, { watermark }];
      });
    });
  });

const grid = fc
  .record({
    size: fc.integer({ min: 1, max: 15 }),
    slide: fc.integer({ min: 1, max: 15 }),
    offset: fc.integer({ min: -4, max: 4 }),
  })
  .filter(({ size, slide }) => slide <= size);

/** D-20 row by row. */
function model(of: { size: number; slide: number; offset: number }, lateness: number, all: readonly Step[]): string[] {
  const groups = new Map<string, Row[]>();
  let watermark = Number.NEGATIVE_INFINITY;
  for (const step of all) {
    if ("watermark" in step) {
      watermark = step.watermark;
      continue;
    }
    for (const each of step.rows) {
      for (let start = each.ts - of.size; start <= each.ts; start++) {
        const inGrid = (((start - of.offset) % of.slide) + of.slide) % of.slide === 0;
        const end = start + of.size;
        if (!inGrid || each.ts < start || each.ts >= end || !(watermark < end || watermark <= end + lateness)) continue;
        const name = `${each.key === null ? "NULL" : JSON.stringify(each.key)} ${start} ${end}`;
        groups.set(name, [...(groups.get(name) ?? []), each]);
      }
    }
  }
  return [...groups].map(([name, rows]) => `${name}: ${text(resultsOf(rows))}`).sort();
}

const SEED = 20_240;

describe("windows by a model (property)", () => {
  it("D-20, D-24: tumbling and sliding windows, dropped and corrected, at every batch size, restored after every step", () => {
    const config = fc.record({ grid, lateness: fc.option(fc.integer({ min: 0, max: 20 })) });
    fc.assert(
      fc.property(config, steps, fc.constantFrom(1, 3, 1000), fc.boolean(), (of, all, size, snapshots) => {
        const { lateness } = of;
        const window = { kind: "sliding", sizeMs: of.grid.size, slideMs: of.grid.slide, offsetMs: of.grid.offset };
        const late = lateness === null ? {} : { late: "update", allowedLatenessMs: lateness };
        const output = run({ groupBy: ["key"], window, aggregates: AGGREGATES, ...late }, all, size, snapshots);
        expect(finalOf(output.rows, lateness !== null)).toEqual(model(of.grid, lateness ?? -1, all));
      }),
      { seed: SEED, numRuns: 120 },
    );
  });

  it("D-28: sessions of rows in time, whatever their order, at every batch size, restored after every step", () => {
    const config = fc.record({ gap: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(config, steps, fc.constantFrom(1, 3, 1000), fc.boolean(), (of, all, size, snapshots) => {
        const inTime = promised(all);
        const window = { kind: "session", gapMs: of.gap };
        const output = run({ groupBy: ["key"], window, aggregates: AGGREGATES }, inTime, size, snapshots);
        const rows = inTime.flatMap((step) => ("rows" in step ? step.rows : []));
        const found = finalOf(output.rows, false);
        expect(found).toEqual(sessions(rows, of.gap));
        expect(output.rows).toHaveLength(found.length);
      }),
      { seed: SEED, numRuns: 120 },
    );
  });
});

/** The same rows, each watermark lowered to what the rows behind it allow. */
function promised(all: readonly Step[]): Step[] {
  let least = Number.POSITIVE_INFINITY;
  const kept: Step[] = [];
  for (const step of [...all].reverse()) {
    if ("rows" in step) {
      least = Math.min(least, ...step.rows.map(({ ts }) => ts));
      kept.push(step);
    } else kept.push({ watermark: Math.min(step.watermark, least) });
  }
  return kept.reverse();
}

function sessions(rows: readonly Row[], gap: number): string[] {
  const found: string[] = [];
  for (const key of new Set(rows.map((each) => each.key))) {
    let open: Row[] = [];
    const close = (): void => {
      const [first] = open;
      const last = open.at(-1);
      if (first === undefined || last === undefined) return;
      const name = `${key === null ? "NULL" : JSON.stringify(key)} ${first.ts} ${last.ts + gap}`;
      found.push(`${name}: ${text(resultsOf(open))}`);
      open = [];
    };
    for (const each of rows.filter((one) => one.key === key).sort((a, b) => a.ts - b.ts)) {
      if (each.ts - (open.at(-1)?.ts ?? each.ts) > gap) close();
      open.push(each);
    }
    close();
  }
  return found.sort();
}
