import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import type { Schema } from "../../data/schema.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import type { CellValue } from "../../testing/batch-values.ts";
import joinCases from "../../testing/cases/joins.json" with { type: "json" };
import { batch, context, type RecordingContext, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { CATALOG, type IntervalJoinConfig } from "../catalog.ts";
import { intervalJoin } from "./interval-join.ts";

const SIDE = schema("key utf8, ts int64");

function joinOf(config: object, left: Schema, right: Schema): { operator: Operator<Batch>; heard: RecordingContext } {
  const spec = CATALOG.get("join.interval");
  const parsed = spec?.config.parse(config) as IntervalJoinConfig;
  const flow = spec?.schemaFlow(parsed, { left, right });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  const heard = context({ inputs: { left, right }, outputs: flow.outputs });
  return { operator: intervalJoin(parsed, heard), heard };
}

const keyed = (config: object) => joinOf({ leftKey: ["key"], rightKey: ["key"], ...config }, SIDE, SIDE);

type Row = readonly [key: string | null, ts: number];
const rows = (...of: readonly Row[]): Batch =>
  batch(
    SIDE,
    of,
    of.map(([, ts]) => ts),
  );

const told = (output: RecordingOutput): CellValue[][] =>
  output.take().flatMap((act) => ("rows" in act ? act.rows : []));
const marks = (output: RecordingOutput): unknown[] => output.take().flatMap((act) => ("mark" in act ? [act.mark] : []));

describe("joins.json", () => {
  const TYPES: Record<string, string> = {
    inner: "inner",
    left_outer: "left",
    right_outer: "right",
    full_outer: "full",
  };
  for (const { id, config, input, expected } of joinCases) {
    test.each([1, 3, 1000])(`${id}, batches of %d`, (size) => {
      const { operator } = keyed({
        lowerMs: -config.window_ms,
        upperMs: config.window_ms,
        type: TYPES[config.join_type],
        ttlMs: config.ttl_ms,
        maxPerKey: config.max_per_key,
      });
      const output = new RecordingOutput();
      const steps = input.steps as readonly { left?: Row[]; right?: Row[]; watermark?: number }[];
      steps.forEach((step, s) => {
        for (const port of ["left", "right"] as const) {
          const all = step[port] ?? [];
          for (let from = 0; from < all.length; from += size) {
            operator.process(rows(...all.slice(from, from + size)), port, output);
          }
        }
        if (step.watermark !== undefined) operator.onTime?.(step.watermark, output);
        const want = (expected.batches_per_step[s] ?? [])
          .flat()
          .map((row) => [
            row.l_key,
            BigInt(row.l_ts),
            row.r_key,
            row.r_ts === null ? null : BigInt(row.r_ts),
            row.join_key,
          ]);
        expect(told(output), `step ${s}`).toEqual(want);
      });
    });
  }
});

describe("join.interval", () => {
  const five = { lowerMs: -5, upperMs: 5 };

  it("P-20: an outer row is padded once, not before its time, and never after a match", () => {
    const { operator } = keyed({ ...five, type: "left" });
    const output = new RecordingOutput();
    operator.process(rows(["a", 10]), "left", output);
    operator.process(rows(["a", 20]), "right", output);
    operator.onTime?.(14, output);
    operator.onTime?.(15, output);
    expect(told(output)).toEqual([]);
    operator.onTime?.(20, output);
    expect(told(output)).toEqual([["a", 10n, null, null, "a"]]);
    operator.process(rows(["a", 30]), "left", output);
    operator.process(rows(["a", 35]), "right", output);
    operator.onTime?.(100, output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 30n, "a", 35n, "a"]]);
  });

  it("P-20: both bounds are included, and a matched row is not padded when its partner has left", () => {
    const { operator } = keyed({ lowerMs: -5, upperMs: 50, type: "left" });
    const output = new RecordingOutput();
    operator.process(rows(["a", 10]), "left", output);
    operator.process(rows(["a", 5], ["a", 60], ["a", 4], ["a", 61]), "right", output);
    expect(told(output)).toEqual([
      ["a", 10n, "a", 5n, "a"],
      ["a", 10n, "a", 60n, "a"],
    ]);
    operator.onTime?.(30, output);
    operator.onTime?.(100, output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([]);
  });

  it("P-35 (D-29): it forwards no more than what its unmatched rows allow", () => {
    const forwarded = (config: object): unknown[] => {
      const { operator } = keyed(config);
      const output = new RecordingOutput();
      operator.onTime?.(100, output);
      return marks(output);
    };
    expect(forwarded({ ...five, type: "inner" })).toEqual([]);
    expect(forwarded({ lowerMs: -5, upperMs: 7, type: "left", ttlMs: 2 })).toEqual([91]);
    expect(forwarded({ lowerMs: -5, upperMs: 7, type: "right", ttlMs: 2 })).toEqual([93]);
    expect(forwarded({ lowerMs: -5, upperMs: 7, type: "full", ttlMs: 2 })).toEqual([91]);
    expect(forwarded({ lowerMs: -9, upperMs: -7, type: "left" })).toEqual([100]);
  });

  it("P-35 (D-29): a row within the TTL that no partner can come for goes out at once, and is not late behind the join", () => {
    const { operator } = keyed({ lowerMs: -35, upperMs: -25, type: "left", ttlMs: 10 });
    const output = new RecordingOutput();
    operator.onTime?.(100, output);
    expect(marks(output)).toEqual([90]);
    operator.process(rows(["a", 91], [null, 90]), "left", output);
    expect(output.batches.flatMap(({ eventTimes }) => [...(eventTimes ?? [])]).sort()).toEqual([90, 91]);
  });

  it("P-35: an unmatched row keeps its event time, a matched one has the later of the two", () => {
    const { operator } = keyed({ ...five, type: "full" });
    const output = new RecordingOutput();
    operator.process(rows(["a", 1], ["b", 3]), "left", output);
    operator.process(rows(["b", 2], ["b", 7]), "right", output);
    operator.onTime?.(7, output);
    expect(output.batches.flatMap(({ eventTimes }) => [...(eventTimes ?? [])])).toEqual([3, 7, 1]);
  });

  it("P-10 (D-23): NULL keys match nothing; an outer side sends them beside NULLs", () => {
    const inner = keyed(five).operator;
    const output = new RecordingOutput();
    inner.process(rows([null, 1]), "left", output);
    inner.process(rows([null, 1]), "right", output);
    inner.onEnd?.(output);
    expect(told(output)).toEqual([]);
    const left = keyed({ ...five, type: "left" }).operator;
    left.process(rows([null, 1], ["a", 2]), "left", output);
    left.process(rows([null, 1]), "right", output);
    left.onEnd?.(output);
    expect(told(output)).toEqual([
      [null, 1n, null, null, null],
      ["a", 2n, null, null, "a"],
    ]);
  });

  it("D-31: columns are those of the left as l_…, of the right as r_…, and join_key where the key is one column of text", () => {
    const names = (config: object, of: string): (readonly string[])[] => {
      const side = schema(of);
      const { heard } = joinOf(config, side, side);
      const out = heard.outputs["out"];
      return [out?.names ?? [], out?.fields.filter(({ nullable }) => nullable).map(({ name }) => name) ?? []];
    };
    const columns = "k utf8 not null, n int64 not null";
    const text = { leftKey: ["k"], rightKey: ["k"] };
    expect(names(text, columns)).toEqual([["l_k", "l_n", "r_k", "r_n", "join_key"], []]);
    expect(names({ ...text, type: "left" }, columns)[1]).toEqual(["r_k", "r_n"]);
    expect(names({ ...text, type: "right" }, columns)[1]).toEqual(["l_k", "l_n"]);
    expect(names({ ...text, type: "full" }, columns)[1]).toEqual(["l_k", "l_n", "r_k", "r_n"]);
    expect(names({ leftKey: ["n"], rightKey: ["n"] }, columns)[0]).toEqual(["l_k", "l_n", "r_k", "r_n"]);
    expect(names({ leftKey: ["k", "n"], rightKey: ["k", "n"] }, columns)[0]).toEqual(["l_k", "l_n", "r_k", "r_n"]);
  });

  it("P-29: keys meet by logical value: int32 and int64, timestamps of two units", () => {
    const pair = (a: string, b: string, x: unknown, y: unknown): CellValue[][] => {
      const left = schema(`k ${a}`);
      const right = schema(`k ${b}`);
      const { operator } = joinOf({ leftKey: ["k"], rightKey: ["k"], ...five }, left, right);
      const output = new RecordingOutput();
      operator.process(batch(left, [[x]], [1]), "left", output);
      operator.process(batch(right, [[y]], [1]), "right", output);
      return told(output);
    };
    expect(pair("int32", "int64", 5, 5)).toEqual([[5, 5n]]);
    expect(pair("timestamp[ms]", "timestamp[us]", 7, 7000)).toHaveLength(1);
    expect(pair("utf8", "utf8", "e\u0301", "\u00e9")).toEqual([]);
    expect(() => pair("utf8", "int64", "5", 5)).toThrow("within one kind of type");
  });

  it("D-30: over maxPerKey the oldest goes, counted and announced; unmatched on an outer side it goes out once", () => {
    const { operator, heard } = keyed({ ...five, type: "left", maxPerKey: 1 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 3], ["a", 1], ["b", 2]), "left", output);
    expect(told(output)).toEqual([["a", 1n, null, null, "a"]]);
    expect(heard.counts.get("evicted")).toBe(1);
    expect(heard.notes.map(({ code }) => code)).toEqual(["rows-evicted"]);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([
      ["b", 2n, null, null, "b"],
      ["a", 3n, null, null, "a"],
    ]);
  });

  it("rows behind the watermark by more than the TTL are late and counted; within it they still match", () => {
    const { operator, heard } = keyed({ ...five, ttlMs: 10 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 40]), "left", output);
    operator.onTime?.(50, output);
    operator.process(rows(["a", 40], ["a", 39]), "right", output);
    expect(told(output)).toEqual([["a", 40n, "a", 40n, "a"]]);
    expect(heard.counts.get("late")).toBe(1);
  });
});

