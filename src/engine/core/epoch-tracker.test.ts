import { describe, expect, it } from "vitest";
import { epoch, taskId } from "../base/ids.ts";
import { encodeText, snapshotText } from "../testing/scripted-task.ts";
import { type CompletedEpoch, EpochTracker } from "./epoch-tracker.ts";

const said = (text: string) => ({ stages: [{ state: encodeText(text), time: { fired: undefined, said: undefined } }] });

/** `snapshot 0@1 x`, `ack 2@1 x`, `drained 0 x`, `ended 0 x`, `ended 0`, `finished 0`, `issue 1`, `abort 1`. */
function act(tracker: EpochTracker, line: string): CompletedEpoch[] {
  const [word = "", where = "", text] = line.split(" ");
  const [task, e] = where.split("@").map(Number);
  const id = taskId(task ?? 0);
  switch (word) {
    case "issue":
      tracker.issue(epoch(Number(where)));
      return [];
    case "abort":
      return tracker.abort(epoch(Number(where)));
    case "snapshot":
      return tracker.snapshot(id, epoch(e ?? 0), said(text ?? "s"));
    case "ack":
      return tracker.ack(id, epoch(e ?? 0), said(text ?? "p"));
    case "drained":
      tracker.drained(id, said(text ?? ""));
      return [];
    case "ended":
      return tracker.end(id, text === undefined ? null : said(text));
    default:
      return tracker.finish(id);
  }
}

const part = (entries: CompletedEpoch["snapshots"]): string =>
  entries.map(([task, snapshot]) => `${task}:${JSON.parse(snapshotText(snapshot))}`).join(" ");

/** What each line completes: `1 [0:x 1:y | 2:z]`, snapshots and pre-commits. */
function play(tasks: number, lines: readonly string[], start = 0): string[] {
  const tracker = new EpochTracker(
    Array.from({ length: tasks }, (_, i) => taskId(i)),
    epoch(start),
  );
  return lines.map((line) =>
    act(tracker, line)
      .map(({ epoch: e, snapshots, precommits }) => `${e} [${part(snapshots)} | ${part(precommits)}]`)
      .join(", "),
  );
}

