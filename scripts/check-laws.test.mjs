import { describe, expect, it } from "vitest";
import { chosen, citation, lawRows, problems, testNames } from "./lib/laws.mjs";

const test = (/** @type {string} */ name, file = "src/engine/core/a.test.ts") => ({ file, name });
const row = (/** @type {string} */ law, /** @type {string} */ held) => `| ${law} | says | ${held} |`;

/**
 * @param {string} table
 * @param {Record<string, { file: string, name: string }[]>} tests
 */
const wrong = (table, tests) => problems(lawRows(table), new Map(Object.entries(tests)));

describe("the table of laws", () => {
  it("finds the names of tests, of tables of cases and of contract cases, and no expected text", () => {
    const source = [
      'it("F-1: one", () => {});',
      "it(`F-2: two $" + "{n}`, () => {});",
      'it.each([["F-3: three", 1]])("F-4: four %s", () => {});',
      '{ name: "F-5: five", run }',
      'expect(x).toEqual(["F-6: no name", "F-7: none", 3]);',
      'it("says \\"F-8\\"", () => {});',
    ].join("\n");
    expect(testNames(source)).toEqual([
      "F-1: one",
      "F-2: two $" + "{n}",
      "F-3: three",
      "F-4: four %s",
      "F-5: five",
      'says "F-8"',
    ]);
  });

  it("accepts laws whose tests exist, and laws that say what they need", () => {
    const held = test("F-1: a | b");
    const table = [row("F-1", citation(held)), row("D-2", "not built: needs a store")].join("\n");
    expect(wrong(table, { "F-1": [held] })).toEqual([]);
  });

  it("finds a test that is gone, a law without any, and a law that was built meanwhile", () => {
    expect(wrong(row("F-1", "`core/a.test.ts` F-1: old name"), { "F-1": [test("F-1: new name")] })).toEqual([
      "F-1: no such test: `core/a.test.ts` F-1: old name",
    ]);
    expect(wrong(row("F-1", ""), {})).toEqual(["F-1: no such test: "]);
    expect(wrong(row("F-1", "not built: needs x"), { "F-1": [test("F-1: it is")] })).toEqual([
      "F-1 is called not built: but has a test: F-1: it is",
    ]);
  });

  it("finds a test that names a law that does not exist", () => {
    expect(wrong("", { "F-99": [test("F-99: what")] })).toEqual([
      "F-99 is no law of the table, but src/engine/core/a.test.ts names it: F-99: what",
    ]);
  });

  it("names first the tests that name the law first, one a file, at most three", () => {
    const tests = [
      test("F-2, F-1: second"),
      test("F-1: first"),
      test("F-1: same file"),
      ...["b", "c", "d"].map((name) => test(`F-1: ${name}`, `src/${name}.test.ts`)),
    ];
    expect(chosen("F-1", tests).map(({ name }) => name)).toEqual(["F-1: first", "F-1: b", "F-1: c"]);
  });
});
