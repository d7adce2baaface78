import { describe, expect, it } from "vitest";
import { type Act, batch, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { throttle } from "./throttle.ts";

const N = schema("n int32");
const rows = (count: number) =>
  batch(
    N,
    Array.from({ length: count }, (_, i) => [i]),
  );
const sizes = (acts: Act[]): (number | { delay: number })[] =>
  acts.map((act) => ("rows" in act ? act.rows.length : (act as { delay: number })));

describe("throttle", () => {
  it("with a pace by batches, each batch goes on after its time, and the task waits for it", () => {
    const output = new RecordingOutput();
    const operator = throttle({ delayMsPerBatch: 300 });
    output.nowMs = 1000;
    operator.process(rows(2), "in", output);
    expect(output.take()).toEqual([{ delay: 1300 }, { rows: [[0], [1]] }]);
    output.nowMs = 1300;
    operator.process(rows(1), "in", output);
    expect(output.take()).toEqual([{ delay: 1600 }, { rows: [[0]] }]);
  });

  it("with a pace by rows, a large batch goes on in portions of about a tenth of a second", () => {
    const output = new RecordingOutput();
    throttle({ rowsPerSecond: 50 }).process(rows(12), "in", output);
    expect(sizes(output.take())).toEqual([{ delay: 100 }, 5, { delay: 200 }, 5, { delay: 240 }, 2]);
    expect(output.rows.map(([n]) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("a slow pace sends row by row", () => {
    const output = new RecordingOutput();
    throttle({ rowsPerSecond: 0.5 }).process(rows(2), "in", output);
    expect(sizes(output.take())).toEqual([{ delay: 2000 }, 1, { delay: 4000 }, 1]);
  });

  it("a task that was woken a little late makes up for it, and a pause in the input gives no head start", () => {
    const output = new RecordingOutput();
    const operator = throttle({ rowsPerSecond: 100 });
    operator.process(rows(1), "in", output);
    output.nowMs = 13;
    operator.process(rows(1), "in", output);
    output.nowMs = 5000;
    operator.process(rows(1), "in", output);
    expect(sizes(output.take())).toEqual([{ delay: 10 }, 1, { delay: 20 }, 1, { delay: 5010 }, 1]);
  });
});
