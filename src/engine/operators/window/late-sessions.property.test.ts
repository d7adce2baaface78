import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

/** Sessions with late rows against a model that goes row by row, and tells corrections at the end of a batch (A-36, D-20, D-28). */

const OF = schema("key utf8, v int64");
type Row = { readonly key: string; readonly ts: number };
type Step = { readonly batch: readonly Row[] } | { readonly watermark: number };

interface Session {
  readonly key: string;
  start: number;
  end: number;
  rows: number;
  told: boolean;
  owed: boolean;
}

interface Told {
  readonly lines: readonly string[];
  readonly late: number;
}

/** What is sent, line by line; `lateness` undefined: late rows are dropped. */
function model(gap: number, lateness: number | undefined, steps: readonly Step[]): Told {
  let sessions: Session[] = [];
  let watermark = Number.NEGATIVE_INFINITY;
  let late = 0;
  const lines: string[] = [];
  const tell = (due: readonly Session[]): void => {
    for (const session of [...due].sort((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1))) {
      lines.push(`${session.key} ${session.start} ${session.end} ${session.rows} ${session.told}`);
      session.told = true;
      session.owed = false;
    }
  };
  const fire = (to: number): void => {
    tell(sessions.filter(({ owed, end }) => owed && end < to));
    sessions = sessions.filter(({ end }) => end + (lateness ?? 0) >= to);
  };
  const add = ({ key, ts }: Row): void => {
    const met = sessions.filter((each) => each.key === key && ts + gap >= each.start && ts <= each.end);
    const end = Math.max(ts + gap, ...met.map((each) => each.end));
    if (watermark > end + (lateness ?? 0)) {
      late++;
      return;
    }
    const one: Session = {
      key,
      start: Math.min(ts, ...met.map((each) => each.start)),
      end,
      rows: 1 + met.reduce((sum, { rows }) => sum + rows, 0),
      told: met.some(({ told }) => told),
      owed: true,
    };
    sessions = [...sessions.filter((each) => !met.includes(each)), one];
  };
  for (const step of steps) {
    if ("watermark" in step) {
      watermark = step.watermark;
      fire(watermark);
      continue;
    }
    for (const row of step.batch) add(row);
    tell(sessions.filter(({ owed, end }) => owed && end < watermark));
  }
  fire(Number.POSITIVE_INFINITY);
  return { lines, late };
}

function run(gap: number, lateness: number | undefined, steps: readonly Step[], restores: boolean): Told {
  const config = {
    groupBy: ["key"],
    window: { kind: "session", gapMs: gap },
    ...(lateness === undefined ? {} : { late: "update", allowedLatenessMs: lateness }),
  };
  let { operator, heard } = windowOver(OF, config);
  let late = 0;
  const output = new RecordingOutput();
  for (const step of steps) {
    if ("watermark" in step) operator.onTime?.(step.watermark, output);
    else {
      const cells = step.batch.map(({ key }) => [key, 1]);
      const times = step.batch.map(({ ts }) => ts);
      operator.process(batch(OF, cells, times), "in", output);
    }
    if (!restores) continue;
    const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
    late += heard.counts.get("late") ?? 0;
    ({ operator, heard } = windowOver(OF, config));
    operator.restore?.(taken);
  }
  operator.onEnd?.(output);
  const lines = output.rows.map(([key, start, end, count, update]) => {
    return `${key} ${start} ${end} ${count} ${update ?? false}`;
  });
  return { lines, late: late + (heard.counts.get("late") ?? 0) };
}

const row = fc.record({ key: fc.constantFrom("a", "b"), ts: fc.integer({ min: 0, max: 60 }) });

const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { arbitrary: fc.record({ batch: fc.array(row, { maxLength: 4 }) }), weight: 3 },
      { arbitrary: fc.record({ ahead: fc.integer({ min: 0, max: 15 }) }), weight: 1 },
    ),
    { maxLength: 24, size: "max" },
  )
  .map((drawn) => {
    let watermark = -5;
    return drawn.map((step): Step => {
      if (!("ahead" in step)) return step;
      watermark += step.ahead;
      return { watermark };
    });
  });

describe("sessions with late rows (property)", () => {
  it("D-20, D-28 (A-36): dropped or corrected, bridged or opened late, each with is_update, restored after every step", () => {
    const lateness = fc.option(fc.integer({ min: 0, max: 25 }), { nil: undefined });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), lateness, steps, fc.boolean(), (gap, allowed, all, restores) => {
        expect(run(gap, allowed, all, restores)).toEqual(model(gap, allowed, all));
      }),
      { seed: 36, numRuns: 200 },
    );
  });
});