describe("EpochTracker", () => {
  it("F-50, F-51: an epoch is complete when every task has reported it, with the snapshots by task, sinks apart (D-14)", () => {
    expect(play(3, ["snapshot 1@1 b", "ack 2@1 p", "snapshot 0@1 a"])).toEqual(["", "", "1 [0:a 1:b | 2:p]"]);
  });

  it("F-50: epochs complete in order: a later one waits, and one event may complete several", () => {
    expect(play(2, ["snapshot 0@1", "snapshot 0@2", "snapshot 1@2", "snapshot 1@1"])).toEqual([
      "",
      "",
      "",
      "1 [0:s 1:s | ], 2 [0:s 1:s | ]",
    ]);
  });

  it("F-52: a drained source's last word is in every later epoch, and its own report wins where it made one", () => {
    expect(play(2, ["snapshot 0@1 own", "drained 0 last", "finished 0", "snapshot 1@1", "snapshot 1@2"])).toEqual([
      "",
      "",
      "",
      "1 [0:own 1:s | ]",
      "2 [0:last 1:s | ]",
    ]);
  });

  it("F-53, D-15: a task that ended, or finished, counts as reported", () => {
    expect(play(2, ["issue 1", "snapshot 0@1", "ended 1"])).toEqual(["", "", "1 [0:s | ]"]);
    expect(play(2, ["issue 1", "snapshot 0@1", "finished 1"])).toEqual(["", "", "1 [0:s | ]"]);
  });

  it("D-4, D-13: the state that a stopped task left at its end is part of the epochs that it does not report", () => {
    // A stop: barrier 1, then the sink seals what was flushed behind it as epoch 2.
    expect(
      play(3, [
        "snapshot 0@1 at1",
        "ended 0 at1",
        "snapshot 1@1 open-windows",
        "ack 2@1 p1",
        "ended 1 open-windows",
        "ack 2@2 p2",
        "ended 2 p2",
      ]),
    ).toEqual(["", "", "", "1 [0:at1 1:open-windows | 2:p1]", "", "2 [0:at1 1:open-windows | 2:p2]", ""]);
  });

  it("D-14: what a sink that ended has staged is in the epochs after its last one until it finished", () => {
    expect(play(2, ["ack 1@1 rows", "ended 1 rows", "abort 1", "snapshot 0@2", "finished 1", "snapshot 0@3"])).toEqual([
      "",
      "",
      "",
      "2 [0:s | 1:rows]",
      "",
      "3 [0:s | ]",
    ]);
  });

  it("D-13: an epoch that a sink sealed without a barrier completes when everybody reported or ended", () => {
    expect(play(3, ["drained 0 all", "ended 0", "ended 1", "ack 2@1 tail"])).toEqual([
      "",
      "",
      "",
      "1 [0:all | 2:tail]",
    ]);
  });

  it("D-13: several sinks may end in different epochs: they complete in order", () => {
    const tracker = ["ended 0", "ack 1@4", "ended 1", "ack 2@6", "ended 2"];
    expect(play(3, ["snapshot 0@1", "ack 1@1", "ack 2@1", ...tracker])).toEqual([
      "",
      "",
      "1 [0:s | 1:p 2:p]",
      "",
      "",
      "",
      // Epoch 4 waited for the other sink, which reports 6 first: it is behind it, not lost.
      "",
      "4 [ | 1:p], 6 [ | 2:p]",
    ]);
  });

  it("D-8: an aborted epoch never completes, its reports are dropped, and a later one may complete", () => {
    expect(play(2, ["issue 1", "snapshot 0@1", "abort 1", "snapshot 1@1", "snapshot 0@2", "snapshot 1@2"])).toEqual([
      "",
      "",
      "",
      "",
      "",
      "2 [0:s 1:s | ]",
    ]);
  });

  it("D-8: an epoch that only waited for the aborted one is complete with the abort", () => {
    expect(play(2, ["issue 1", "snapshot 0@1", "snapshot 0@2", "snapshot 1@2", "abort 1"])).toEqual([
      "",
      "",
      "",
      "",
      "2 [0:s 1:s | ]",
    ]);
  });

  it("D-8, D-13: when everything is over and the last epochs were aborted, one more commits what their sinks staged", () => {
    expect(
      play(2, ["issue 1", "snapshot 0@1", "abort 1", "ack 1@1 rows", "ended 0 end", "ended 1 rows", "finished 0"]),
    ).toEqual(["", "", "", "", "", "2 [0:end | 1:rows]", ""]);
  });

  it("D-8: it says who has not reported: not those that ended", () => {
    const tracker = new EpochTracker([0, 1, 2, 3].map(taskId), epoch(0));
    for (const line of ["issue 1", "snapshot 0@1", "ack 1@1", "ended 2"]) act(tracker, line);
    expect([tracker.missing(epoch(1)), tracker.missing(epoch(2))]).toEqual([[3], []]);
    expect([tracker.isPending(epoch(1)), tracker.isPending(epoch(2)), tracker.pendingEpochs]).toEqual([
      true,
      false,
      [1],
    ]);
  });

  it("F-8: reports of epochs that the run continues from, or that are complete, are no news", () => {
    expect(play(1, ["snapshot 0@7", "snapshot 0@8", "snapshot 0@8"], 7)).toEqual(["", "8 [0:s | ]", ""]);
  });

  it("F-54: only the expected tasks count", () => {
    const tracker = new EpochTracker([taskId(4)], epoch(0));
    expect(act(tracker, "snapshot 0@1")).toEqual([]);
    expect(act(tracker, "snapshot 4@1").map((completed) => completed.epoch)).toEqual([1]);
  });

  it("F-69: everything is over when every task ended or finished", () => {
    const tracker = new EpochTracker([0, 1].map(taskId), epoch(0));
    const over = ["ended 0", "finished 1"].map((line) => {
      act(tracker, line);
      return tracker.allOver;
    });
    expect(over).toEqual([false, true]);
  });
});
