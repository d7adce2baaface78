import { describe, expect, it } from "vitest";
import { epoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { FlushResult } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { batchRows } from "../testing/batch-values.ts";
import { batch, context, type RecordingContext, schema } from "../testing/stage-kit.ts";
import { blackholeSink } from "./blackhole-sink.ts";
import { logSink } from "./log-sink.ts";
import { tableSink } from "./table-sink.ts";

const ROW = schema("r utf8, n int64");
const row = (name: string, n: number | string = 0): Batch => batch(ROW, [[name, n]]);
const EXACTLY_ONCE = { limit: 10, delivery: "exactly-once" } as const;
const AT_LEAST_ONCE = { limit: 10, delivery: "at-least-once" } as const;

const fresh = (): RecordingContext => context({ inputs: { in: ROW } });
const shown = (of: RecordingContext): unknown[] => of.delivered.flatMap(batchRows).map(([name]) => name);
const precommit = (flushed: FlushResult): SnapshotValue => {
  if (flushed.kind !== "durable") throw new Error(`flushed ${flushed.kind}`);
  return flushed.precommit;
};

describe("sink.table, exactly-once", () => {
  it("FV-36 (F-73): rows are shown at the commit of their epoch, and what is still open is dropped at the end", () => {
    const home = fresh();
    const sink = tableSink(EXACTLY_ONCE, home);
    const after: unknown[][] = [];
    const steps: (() => unknown)[] = [
      () => sink.write(row("r1"), 0),
      () => sink.write(row("r2"), 0),
      () => sink.flush(epoch(1)),
      () => sink.write(row("r3"), 0),
      () => sink.flush(epoch(2)),
      () => sink.write(row("r4"), 0),
      () => sink.commit(epoch(1)),
      () => sink.commit(epoch(2)),
      () => sink.close(),
    ];
    for (const step of steps) {
      step();
      after.push(shown(home));
    }
    expect(after.slice(6)).toEqual([
      ["r1", "r2"],
      ["r1", "r2", "r3"],
      ["r1", "r2", "r3"],
    ]);
    expect(after.slice(0, 6).flat()).toEqual([]);
  });

  it("D-13: holds rows until they are sealed, and an empty batch is none", () => {
    const sink = tableSink(EXACTLY_ONCE, fresh());
    sink.write(batch(ROW, []), 0);
    expect(sink.holdsRows()).toBe(false);
    sink.write(row("a"), 0);
    expect(sink.holdsRows()).toBe(true);
    sink.flush(epoch(1));
    expect(sink.holdsRows()).toBe(false);
  });

  it("D-14, P-26: an epoch's pre-commit state holds every row that is sealed and not committed", () => {
    const first = tableSink(EXACTLY_ONCE, fresh());
    first.write(row("of 1"), 0);
    first.flush(epoch(1));
    first.write(row("of 2", "9007199254740993"), 0);
    const saved = structuredClone(precommit(first.flush(epoch(2))));
    first.write(row("after"), 0);
    const home = fresh();
    const second = tableSink(EXACTLY_ONCE, home);
    second.restore?.(saved);
    second.write(row("again"), 0);
    expect(shown(home)).toEqual([]);
    second.commit(epoch(2));
    expect(home.delivered.flatMap(batchRows)).toEqual([
      ["of 1", 0n],
      ["of 2", 9007199254740993n],
    ]);
    second.flush(epoch(3));
    second.commit(epoch(3));
    expect(shown(home)).toEqual(["of 1", "of 2", "again"]);
  });

  it("D-7, P-05: taking snapshots changes nothing of what is shown", () => {
    const home = fresh();
    const sink = tableSink(EXACTLY_ONCE, home);
    for (let e = 1; e <= 5; e++) {
      sink.write(row(`r${e}`), 0);
      expect(precommit(sink.flush(epoch(e)))).toHaveLength(Math.min(e, 2));
      if (e >= 2) sink.commit(epoch(e - 1));
    }
    sink.commit(epoch(5));
    expect(shown(home)).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  });

  it("keeps its own copy of rows that lie in a ring", () => {
    const home = fresh();
    const sink = tableSink(EXACTLY_ONCE, home);
    const made = batch(schema("n int32"), [[1], [2]]);
    sink.write(new Batch(made.schema, 2, made.columns, null, true), 0);
    for (const column of made.columns) if (column.encoding === "fixed") column.values.fill(99);
    sink.flush(epoch(1));
    sink.commit(epoch(1));
    expect(home.delivered.flatMap(batchRows)).toEqual([[1], [2]]);
  });
});

describe("sinks that show rows at once", () => {
  it("sink.table with at-least-once and sink.log deliver when rows come, and have nothing to commit (F-45)", () => {
    const builders = [
      (home: RecordingContext) => tableSink(AT_LEAST_ONCE, home),
      (home: RecordingContext) => logSink({}, home),
    ];
    for (const build of builders) {
      const home = fresh();
      const sink = build(home);
      sink.write(row("a"), 0);
      sink.write(batch(ROW, []), 0);
      expect(shown(home)).toEqual(["a"]);
      expect([sink.holdsRows(), sink.flush(epoch(1)), sink.holdsRows()]).toEqual([
        true,
        { kind: "durable", precommit: null },
        false,
      ]);
      sink.commit(epoch(1));
      sink.close();
      expect(shown(home)).toEqual(["a"]);
    }
  });
});

describe("sink.blackhole", () => {
  it("takes rows and shows none", () => {
    const sink = blackholeSink();
    sink.write(row("a"), 0);
    expect(sink.holdsRows()).toBe(true);
    expect(sink.flush(epoch(1))).toEqual({ kind: "durable", precommit: null });
    expect(sink.holdsRows()).toBe(false);
  });
});
