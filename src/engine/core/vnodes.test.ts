import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ownerOfVnode, vnodeRanges } from "./vnodes.ts";

interface Case {
  readonly id: string;
  readonly input: { readonly cases: readonly (readonly [vnodes: number, tasks: number])[] };
  readonly expected: unknown;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("../testing/cases/runtime.json", import.meta.url), "utf8"),
);

test("FV-01: range i is [⌊v·i/t⌋, ⌊v·(i+1)/t⌋), with t brought into 1 … v (F-77)", () => {
  const found = cases.find(({ id }) => id === "FV-01");
  expect(found?.input.cases.map(([vnodes, tasks]) => vnodeRanges(vnodes, tasks))).toEqual(found?.expected);
  expect(found?.input.cases).toHaveLength(6);
});

test("128 vnodes over 3 subtasks are 0–41, 42–84 and 85–127 (A-3)", () => {
  expect(vnodeRanges(128, 3)).toEqual([
    [0, 42],
    [42, 85],
    [85, 128],
  ]);
});

describe("every vnode has exactly one owner (F-76)", () => {
  test.each([1, 2, 3, 7, 64, 128])("%i subtasks", (tasks) => {
    const ranges = vnodeRanges(128, tasks);
    for (let vnode = 0; vnode < 128; vnode++) {
      expect(ranges.filter(([from, to]) => from <= vnode && vnode < to)).toHaveLength(1);
      const [from, to] = ranges[ownerOfVnode(vnode, ranges)] ?? [0, 0];
      expect(from <= vnode && vnode < to).toBe(true);
    }
  });
});
