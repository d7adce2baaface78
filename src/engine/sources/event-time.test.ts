import { describe, expect, it } from "vitest";
import type { ErrorData } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { timeConfig } from "../operators/catalog/shared-config.ts";
import type { TimeConfig } from "../operators/catalog.ts";
import { type Act, batch, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { EventTimeTracker } from "./event-time.ts";

const TS = schema("ts int64");
const rows = (...ts: (number | string | null)[]) =>
  batch(
    TS,
    ts.map((ms) => [ms]),
  );

const time = (more: object = {}): TimeConfig => timeConfig.parse({ column: "ts", ...more });
const bounded = (delayMs: number, more: object = {}): TimeConfig =>
  time({ watermark: { kind: "bounded", delayMs }, ...more });

const marks = (acts: Act[]): unknown[] => acts.flatMap((act) => ("mark" in act ? [act.mark] : []));
/** Acts in short: the number of rows of a batch, or what was said. */
const order = (acts: Act[]): unknown[] =>
  acts.map((act) => ("rows" in act ? `${act.rows.length} rows` : "mark" in act ? act.mark : act));

function tracked(config: TimeConfig | undefined, partitions: number[] = [0], restored?: SnapshotValue) {
  const notes: ErrorData[] = [];
  const tracker = new EventTimeTracker({ time: config, partitions, restored, note: (error) => notes.push(error) });
  return { tracker, output: new RecordingOutput(), notes };
}

describe("event time of a source", () => {
  it("WMK-04 (A-14): progress is the running maximum of the event time minus the delay, and never goes back", () => {
    const { tracker, output } = tracked(bounded(2000));
    const said: unknown[] = [];
    let last: unknown;
    for (const ts of [10000, 5000, 12000]) {
      tracker.send(output, rows(ts));
      last = marks(output.take()).at(-1) ?? last;
      said.push(last);
    }
    expect(said).toEqual([8000, 8000, 10000]);
  });

  it.each([
    ["s", 1, 1000],
    ["s", -2, -2000],
    ["ms", 1500, 1500],
    ["us", 1500, 1],
    ["us", -1500, -2],
    ["ns", 2500000000, 2500],
    ["s", null, Number.NaN],
  ] as const)("WMK-05 (A-13): %s %s is %s ms, floored, and NULL stays NULL", (unit, value, ms) => {
    const { tracker } = tracked(time({ unit }));
    expect([...(tracker.stamp(rows(value)).eventTimes ?? [])]).toEqual([ms]);
  });

  it("WMK-05 (A-13): a time that overflows milliseconds fails, naming the column", () => {
    const { tracker, output } = tracked(time({ unit: "s" }));
    expect(() => tracker.send(output, rows("9223372036854775807"))).toThrow(/overflows milliseconds/);
  });

  it("OPS-01 (E-11): delay 2 s; events at 1 s and 4 s give 2 s, one at 13 s gives 11 s", () => {
    const { tracker, output } = tracked(bounded(2000));
    tracker.send(output, rows(1000, 4000));
    tracker.send(output, rows(13000));
    expect(marks(output.take())).toEqual([2000, 11000]);
  });

  it("ascending promises the last time itself (D-5)", () => {
    const { tracker, output } = tracked(time({ watermark: { kind: "ascending" } }));
    tracker.send(output, rows(5, 7, 7));
    expect(marks(output.take())).toEqual([7]);
  });

  it("D-21: the watermark of a batch follows its rows, or precedes them with emit: before", () => {
    for (const [emit, expected] of [
      ["after", ["2 rows", 2100]],
      ["before", [2100, "2 rows"]],
    ] as const) {
      const { tracker, output } = tracked(time({ emit }));
      tracker.send(output, rows(2100, 100));
      expect(order(output.take())).toEqual(expected);
    }
  });

  it("D-6: without event time, or with watermark none, a source says idle at its start and nothing more", () => {
    for (const config of [undefined, time({ watermark: { kind: "none" } })]) {
      const { tracker, output } = tracked(config);
      tracker.open(output);
      tracker.send(output, rows(1, 2));
      expect(tracker.quiet(output)).toBeUndefined();
      tracker.end(output, 0);
      expect(order(output.take())).toEqual(["idle", "2 rows"]);
    }
  });

  it("D-29: rows are stamped also when no watermark is said", () => {
    const { tracker, output } = tracked(time({ watermark: { kind: "none" } }));
    tracker.send(output, rows(1, null));
    expect(output.batches[0]?.eventTimes).toEqual(Float64Array.of(1, Number.NaN));
    expect(tracked(undefined).tracker.stamp(rows(1)).eventTimes).toBeNull();
  });

  it("D-6: a subtask that owns no partition says idle at once", () => {
    const { tracker, output } = tracked(bounded(0), []);
    tracker.open(output);
    expect(marks(output.take())).toEqual(["idle"]);
  });

  it("rows whose event time is NULL move nothing (D-23)", () => {
    const { tracker, output } = tracked(bounded(0));
    tracker.send(output, rows(null));
    tracker.send(output, rows(null, 5, null));
    expect(marks(output.take())).toEqual([5]);
  });
});

describe("watermark over partitions", () => {
  it("A-16: is the least of the partitions, and one that was not seen yet holds it", () => {
    const { tracker, output } = tracked(bounded(0), [0, 2]);
    tracker.open(output);
    tracker.send(output, rows(1000), 0);
    tracker.send(output, rows(5), 1);
    tracker.send(output, rows(2000, 50, 3000, 60), Int32Array.of(0, 1, 0, 1));
    expect(marks(output.take())).toEqual([5, 60]);
  });

  it("D-22: what was forwarded never goes back when a partition returns with less", () => {
    const { tracker, output } = tracked(bounded(0, { idleTimeoutMs: 10 }), [0, 1]);
    tracker.send(output, rows(5), 0);
    tracker.send(output, rows(1000), 1);
    tracker.quiet(output, 0);
    output.nowMs = 10;
    tracker.quiet(output, 0);
    tracker.send(output, rows(6), 0);
    tracker.send(output, rows(2000), 0);
    tracker.send(output, rows(1500), 1);
    expect(marks(output.take())).toEqual([5, 1000, 1500]);
  });

  it("D-3: a partition at its end holds nobody back, and the last one says nothing: END is the task's", () => {
    const { tracker, output } = tracked(bounded(0), [0, 1]);
    tracker.send(output, rows(1000), 0);
    tracker.end(output, 1);
    expect(marks(output.take())).toEqual([1000]);
    tracker.end(output, 0);
    expect(output.take()).toEqual([]);
  });
});

describe("idleness of a source (D-6, A-15, P-11)", () => {
  const idleAfter = (ms: number) => bounded(0, { idleTimeoutMs: ms });

  it("a partition is idle when nothing was there for the time-out, inclusive; said once; rows end it", () => {
    const { tracker, output } = tracked(idleAfter(1000));
    tracker.send(output, rows(7));
    output.nowMs = 200;
    expect(tracker.quiet(output)).toBe(1200);
    output.nowMs = 1199;
    expect(tracker.quiet(output)).toBe(1200);
    expect(marks(output.take())).toEqual([7]);
    output.nowMs = 1200;
    expect(tracker.quiet(output)).toBeUndefined();
    tracker.quiet(output);
    expect(marks(output.take())).toEqual(["idle"]);
    tracker.send(output, rows(9));
    output.nowMs = 1300;
    expect(tracker.quiet(output)).toBe(2300);
    expect(marks(output.take())).toEqual([9]);
  });

  it("P-11: a partition whose rows could not be read while the task was blocked is not idle, however long that was", () => {
    const { tracker, output } = tracked(idleAfter(1000), [0, 1]);
    tracker.send(output, rows(1), 0);
    tracker.send(output, rows(1000), 1);
    output.nowMs = 3000;
    tracker.send(output, rows(1001), 1);
    output.nowMs = 6000;
    tracker.quiet(output, 1);
    tracker.send(output, rows(2), 0);
    expect(marks(output.take())).toEqual([1, 2]);
  });

  it("D-6: time that passes between rows and the first poll without any does not count", () => {
    const { tracker, output } = tracked(idleAfter(1000));
    tracker.send(output, rows(1));
    output.nowMs = 30_000;
    expect(tracker.quiet(output)).toBe(31_000);
    expect(marks(output.take())).toEqual([1]);
  });

  it("A-16: when a partition that held time back goes idle, time moves on at once", () => {
    const { tracker, output } = tracked(idleAfter(100), [0, 1]);
    tracker.open(output);
    tracker.send(output, rows(50), 0);
    tracker.quiet(output, 1);
    output.nowMs = 100;
    tracker.quiet(output, 1);
    expect(marks(output.take())).toEqual([50]);
  });

  it("A-15: without a time-out a partition is never idle", () => {
    const { tracker, output } = tracked(bounded(0));
    output.nowMs = 1e9;
    expect(tracker.quiet(output)).toBeUndefined();
    expect(output.take()).toEqual([]);
  });
});

describe("a guard against far-future rows (maxAheadMs)", () => {
  const guarded = bounded(0, { maxAheadMs: 1000 });

  it("one row with a wrong clock does not move time, and a note tells of it", () => {
    const { tracker, output, notes } = tracked(guarded);
    tracker.send(output, rows(100, 110, 4_000_000_000_000, 120, 130));
    expect(marks(output.take())).toEqual([130]);
    expect(output.rows).toHaveLength(5);
    expect(notes.map((note) => [note.code, note.field])).toEqual([["event-time-ahead", "ts"]]);
  });

  it("a true gap is believed at its second row", () => {
    const { tracker, output, notes } = tracked(guarded);
    for (const ts of [100, 110, 50_000, 50_010]) tracker.send(output, rows(ts));
    expect(marks(output.take())).toEqual([110, 50_010]);
    expect(notes).toEqual([]);
  });

  it("a first row that is wrong is not believed either", () => {
    const { tracker, output } = tracked(guarded);
    tracker.send(output, rows(4_000_000_000_000, 100, 110));
    expect(marks(output.take())).toEqual([110]);
  });

  it("the result does not depend on how rows are cut into batches", () => {
    const all = [100, 90, 9e12, 120, 5000, 5010, 7e12, 8e12, 5020, 5030];
    const last = (sizes: number[]): unknown => {
      const { tracker, output } = tracked(guarded);
      let at = 0;
      for (const size of sizes) {
        tracker.send(output, rows(...all.slice(at, at + size)));
        at += size;
      }
      return marks(output.take()).at(-1);
    };
    expect([last([10]), last([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), last([3, 4, 3])]).toEqual(
      new Array(3).fill(last([5, 5])),
    );
  });
});

describe("progress in a snapshot", () => {
  it("A-19, D-7: a restored tracker goes on as if nothing had happened, every partition with its own progress", () => {
    const config = bounded(10, { maxAheadMs: 10_000 });
    const script: ((tracker: EventTimeTracker, output: RecordingOutput) => void)[] = [
      (t, o) => t.send(o, rows(100, 200), Int32Array.of(0, 1)),
      (t, o) => t.send(o, rows(300, 250), Int32Array.of(0, 1)),
      (t, o) => t.send(o, rows(99_999), 0),
      (t, o) => t.send(o, rows(99_990, 260), Int32Array.of(0, 1)),
      (t, o) => t.send(o, rows(40), 1),
      (t, o) => t.end(o, 1),
      (t, o) => t.send(o, rows(100_005), 0),
    ];
    const straight = tracked(config, [0, 1]);
    const whole = script.map((step) => {
      step(straight.tracker, straight.output);
      return marks(straight.output.take());
    });
    expect(whole).toEqual([[], [240], [], [250], [], [99_989], [99_995]]);
    for (let cut = 0; cut <= script.length; cut++) {
      const first = tracked(config, [0, 1]);
      for (const step of script.slice(0, cut)) step(first.tracker, first.output);
      const second = tracked(config, [0, 1], structuredClone(first.tracker.snapshot()));
      const rest = script.slice(cut).map((step) => {
        step(second.tracker, second.output);
        return marks(second.output.take());
      });
      expect(rest).toEqual(whole.slice(cut));
    }
  });

  it("D-7: taking a snapshot after every step changes nothing", () => {
    const run = (snapshots: boolean): unknown[] => {
      const { tracker, output } = tracked(bounded(5, { idleTimeoutMs: 50 }), [0, 1]);
      tracker.open(output);
      for (let i = 0; i < 20; i++) {
        output.nowMs = i * 20;
        if (i % 5 === 4) tracker.quiet(output, 0);
        else tracker.send(output, rows(i * 7, i * 9), Int32Array.of(i % 2, 0));
        if (snapshots) tracker.snapshot();
      }
      return order(output.take());
    };
    expect(run(true)).toEqual(run(false));
  });

  it("P-04: after a restore new edges hear the watermark, and idleness, again", () => {
    const config = bounded(0, { idleTimeoutMs: 10 });
    const { tracker, output } = tracked(config);
    tracker.send(output, rows(42));
    const active = structuredClone(tracker.snapshot());
    tracker.quiet(output);
    output.nowMs = 10;
    tracker.quiet(output);
    const idle = structuredClone(tracker.snapshot());
    output.take();
    tracked(config, [0], active).tracker.open(output);
    expect(marks(output.take())).toEqual([42]);
    tracked(config, [0], idle).tracker.open(output);
    expect(marks(output.take())).toEqual([42, "idle"]);
  });
});
