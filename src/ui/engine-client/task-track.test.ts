import { describe, expect, it } from "vitest";
import { TASK_STATES, type TaskState } from "../../engine/index.ts";
import { NOTHING, TaskTrack, TRACK_MS } from "./task-track.ts";

const nameAt = (track: TaskTrack, ms: number) => {
  const state = track.at(ms);
  return state === NOTHING ? undefined : TASK_STATES[state];
};

/** Numbers from 0 to 1 that look random, the same for a seed. */
function randomFrom(seed: number): () => number {
  let word = seed;
  return () => {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
    return word / 2 ** 32;
  };
}

describe("the states of a task over the last minute", () => {
  it("are those that took most of each millisecond", () => {
    const track = new TaskTrack();
    track.enter("Working", 0);
    track.enter("Receiving", 1.2);
    track.enter("Working", 1.6);
    track.enter("Sending", 3);
    expect([0, 1, 2, 3, 50].map((ms) => nameAt(track, ms))).toEqual([
      "Working",
      "Working",
      "Working",
      "Sending",
      "Sending",
    ]);
  });

  it("are not made up for what was lost", () => {
    const track = new TaskTrack();
    track.enter("Working", 0);
    track.enter("Sending", 10);
    track.lose();
    track.enter("Working", 30);
    track.enter("Receiving", 40);
    expect([5, 20, 35].map((ms) => nameAt(track, ms))).toEqual(["Working", undefined, "Working"]);
  });

  it("are forgotten after a minute, however long one of them lasted", () => {
    const track = new TaskTrack();
    track.enter("Working", 0);
    track.enter("Receiving", 100);
    track.enter("Sending", TRACK_MS + 5000);
    expect(nameAt(track, 50)).toBeUndefined();
    expect(nameAt(track, 6000)).toBe("Receiving");
    expect(nameAt(track, TRACK_MS + 5001)).toBe("Sending");
  });

  it("know how long the task waited for barriers since it was last asked", () => {
    const track = new TaskTrack();
    track.enter("Barrier", 10);
    track.enter("Working", 14);
    track.enter("Barrier", 15);
    expect(track.takeAligned(21.5)).toBeCloseTo(10.5);
    expect(track.takeAligned(23)).toBeCloseTo(1.5);
  });

  it("are told for a stretch of time by what took most of it", () => {
    const track = new TaskTrack();
    track.enter("Working", 0);
    track.enter("Receiving", 40);
    track.enter("Sending", 100);
    const most = (from: number, ms: number) => TASK_STATES[track.most(from, ms)];
    expect([most(0, 0.5), most(0, 30), most(0, 90), most(30, 60), most(90, 1000)]).toEqual([
      "Working",
      "Working",
      "Receiving",
      "Receiving",
      "Sending",
    ]);
    expect(new TaskTrack().most(0, 100)).toBe(NOTHING);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "tell from when on they look otherwise: what was before looks as it did, seed %i",
    (seed) => {
      const random = randomFrom(seed);
      const track = new TaskTrack();
      let looked: number[] = [];
      for (let atMs = 0; atMs < 300; ) {
        atMs += random() < 0.4 ? random() * 0.8 : random() * 6;
        const what = random();
        if (what < 0.05) track.lose();
        else if (what < 0.15) track.takeAligned(atMs);
        else track.enter(TASK_STATES[Math.floor(random() * TASK_STATES.length)] as TaskState, atMs);
        if (random() < 0.5) continue;
        const from = Math.min(track.takeChangedFrom(), looked.length);
        const looks = Array.from({ length: Math.floor(atMs) + 10 }, (_, ms) => track.at(ms));
        expect(looks.slice(0, from)).toEqual(looked.slice(0, from));
        looked = looks;
      }
      track.enter("Working", 400.5);
      expect(track.takeChangedFrom()).toBeLessThan(401);
      expect(track.takeChangedFrom()).toBe(Number.POSITIVE_INFINITY);
    },
  );

  it("stay the same where the minute begins anew in the middle of a stay", () => {
    const track = new TaskTrack();
    track.enter("Working", TRACK_MS - 10);
    track.enter("Sending", TRACK_MS + 10);
    expect([TRACK_MS - 10, TRACK_MS - 1, TRACK_MS, TRACK_MS + 9].map((ms) => nameAt(track, ms))).toEqual(
      Array(4).fill("Working"),
    );
    expect(nameAt(track, TRACK_MS + 10)).toBe("Sending");
  });
});
