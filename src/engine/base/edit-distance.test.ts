import { describe, expect, test } from "vitest";
import { closest, editDistance } from "./edit-distance.ts";

test("insertions, deletions, replacements and swapped neighbours count one each", () => {
  expect([editDistance("", "abc"), editDistance("abc", "abc"), editDistance("abc", "acb")]).toEqual([3, 0, 1]);
  expect(editDistance("kitten", "sitting")).toBe(3);
});

describe("the nearest name is what the person probably meant", () => {
  test.each<[string, string[], string | undefined]>([
    ["selct", ["select", "drop"], "select"],
    ["Path", ["path"], "path"],
    ["delay", ["kind", "delayMs"], "delayMs"],
    ["input", ["in"], "in"],
    ["kafka", ["source.rows", "select"], undefined],
    ["a", ["b"], "b"],
    ["", ["in"], undefined],
    ["x".repeat(100_000), ["x".repeat(100_001)], undefined],
  ])("%s", (name, candidates, expected) => {
    expect(closest(name, candidates)).toBe(expected);
  });
});
