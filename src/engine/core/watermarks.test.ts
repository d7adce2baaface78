import { describe, expect, it } from "vitest";
import { END, IDLE, timeMark } from "../base/event-time.ts";
import { taskId } from "../base/ids.ts";
import { markText } from "../testing/scripted-task.ts";
import { type TimeChange, WatermarkTable } from "./watermarks.ts";

/** `0 5`: input 0 says 5 (by task 100); `0 5/7`: by task 7; `0 idle`, `0 end`, `0 eos`. Answers what each line made of the time. */
function play(table: WatermarkTable, lines: readonly string[]): string[] {
  return lines.map((line) => {
    const [input, word, by] = [Number(line[0]), line.slice(2).split("/")[0], line.split("/")[1] ?? 100];
    if (word === "eos") return text(table.endInput(input));
    const mark = word === "idle" ? IDLE : word === "end" ? END : timeMark(Number(word));
    return text(table.update(input, taskId(Number(by)), mark));
  });
}

function text({ advancedTo, becameIdle, ended }: TimeChange): string {
  return [advancedTo === undefined ? "" : `time ${advancedTo}`, becameIdle ? "idle" : "", ended ? "end" : ""]
    .filter((part) => part !== "")
    .join(", ");
}

const merged = (inputs: number, ...lines: string[]) => play(new WatermarkTable(inputs), lines);

