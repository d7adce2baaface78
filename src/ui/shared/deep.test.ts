import { expect, test } from "vitest";
import { fieldName, getIn, setIn } from "./deep.ts";

test("a value is set at its path, and what is beside it is shared", () => {
  const before = { a: { b: 1 }, c: [{ d: 2 }, { d: 3 }] };
  const after = setIn(before, ["c", 1, "d"], 4);
  expect(after).toEqual({ a: { b: 1 }, c: [{ d: 2 }, { d: 4 }] });
  expect(after.a).toBe(before.a);
  expect(after.c[0]).toBe(before.c[0]);
});

test("undefined removes a property", () => {
  expect(setIn({ a: 1, b: { c: 2 } }, ["b", "c"], undefined)).toEqual({ a: 1, b: {} });
});

test("what is missing on the way is made: a list for a number, else an object", () => {
  expect(setIn({}, ["a", 0, "b"], 1)).toEqual({ a: [{ b: 1 }] });
});

test("no path leads into a prototype", () => {
  expect(getIn({}, ["toString"])).toBeUndefined();
  const made = setIn({}, ["__proto__", "x"], 1);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(Object.hasOwn(made, "__proto__")).toBe(true);
});

test("paths are named as problems name fields", () => {
  expect(fieldName(["config", "rows", 3, "name"])).toBe("config.rows[3].name");
});
