import { expect, test } from "vitest";
import { ownerOfVnode, vnodeRanges } from "./vnodes.ts";

test.each([
  [
    64,
    5,
    [
      [0, 12],
      [12, 25],
      [25, 38],
      [38, 51],
      [51, 64],
    ],
  ],
  [
    64,
    4,
    [
      [0, 16],
      [16, 32],
      [32, 48],
      [48, 64],
    ],
  ],
  [
    4,
    9,
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
  ],
  [
    8,
    3,
    [
      [0, 2],
      [2, 5],
      [5, 8],
    ],
  ],
  [
    64,
    2,
    [
      [0, 32],
      [32, 64],
    ],
  ],
  [7, 0, [[0, 7]]],
])("%i vnodes over %i tasks are the ranges of F-77 (FV-01)", (vnodes, tasks, ranges) => {
  expect(vnodeRanges(vnodes, tasks)).toEqual(ranges);
});

test("128 key groups over 3 subtasks: 0–41, 42–84, 85–127 (A-3)", () => {
  expect(vnodeRanges(128, 3).map(([from, to]) => [from, to - 1])).toEqual([
    [0, 41],
    [42, 84],
    [85, 127],
  ]);
});

test("every vnode has exactly one owner, ranges are in order and not empty (F-77)", () => {
  for (let vnodes = 1; vnodes <= 40; vnodes++) {
    for (let tasks = 1; tasks <= 45; tasks++) {
      const ranges = vnodeRanges(vnodes, tasks);
      expect(ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual([
        ...Array(vnodes).keys(),
      ]);
      expect(ranges.every(([from, to]) => from < to)).toBe(true);
      ranges.forEach(([from, to], i) => {
        expect([ownerOfVnode(from, ranges), ownerOfVnode(to - 1, ranges)]).toEqual([i, i]);
      });
    }
  }
});
