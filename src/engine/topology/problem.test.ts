import { describe, expect, test } from "vitest";
import type { PatchOperation } from "../operators/catalog.ts";
import { applyPatch, fieldPath, pointer } from "./problem.ts";

const document = { a: { "b/c~d": [1, 2, 3] }, list: [{ x: 1 }] };

describe("applying a patch", () => {
  test.each<[string, PatchOperation, unknown]>([
    [
      "replaces a value",
      { op: "replace", path: "/a/b~1c~0d/1", value: 9 },
      { a: { "b/c~d": [1, 9, 3] }, list: [{ x: 1 }] },
    ],
    ["adds a field", { op: "add", path: "/list/0/y", value: null }, { ...document, list: [{ x: 1, y: null }] }],
    ["inserts into a list", { op: "add", path: "/list/0", value: 0 }, { ...document, list: [0, { x: 1 }] }],
    ["appends to a list", { op: "add", path: "/list/-", value: 0 }, { ...document, list: [{ x: 1 }, 0] }],
    ["removes a field", { op: "remove", path: "/list/0/x" }, { ...document, list: [{}] }],
    ["removes from a list", { op: "remove", path: "/list/0" }, { ...document, list: [] }],
    [
      "adds a field named __proto__ as a field",
      { op: "add", path: "/__proto__", value: 1 },
      JSON.parse('{"a":{"b/c~d":[1,2,3]},"list":[{"x":1}],"__proto__":1}'),
    ],
  ])("%s", (_, operation, expected) => {
    const before = structuredClone(document);
    expect(applyPatch<unknown>(document, [operation])).toEqual(expected);
    expect(document).toEqual(before);
  });

  test("shares what it does not change", () => {
    expect(applyPatch(document, [{ op: "remove", path: "/list/0" }]).a).toBe(document.a);
  });

  test("a path that leads nowhere is an error, not a silent nothing", () => {
    expect(() => applyPatch(document, [{ op: "replace", path: "/list/5/x", value: 1 }])).toThrow("leads nowhere");
    expect(() => applyPatch(document, [{ op: "replace", path: "/b/c", value: 1 }])).toThrow("leads nowhere");
    expect(() => applyPatch(document, [{ op: "remove", path: "/list/x" }])).toThrow("leads nowhere");
  });
});

test("pointers and field paths", () => {
  expect(pointer("nodes", 2, "a/b~c")).toBe("/nodes/2/a~1b~0c");
  expect(fieldPath(["config", "rows", 3, "x"])).toBe("config.rows[3].x");
});
