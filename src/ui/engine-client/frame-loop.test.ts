import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrameLoop } from "./frame-loop.ts";

let frames: ((nowMs: number) => void)[] = [];
const reported: unknown[] = [];

const frame = (nowMs: number) => {
  const due = frames;
  frames = [];
  for (const each of due) each(nowMs);
};

beforeEach(() => {
  frames = [];
  reported.length = 0;
  vi.stubGlobal("requestAnimationFrame", (callback: (nowMs: number) => void) => frames.push(callback));
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
});

afterEach(() => vi.unstubAllGlobals());

test("a listener that fails is reported, and stops neither the others nor the loop", () => {
  const loop = new FrameLoop();
  const heard: number[] = [];
  const broken = new Error("no canvas");
  loop.listen(() => {
    throw broken;
  });
  loop.listen((nowMs) => heard.push(nowMs));
  loop.turn(true);
  frame(1);
  frame(2);
  expect(heard).toEqual([1, 2]);
  expect(reported).toEqual([broken, broken]);
});

test("a loop that is off turns once for everyone who asks, and no more", () => {
  const loop = new FrameLoop();
  const heard: number[] = [];
  const stop = loop.listen((nowMs) => heard.push(nowMs));
  loop.request();
  frame(1);
  frame(2);
  expect(heard).toEqual([1]);
  loop.request();
  stop();
  frame(3);
  expect(heard).toEqual([1]);
});
