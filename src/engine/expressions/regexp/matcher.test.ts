import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fuzz } from "../../testing/fuzz.ts";
import { Matcher } from "./matcher.ts";
import { PatternError, type PatternFlags } from "./syntax.ts";

const NONE: PatternFlags = { ignoreCase: false, dotAll: false, multiline: false };

describe("patterns", () => {
  test.each<[string, string, number[] | null]>([
    ["b+", "abbc", [1, 3]],
    ["(a)(b)?", "ac", [0, 1, 0, 1, -1, -1]],
    ["a|ab", "ab", [0, 1]],
    ["(?:a|ab)c", "abc", [0, 3]],
    ["a*?b", "aab", [0, 3]],
    ["a{2,3}", "aaaa", [0, 3]],
    ["a{2,3}?", "aaaa", [0, 2]],
    ["a{2}", "a", null],
    ["^b", "ab", null],
    ["a$", "ba", [1, 2]],
    ["a$", "a\n", null],
    ["a.b", "a\nb", null],
    ["a.b", "a😀b", [0, 4]],
    ["[^a-c]", "abcd", [3, 4]],
    ["[]a]+", "x]a", [1, 3]],
    ["[a\\-z]+", "m-z", [1, 3]],
    ["[\\d_]+", "a12_b", [1, 4]],
    ["[^\\D]", "ab3", [2, 3]],
    ["\\bfoo\\b", "a foo b", [2, 5]],
    ["\\Boo", "foo", [1, 3]],
    ["\\x41\\x{1F600}", "A😀", [0, 3]],
    ["\\.\\*\\\\", ".*\\", [0, 3]],
    ["x{,3}", "x{,3}", [0, 5]],
    ["[[:alpha:]]+", "é1aZ_", [2, 4]],
    ["[^[:space:][:punct:]]+", " !ab-", [2, 4]],
    ["[[:^digit:]x]+", "1a😀2", [1, 4]],
    ["[/[:]+", "a:[/", [1, 4]],
    ["[a[:digit:]-]+", "x-a1", [1, 4]],
    ["", "ab", [0, 0]],
    ["(a*)*b", "aaab", [0, 4, 0, 3]],
    ["é", "e\u0301é", [2, 3]],
  ])("%s in %j", (pattern, text, match) => {
    expect(new Matcher(pattern, NONE).find(text)).toEqual(match);
  });

  test("flags", () => {
    expect(new Matcher("ÄB", { ...NONE, ignoreCase: true }).find("xäb")).toEqual([1, 3]);
    expect(new Matcher("[^a]", { ...NONE, ignoreCase: true }).find("Aa")).toBeNull();
    expect(new Matcher("a.b", { ...NONE, dotAll: true }).find("a\nb")).toEqual([0, 3]);
    expect(new Matcher("^b$", { ...NONE, multiline: true }).find("a\nb\nc")).toEqual([2, 3]);
  });

  test.each([
    ["(a", "a ( has no )"],
    ["a)", "a ) has no ("],
    ["[a", "a [ has no ]"],
    ["*a", "nothing stands before *"],
    ["a**", "a repetition is repeated"],
    ["a{3,2}", "{3,2} is no repetition of at most 1000"],
    ["a{1001}", "{1001} is no repetition of at most 1000"],
    ["(?=a)", "of groups with ?, there is only (?: )"],
    ["(?i)a", "(?i) is written as the function's last argument: 'i'"],
    ["[[:alfa:]]", "there is no class [:alfa:]"],
    ["(a)\\1", "it refers back to a group, which is not possible"],
    ["a\\", "it ends with a \\"],
    ["\\q", "there is no \\q"],
    ["[z-a]", "a range ends before it begins"],
    ["((a{1000}){1000}){1000}", "its repetitions make it too large"],
    ["(".repeat(200), "groups stand too deep in one another"],
  ])("%s is refused: %s", (pattern, message) => {
    expect(() => new Matcher(pattern, NONE)).toThrow(new PatternError(message));
  });

  it("takes time that pattern times text bounds, whatever they are", () => {
    const text = "a".repeat(2000);
    for (const pattern of ["(a+)+b", "(a|a)*b", "(a*)*(a*)*b", "(?:a|aa)+$x"]) {
      expect(new Matcher(pattern, NONE).find(text)).toBeNull();
    }
    expect(new Matcher("a{1000}b", NONE).find("a".repeat(400_000))).toBe("too long");
  });

  it("finds what the language's own matcher finds", () => {
    const atom = fc.constantFrom("a", "b", "ab", ".", "[ab]", "[^a]", "(a)", "(?:b|ab)", "(a|b)", "\\w", "\\b");
    const quantified = fc
      .tuple(atom, fc.constantFrom("", "", "*", "+", "?", "*?", "{1,2}"))
      .map(([a, q]) => (a === "\\b" ? a : a + q));
    const pattern = fc.oneof(
      fc.array(quantified, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
      fc.tuple(quantified, quantified).map(([a, b]) => `^${a}|${b}$`),
    );
    fuzz(
      fc.property(pattern, fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 10 }), (source, text) => {
        const found = new RegExp(source, "dv").exec(text) as
          | (RegExpExecArray & { indices: ([number, number] | undefined)[] })
          | null;
        const expected = found === null ? null : found.indices.slice(0, 1).flat();
        const actual = new Matcher(source, NONE).find(text);
        expect(actual === null ? null : actual.slice(0, 2), `${source} in ${text}`).toEqual(expected);
      }),
      1000,
    );
  });
});
