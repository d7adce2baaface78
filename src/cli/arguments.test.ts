import { describe, expect, it } from "vitest";
import { type CommandSpec, oneOf, parseArguments, Refusal, seconds, wholeNumber } from "./arguments.ts";

const SPEC: CommandSpec = {
  name: "run",
  operand: "GRAPH",
  summary: "",
  options: { seed: { value: "N", summary: "" }, report: { value: "FILE", summary: "" }, json: { summary: "" } },
};

const parse = (...words: string[]) => parseArguments(SPEC, words);

function problems(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.problems.map(({ message, hint }) => `${message}; ${hint ?? ""}`);
    throw error;
  }
  return [];
}

describe("arguments of a command", () => {
  it("are an operand and options, in any order, with = or a space before a value", () => {
    const read = parse("--seed=7", "graph.json", "--json", "--report", "-");
    expect(read.operand).toBe("graph.json");
    expect(Object.fromEntries(read.options)).toEqual({ seed: "7", json: "", report: "-" });
    expect(parse("--", "--odd-name.json").operand).toBe("--odd-name.json");
    expect(parse("-").operand).toBe("-");
  });

  it("are refused all at once, with the option that was meant", () => {
    expect(problems(() => parse("--sede", "--jsno", "--frobnicate", "a", "b"))).toEqual([
      'weir run has no option "--sede"; did you mean --seed?',
      'weir run has no option "--jsno"; did you mean --json?',
      'weir run has no option "--frobnicate"; the options are --seed, --report, --json',
      '"b" is too much: weir run takes one GRAPH; leave it out',
    ]);
    expect(problems(() => parse())).toEqual(["weir run needs GRAPH; write weir run GRAPH"]);
    expect(problems(() => parse("g", "-s"))).toEqual([
      'weir run has no option "-s"; the options are --seed, --report, --json',
    ]);
    expect(problems(() => parse("g", "--__proto__", "--constructor=1"))).toHaveLength(2);
  });

  it("never take an option for the value of another one, and take no value twice", () => {
    expect(problems(() => parse("g", "--report", "--seed"))).toContain("--report needs a value; write --report FILE");
    expect(problems(() => parse("g", "--report="))).toEqual(["--report needs a value; write --report FILE"]);
    expect(problems(() => parse("g", "--report"))).toEqual(["--report needs a value; write --report FILE"]);
    expect(problems(() => parse("g", "--json=yes"))).toEqual(["--json takes no value; write --json alone"]);
    expect(problems(() => parse("g", "--seed", "1", "--seed", "2"))).toEqual(["--seed is given twice; give it once"]);
  });

  it("are numbers only where they are written as numbers", () => {
    expect(wholeNumber(parse("g", "--seed", "0"), "seed")).toBe(0);
    expect(wholeNumber(parse("g"), "seed")).toBeUndefined();
    for (const text of ["-1", "1.5", "1e3", "0x10", "nine", "9007199254740993", " 1"]) {
      expect(
        problems(() => wholeNumber(parse("g", `--seed=${text}`), "seed")),
        text,
      ).toHaveLength(1);
    }
    expect(seconds(parse("g", "--seed", "2.5"), "seed")).toBe(2.5);
    expect(seconds(parse("g", "--seed", ".5"), "seed")).toBe(0.5);
    for (const text of ["0", "-1", "1s", "Infinity", "1e400", "."]) {
      expect(
        problems(() => seconds(parse("g", `--seed=${text}`), "seed")),
        text,
      ).toHaveLength(1);
    }
  });

  it("are one of a few words, or the nearest one is offered", () => {
    expect(oneOf(parse("g", "--seed", "lab"), "seed", ["threads", "lab"])).toBe("lab");
    expect(problems(() => oneOf(parse("g", "--seed", "thread"), "seed", ["threads", "lab"]))).toEqual([
      '--seed must be threads or lab, not "thread"; did you mean threads?',
    ]);
  });
});
