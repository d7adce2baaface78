import { describe, expect, it } from "vitest";
import { epoch } from "../base/ids.ts";
import { Alignment, type AlignmentMode } from "./alignment.ts";

/** `0 b1`: input 0 delivers barrier 1; `0 eos`. Answers the completed epochs with what is held and missing after each line. */
function play(inputs: number, lines: readonly string[], mode: AlignmentMode = "aligned", start = 0): string[] {
  const alignment = new Alignment(inputs, mode, epoch(start));
  return lines.map((line) => {
    const [input, word] = [Number(line.slice(0, 1)), line.slice(2)];
    const done = word === "eos" ? alignment.end(input) : alignment.barrier(input, epoch(Number(word.slice(1))));
    const held = Array.from({ length: inputs }, (_, i) => i).filter((i) => alignment.holds(i));
    const parts = [done === undefined ? "" : `done ${done}`, held.length === 0 ? "" : `holds ${held}`];
    const missing = alignment.missing();
    if (missing.length > 0) parts.push(`misses ${missing}`);
    return parts.filter((part) => part !== "").join(", ");
  });
}

describe("Alignment", () => {
  it("F-39: with one input a barrier is complete on arrival", () => {
    expect(play(1, ["0 b1", "0 b2"])).toEqual(["done 1", "done 2"]);
  });

  it("F-39: with several inputs a barrier is complete when each has delivered it", () => {
    expect(play(3, ["1 b1", "0 b1", "2 b1"])).toEqual(["holds 1, misses 0,2", "holds 0,1, misses 2", "done 1"]);
  });

  it("F-40: an input is held from its barrier until the epoch is complete, the others are not", () => {
    expect(play(2, ["0 b1", "1 b1", "1 b2", "0 b2"])).toEqual([
      "holds 0, misses 1",
      "done 1",
      "holds 1, misses 0",
      "done 2",
    ]);
  });

  it("F-41, P-07: the end of an input completes the pending barrier at once", () => {
    expect(play(2, ["0 b1", "1 eos"])).toEqual(["holds 0, misses 1", "done 1"]);
  });

  it("F-41, P-07: an input that ended counts as aligned for every later barrier", () => {
    expect(play(3, ["1 eos", "0 b1", "2 b1", "2 eos", "0 b2"])).toEqual([
      "",
      "holds 0, misses 2",
      "done 1",
      "",
      "done 2",
    ]);
  });

  it("F-41: an end without a pending barrier completes nothing, and ending twice changes nothing", () => {
    expect(play(2, ["0 eos", "0 eos", "1 eos"])).toEqual(["", "", ""]);
  });

  it("F-46: all inputs ended is known", () => {
    const alignment = new Alignment(2, "aligned", epoch(0));
    alignment.end(0);
    expect([alignment.allEnded, alignment.hasEnded(0), alignment.hasEnded(1)]).toEqual([false, true, false]);
    alignment.end(1);
    expect(alignment.allEnded).toBe(true);
  });

  it("F-47: a later barrier on an input that skipped the pending one replaces it, and frees those that it held", () => {
    expect(play(2, ["0 b1", "1 b2", "0 b2"])).toEqual(["holds 0, misses 1", "holds 1, misses 0", "done 2"]);
  });

  it("D-8, P-37: an old barrier is no news, and holds nothing", () => {
    expect(play(2, ["0 b5", "1 b5", "0 b5", "1 b4", "0 b6", "1 b6"])).toEqual([
      "holds 0, misses 1",
      "done 5",
      "",
      "",
      "holds 0, misses 1",
      "done 6",
    ]);
  });

  it("D-8, P-37: a barrier older than the pending one does not restart the alignment", () => {
    expect(play(2, ["0 b6", "1 b5", "1 b6"])).toEqual(["holds 0, misses 1", "holds 0, misses 1", "done 6"]);
  });

  it("F-8: barriers up to the epoch that the run continues from are old", () => {
    expect(play(1, ["0 b7", "0 b8"], "aligned", 7)).toEqual(["", "done 8"]);
  });

  it("D-11: without alignment the first barrier of an epoch completes it and nothing is ever held", () => {
    expect(play(2, ["0 b1", "0 b2", "1 b1", "1 b2", "1 b3", "0 eos", "0 b3"], "none")).toEqual([
      "done 1",
      "done 2",
      "",
      "",
      "done 3",
      "",
      "",
    ]);
  });

  it("F-43: three barriers of a fast input align one by one with those of a slow one", () => {
    // What is held is asked for again: held barriers stay in their edge until then (D-1).
    expect(play(2, ["0 b1", "1 b1", "0 b2", "1 b2", "0 b3", "1 b3"])).toEqual([
      "holds 0, misses 1",
      "done 1",
      "holds 0, misses 1",
      "done 2",
      "holds 0, misses 1",
      "done 3",
    ]);
  });
});
