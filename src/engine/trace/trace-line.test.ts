import { expect, it } from "vitest";
import { timeMark } from "../base/event-time.ts";
import { edgeId, epoch, taskId } from "../base/ids.ts";
import type { TraceEvent } from "./trace-event.ts";
import { traceLine } from "./trace-line.ts";

it("D-50: a trace line does not depend on the order in which an event's fields were set, and leaves out what is undefined", () => {
  const one: TraceEvent = {
    atMs: 5,
    task: taskId(1),
    kind: "received",
    edge: edgeId(2),
    message: "barrier",
    epoch: epoch(3),
  };
  const same: TraceEvent = {
    message: "barrier",
    epoch: epoch(3),
    edge: edgeId(2),
    kind: "received",
    task: taskId(1),
    atMs: 5,
  };
  const line = '{"atMs":5,"task":1,"kind":"received","edge":2,"epoch":3,"message":"barrier"}';
  expect([traceLine(one), traceLine(same)]).toEqual([line, line]);
  expect(traceLine({ atMs: 0, task: undefined, kind: "issued", epoch: epoch(1) })).toBe(
    '{"atMs":0,"kind":"issued","epoch":1}',
  );
});

it("D-50: NaN and infinities are text in a trace line, whatever bits they had", () => {
  const line = (ms: number): string =>
    traceLine({
      atMs: 0,
      task: taskId(0),
      kind: "sent",
      edge: edgeId(0),
      message: "watermark",
      source: taskId(0),
      mark: timeMark(ms),
    });
  const quiet = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0] as number;
  expect(line(quiet)).toBe(line(Number.NaN));
  expect(line(quiet)).toContain('"mark":{"kind":"time","ms":"NaN"}');
  expect(line(Number.NEGATIVE_INFINITY)).toContain('"ms":"-Infinity"');
});