/** All pairs by a double loop, and the rows that are in none. */
function model(left: readonly Row[], right: readonly Row[], lower: number, upper: number, type: string): string[] {
  const meets = ([a, l]: Row, [b, r]: Row): boolean => a !== null && a === b && r >= l + lower && r <= l + upper;
  const pairs = left.flatMap((l) => right.filter((r) => meets(l, r)).map((r) => [...l, ...r].join()));
  const lone = (rows: readonly Row[], others: (row: Row) => boolean): Row[] => rows.filter((row) => !others(row));
  const padded: string[] = [];
  if (type === "left" || type === "full") {
    padded.push(...lone(left, (l) => right.some((r) => meets(l, r))).map((l) => [...l, null, null].join()));
  }
  if (type === "right" || type === "full") {
    padded.push(...lone(right, (r) => left.some((l) => meets(l, r))).map((r) => [null, null, ...r].join()));
  }
  return [...pairs, ...padded].sort();
}

describe("join.interval by a model (property)", () => {
  const key = fc.option(fc.constantFrom("a", "b", "c"), { freq: 8 });
  const row = fc.tuple(key, fc.integer({ min: -20, max: 40 }));
  const step = fc.record({ port: fc.constantFrom("left", "right"), rows: fc.array(row, { maxLength: 6 }) });

  it("D-30: inner, left, right and full, any bounds, at every batch size, saved or restored after every step, unmatched rows never late", () => {
    const config = fc.record({
      lower: fc.integer({ min: -12, max: 8 }),
      span: fc.integer({ min: 0, max: 12 }),
      type: fc.constantFrom("inner", "left", "right", "full"),
      size: fc.constantFrom(1, 3, 1000),
      saves: fc.constantFrom("never", "and goes on", "and is restored"),
    });
    fc.assert(
      fc.property(config, fc.array(step, { maxLength: 10 }), (of, steps) => {
        const bounds = { lowerMs: of.lower, upperMs: of.lower + of.span, type: of.type };
        let { operator } = keyed(bounds);
        const output = new RecordingOutput();
        let forwarded = Number.NEGATIVE_INFINITY;
        steps.forEach(({ port, rows: all }, s) => {
          for (let from = 0; from < all.length; from += of.size) {
            operator.process(rows(...all.slice(from, from + of.size)), port, output);
          }
          // The greatest promise that what is still to come allows.
          const to = Math.min(...steps.slice(s + 1).flatMap((later) => later.rows.map(([, ts]) => ts)));
          if (Number.isFinite(to)) {
            const heard = new RecordingOutput();
            operator.onTime?.(to, heard);
            for (const { eventTimes } of heard.batches) {
              for (const ms of eventTimes ?? []) expect(ms).toBeGreaterThanOrEqual(forwarded);
            }
            for (const each of heard.batches) output.emit(each);
            forwarded = Math.max(forwarded, Number(marks(heard)[0] ?? to));
          }
          if (of.saves === "never") return;
          const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
          if (of.saves === "and goes on") return;
          operator = keyed(bounds).operator;
          operator.restore?.(taken);
        });
        operator.onEnd?.(output);
        const sent = (port: string): Row[] => steps.flatMap((each) => (each.port === port ? each.rows : []));
        const found = output.rows.map((cells) =>
          cells
            .slice(0, 4)
            .map((cell) => cell?.toString() ?? null)
            .join(),
        );
        expect(found.sort()).toEqual(model(sent("left"), sent("right"), of.lower, of.lower + of.span, of.type));
      }),
      { seed: 77, numRuns: 250 },
    );
  });
});