describe("WatermarkTable", () => {
  it("F-17, F-22: time is the minimum, once every input has spoken: a fast source says 1000, a slow one 5, and it fires once, at 5", () => {
    expect(merged(2, "0 1000", "1 5", "1 eos", "0 2000", "0 eos")).toEqual(["", "time 5", "", "", ""]);
  });

  it("F-17: the idle marker counts as having spoken", () => {
    expect(merged(2, "0 7", "1 idle")).toEqual(["", "time 7"]);
  });

  it("F-17: no time passes before every input has spoken, however much the others say", () => {
    expect(merged(3, "0 1", "1 2", "0 9", "1 9", "0 idle", "2 4")).toEqual(["", "", "", "", "", "time 4"]);
  });

  it("F-16: the latest watermark counts, by input and by who said it", () => {
    expect(merged(1, "0 50/1", "0 30/2", "0 60/2", "0 55/1")).toEqual(["time 50", "", "", "time 55"]);
  });

  it("F-18: combined time is strictly increasing: lower and equal minima are ignored", () => {
    expect(merged(1, "0 5", "0 5", "0 4", "0 6")).toEqual(["time 5", "", "", "time 6"]);
  });

  it("F-21: an input that comes back from idleness with a lower time holds progress but moves nothing back", () => {
    expect(merged(2, "0 10", "1 4", "1 idle", "0 20", "1 15", "0 30", "1 31")).toEqual([
      "",
      "time 4",
      "time 10",
      "time 20",
      "",
      "",
      "time 30",
    ]);
  });

  it("F-20, D-3: when every input is idle the marker goes out once, and not on each further idle message", () => {
    expect(merged(2, "0 idle", "1 idle", "0 idle", "1 idle")).toEqual(["", "idle", "", ""]);
  });

  it("D-3: after a new active phase the idle marker goes out again", () => {
    expect(merged(1, "0 1", "0 idle", "0 2", "0 idle")).toEqual(["time 1", "idle", "time 2", "idle"]);
  });

  it("D-3, P-21: when the last active input goes idle, time first advances to what the others had said", () => {
    const first = ["0 5", "1 3"];
    const then = ["1 4", "1 9", "0 6"];
    const expected = ["time 3", "time 5", "time 9"];
    const times = (lines: string[]) => merged(2, ...lines).flatMap((line) => /time \d+/.exec(line) ?? []);
    expect(times([...first, "0 idle", "1 idle", ...then])).toEqual(expected);
    expect(times([...first, "1 idle", "0 idle", ...then])).toEqual(expected);
  });

  it("D-3, P-21: the advance to the maximum and the idle marker come together, in that order", () => {
    expect(merged(2, "0 5", "1 3", "0 idle", "1 idle")).toEqual(["", "time 3", "", "time 5, idle"]);
    expect(merged(2, "0 5", "1 3", "1 idle", "0 idle")).toEqual(["", "time 3", "time 5", "idle"]);
  });

  it("D-3: END entries leave the minimum", () => {
    expect(merged(2, "0 5", "1 3", "1 end", "0 8")).toEqual(["", "time 3", "time 5", "time 8"]);
  });

  it("D-3: END entries leave the maximum too: what an ended input had said is not what the idle ones had said", () => {
    expect(merged(2, "0 50", "1 3", "0 end", "1 idle")).toEqual(["", "time 3", "", "idle"]);
  });

  it("D-3: END goes out once, only when every entry is END", () => {
    expect(merged(2, "0 end", "1 3", "1 end", "1 end", "0 end")).toEqual(["", "time 3", "end", "", ""]);
  });

  it("D-3: an idle entry beside END ones is idleness, not the end of time", () => {
    expect(merged(2, "0 end", "1 idle", "1 end")).toEqual(["", "idle", "end"]);
  });

  it("D-3: the end of the last active input leaves the idle ones: time advances to what they had said", () => {
    expect(merged(2, "0 10", "1 20", "1 idle", "0 end")).toEqual(["", "time 10", "", "time 20, idle"]);
  });

  it("P-43: END of an idle input is the end of time", () => {
    expect(merged(1, "0 3", "0 idle", "0 end")).toEqual(["time 3", "idle", "end"]);
  });

  it("F-23, D-3: an input at Eos counts as having spoken", () => {
    expect(merged(2, "0 7", "1 eos", "0 9")).toEqual(["", "time 7", "time 9"]);
  });

  it("F-22: Eos leaves the last watermark of its input in the minimum", () => {
    expect(merged(2, "0 7", "1 5", "1 eos", "0 9")).toEqual(["", "time 5", "", ""]);
  });

  it("D-4, P-48: an input that was stopped before it said anything does not end time for the others", () => {
    expect(merged(2, "0 end", "1 eos", "0 eos")).toEqual(["", "", ""]);
    expect(merged(2, "1 eos", "0 3", "0 end")).toEqual(["", "time 3", ""]);
  });

  it("D-4, P-48: nor does one that was stopped at some time", () => {
    expect(merged(2, "0 3", "1 5", "1 eos", "0 end", "0 eos")).toEqual(["", "time 3", "", "time 5", ""]);
  });

  it("D-3: after END nothing changes any more", () => {
    expect(merged(1, "0 end", "0 9", "0 idle", "0 eos")).toEqual(["end", "", "", ""]);
  });

  it("D-3: unknown, a time, idle and END of an input are told apart, for the probe", () => {
    const table = new WatermarkTable(1);
    const marks = ["", "0 5", "0 7/1", "0 idle", "0 idle/1", "0 end", "0 end/1"].map((line) => {
      if (line !== "") play(table, [line]);
      const mark = table.markOf(0);
      return mark === undefined ? "unknown" : markText(mark);
    });
    expect(marks).toEqual(["unknown", "5", "5", "7", "idle", "idle", "end"]);
  });

  it("D-7: a table that continues from a snapshot does not fire again what was fired before", () => {
    const table = new WatermarkTable(1);
    table.restore(10, false);
    expect([table.time, ...play(table, ["0 10", "0 11"])]).toEqual([10, "", "time 11"]);
  });

  it("D-3: idle and ended are states that can be asked for", () => {
    const table = new WatermarkTable(1);
    const states = ["0 idle", "0 4", "0 idle", "0 end"].map((line) => {
      play(table, [line]);
      return [table.isIdle, table.isEnded, table.time];
    });
    expect(states).toEqual([
      [true, false, undefined],
      [false, false, 4],
      [true, false, 4],
      [false, true, 4],
    ]);
  });
});
