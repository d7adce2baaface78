import { describe, expect, it } from "vitest";
import { epoch } from "../base/ids.ts";
import { EpochSchedule, HEAVY_BYTES } from "./epoch-schedule.ts";

describe("EpochSchedule", () => {
  it("F-7: without an interval there is no ticker", () => {
    const schedule = new EpochSchedule(0, 1000);
    schedule.start(5);
    expect([schedule.nextMs, schedule.beat(1e9)]).toEqual([Number.POSITIVE_INFINITY, false]);
  });

  it("F-49: beats when due, and the next one counts from the beat", () => {
    const schedule = new EpochSchedule(100, 1e6);
    schedule.start(5);
    expect([schedule.nextMs, schedule.beat(104), schedule.beat(130), schedule.nextMs]).toEqual([105, false, true, 230]);
  });

  it("D-8, D-19: neither beats nor time-outs run while the run is paused", () => {
    const schedule = new EpochSchedule(100, 250);
    schedule.start(0);
    schedule.issued(epoch(1), 50);
    schedule.pause(80);
    expect([schedule.isPaused, schedule.nextMs]).toEqual([true, Number.POSITIVE_INFINITY]);
    schedule.resume(1080);
    expect([schedule.isPaused, schedule.nextMs]).toEqual([false, 1100]);
    expect([schedule.beat(1099), schedule.beat(1100)]).toEqual([false, true]);
    expect([schedule.overdue(1299), schedule.overdue(1300)]).toEqual([undefined, 1]);
  });

  it("D-8: names the oldest epoch that is overdue, until it is settled", () => {
    const schedule = new EpochSchedule(0, 100);
    schedule.issued(epoch(1), 0);
    schedule.issued(epoch(2), 10);
    expect([schedule.nextMs, schedule.overdue(99), schedule.overdue(100), schedule.overdue(200)]).toEqual([
      100,
      undefined,
      1,
      1,
    ]);
    schedule.settled(epoch(1));
    expect([schedule.nextMs, schedule.overdue(105), schedule.overdue(110)]).toEqual([110, undefined, 2]);
  });

  it("D-8: with a large state one epoch is out at a time, and behind it the ticker rests for as long as it took", () => {
    const schedule = new EpochSchedule(100, 1e6);
    schedule.start(0);
    expect(schedule.beat(100)).toBe(true);
    schedule.issued(epoch(1), 100);
    expect(schedule.beat(200)).toBe(true);
    schedule.issued(epoch(2), 200);
    schedule.completed(epoch(1), 450, HEAVY_BYTES);
    expect([schedule.nextMs, schedule.beat(800)]).toEqual([800, false]);
    schedule.completed(epoch(2), 850, HEAVY_BYTES);
    expect([schedule.nextMs, schedule.beat(1500)]).toEqual([1500, true]);
    schedule.issued(epoch(3), 1500);
    schedule.completed(epoch(3), 1700, HEAVY_BYTES - 1);
    expect([schedule.nextMs, schedule.beat(1700)]).toEqual([1600, true]);
    schedule.issued(epoch(4), 1700);
    expect(schedule.beat(1800)).toBe(true);
    schedule.stopTicker();
    schedule.completed(epoch(4), 1900, HEAVY_BYTES);
    expect(schedule.beat(1e9)).toBe(false);
  });

  it("F-49: the ticker ends with the stop, time-outs go on; nothing is due after clear", () => {
    const schedule = new EpochSchedule(10, 100);
    schedule.start(0);
    schedule.issued(epoch(1), 0);
    schedule.stopTicker();
    expect([schedule.beat(50), schedule.nextMs]).toEqual([false, 100]);
    schedule.clear();
    expect([schedule.nextMs, schedule.overdue(1e6)]).toEqual([Number.POSITIVE_INFINITY, undefined]);
  });
});
