import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WeirError } from "../base/errors.ts";
import { parseJson } from "./json-text.ts";
import { writeJson } from "./json-write.ts";

function refusal(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof WeirError) return `line ${error.data.line}: ${error.data.message}; ${error.data.hint ?? ""}`;
    throw error;
  }
  return "accepted";
}

describe("numbers keep every digit (P-02)", () => {
  test.each<[string, unknown]>([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -9223372036854775808n],
    ["18446744073709551615", 18446744073709551615n],
    ["1e21", 1e21],
    ["100000000000000000000000", 100000000000000000000000n],
    ["0.1", 0.1],
    ["1.50", 1.5],
    ["-0", -0],
    ["0.000", 0],
    ["0.10000000000000000001", "0.10000000000000000001"],
    ["123456789012345678.25", "123456789012345678.25"],
    ["5e-324", 5e-324],
    ["1e-400", "1e-400"],
    ["1.00000000000000000001", "1.00000000000000000001"],
    ["9007199254740990.9", "9007199254740990.9"],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  test("two ids that a double cannot tell apart stay two", () => {
    expect(parseJson("[9007199254740993, 9007199254740992]")).toEqual([9007199254740993n, 9007199254740992n]);
  });

  test("a number beyond the range of doubles is refused, not made infinite", () => {
    expect(refusal("[1e400]")).toBe("line 1: 1e400 is too large for a number (column 2); write it as text");
  });
});

test("what JSON.parse reads without loss is read the same", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, "\t"), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      expect(parseJson(spaced)).toEqual(JSON.parse(spaced, exactIntegers));
    }),
  );
});

test("what is written is read back the same, bigints, −0 and any text included", () => {
  const value = fc.jsonValue({ noUnicodeString: false, depthSize: "medium" });
  const tree = fc.array(fc.oneof(value, fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 200n })));
  fc.assert(
    fc.property(tree, (each) => {
      expect(parseJson(writeJson(each))).toEqual(each);
    }),
  );
});

test("what JSON cannot say is not written", () => {
  expect(() => writeJson([Number.NaN])).toThrow("JSON has no NaN");
  expect(() => writeJson({ f: () => 1 })).toThrow("JSON has no function");
  expect(writeJson({ a: undefined, b: [undefined] })).toBe('{\n  "b": [null]\n}\n');
});

test("__proto__ is a name like any other and changes no prototype", () => {
  const value = parseJson('{"__proto__": {"polluted": true}, "constructor": 1}') as object;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect("polluted" in value).toBe(false);
  expect(writeJson(value)).toContain('"__proto__": { "polluted": true }');
});

describe("a fault is told with its line and column", () => {
  test.each<[string, string]>([
    ["", "line 1: the file is empty (column 1); open a graph document"],
    [" \n\t", "line 2: the file is empty (column 2); open a graph document"],
    [
      "<!doctype html>\n<html>",
      "line 1: this is HTML or XML, not JSON (column 1); perhaps a web page was saved instead of the document itself",
    ],
    ['{\n  "a": 1,\n  "b" 2\n}', 'line 3: expected :, found "2" (column 7); '],
    ['{"a": 1,}', "line 1: a comma before the closing bracket (column 9); remove the comma"],
    ["[1\n 2]", 'line 2: expected , or ], found "2" (column 2); '],
    ['{"a": 1', "line 1: expected , or }, found the end (column 8); the file seems cut off"],
    ['["abc', "line 1: the text that starts here does not end (column 2); close it with a double quote"],
    ['["a\nb"]', "line 1: a line break or control character inside text (column 4); write it as an escape like \\n"],
    ['["\\x"]', "line 1: \\x is no escape of JSON (column 3); "],
    ['["\\u12g4"]', "line 1: \\u is no escape of JSON (column 3); "],
    ["[NaN]", "line 1: NaN is no value (column 2); write numbers, true, false, null or text in double quotes"],
    ["[01]", "line 1: 01] is no number of JSON (column 2); "],
    ["[+1]", 'line 1: expected a value, found "+" (column 2); '],
    ["[1] // no", 'line 1: "/" after the end of the document (column 5); '],
    ["[ // no\n1]", 'line 1: expected a value, found "/" (column 3); JSON has no comments'],
    ["{a: 1}", 'line 1: expected a name in double quotes, found "a" (column 2); '],
    ['{"a": 1,\n "a": 2}', 'line 2: the name "a" stands twice in one object (column 2); remove one'],
  ])("%j", (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test("a byte order mark is passed over", () => {
    expect(parseJson("\uFEFF[1]")).toEqual([1]);
  });

  test("nesting of any depth is refused without a crash (P-61)", () => {
    const message = "line 1: nested more than 100 deep (column 101); a graph document is flat";
    expect(refusal("[".repeat(100_000))).toBe(message);
    expect(refusal(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBe(message);
    expect(refusal('{"a":'.repeat(100_000))).toContain("nested more than 100 deep");
    expect(parseJson(`${"[".repeat(100)}${"]".repeat(100)}`)).toBeInstanceOf(Array);
  });

  test("any text is read like JSON.parse does, or refused: broken, a name twice, a number too large", () => {
    const text = fc.stringMatching(/^[[\]{}",:0-9eE+.\-a\\u \n]{0,40}$/);
    const lossless = fc.oneof(
      text,
      text.map((inner) => `[${inner}]`),
      text.map((inner) => `{"a":${inner}}`),
    );
    fc.assert(
      fc.property(lossless, (each) => {
        const said = refusal(each);
        if (!isJson(each)) expect(said).not.toBe("accepted");
        else if (said !== "accepted") expect(said).toMatch(/stands twice|too large/);
      }),
      { numRuns: 3000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** For `JSON.parse`, of texts that it wrote itself: an integer beyond 2^53 as `parseJson` reads it. */
function exactIntegers(_: string, value: unknown): unknown {
  const large = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return large && Math.abs(value) < 1e21 ? BigInt(String(value)) : value;
}
