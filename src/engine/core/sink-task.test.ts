import { describe, expect, it } from "vitest";
import { epoch } from "../base/ids.ts";
import {
  again,
  done,
  effectText,
  forward,
  operator,
  outcomes,
  ScriptedTask,
  type ScriptedTaskOptions,
  sink,
  source,
} from "../testing/scripted-task.ts";

/** Tasks that end with a sink: alone, behind operators, behind a source. What the sink is told stands in brackets. */

type Script = readonly (readonly [line: string, effects: readonly string[]])[];
type Answer = NonNullable<Parameters<typeof sink>[0]>["flush"];

interface Played {
  readonly task: ScriptedTask;
  readonly does: (line: string) => string[];
}

/** The task with a sink behind `before`; what a line does: first what the sink is told, then the effects. */
function played(
  before: ScriptedTaskOptions["stages"],
  flush: Answer,
  options: Partial<ScriptedTaskOptions> = {},
): Played {
  const log: string[] = [];
  const task = new ScriptedTask({ stages: [...before, sink({ log, ...(flush && { flush }) })], ...options });
  const does = (line: string): string[] => {
    log.length = 0;
    const effects = task.do(line);
    return [...log.map((entry) => `(${entry})`), ...effects];
  };
  return { task, does };
}

function plays(
  before: ScriptedTaskOptions["stages"],
  script: Script,
  flush?: Answer,
  options: Partial<ScriptedTaskOptions> = {},
): Played {
  const made = played(before, flush, options);
  expect(script.map(([line]) => [line, made.does(line)])).toEqual(script);
  return made;
}

const refusing =
  (...epochs: number[]): Answer =>
  (at) =>
    epochs.includes(at) ? { kind: "refused", reason: "disk full" } : undefined;

describe("a sink", () => {
  it("F-42, F-45: at a barrier it flushes and acknowledges, with what a restore needs to commit (D-14)", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 1", ["(flush 1)", 'ack 1 "a"']],
        ["0 data b", ["(write b)"]],
        ["0 barrier 2", ["(flush 2)", 'ack 2 "ab"']],
        ["commit 1", ["(commit 1 a)"]],
        ["0 data c", ["(write c)"]],
        ["0 barrier 3", ["(flush 3)", 'ack 3 "bc"']],
      ],
    );
  });

  it("F-24: it keeps no time: watermarks and ticks only show in what is known of its inputs", () => {
    const { task } = plays(
      [],
      [
        ["0 wm 5", []],
        ["0 tick 100", []],
      ],
    );
    expect([task.machine.inputMark(0), task.machine.outputMark()]).toEqual([
      { kind: "time", ms: 5 },
      { kind: "time", ms: 5 },
    ]);
  });

  it("F-39, F-40: it aligns its inputs", () => {
    plays(
      [],
      [
        ["0 barrier 1", []],
        ["0 data a", []],
        ["1 data b", ["(write b)"]],
        ["1 barrier 1", ["(flush 1)", "(write a)", 'ack 1 "b"']],
      ],
      undefined,
      { inputs: ["in", "in"] },
    );
  });

  it("D-13: when its inputs ended it seals what it holds as its last epoch, says ended, and waits for that commit", () => {
    const { task } = plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 4", ["(flush 4)", 'ack 4 "a"']],
        ["0 data b", ["(write b)"]],
        ["0 eos", ["(eos)", "(flush 5)", 'ack 5 "ab"', 'ended "ab"']],
        ["commit 4", ["(commit 4 a)"]],
      ],
    );
    expect(task.machine.phase).toBe("commit-wait");
    expect(task.do("commit 5")).toEqual(["finish"]);
  });

  it("D-13: nothing held, no last epoch: it waits for the commit of the barrier that it took last", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 1", ["(flush 1)", 'ack 1 "a"']],
        ["0 eos", ["(eos)", 'ended "a"']],
        ["commit 1", ["(commit 1 a)", "(close)", "finish"]],
      ],
    );
  });

  it("D-13: without any row and any barrier it is over at once", () => {
    plays([], [["0 eos", ["(eos)", "(close)", "ended", "finish"]]]);
  });

  it("D-13: the last epoch of a run that continues comes after the epoch that it continues from (F-8)", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 eos", ["(eos)", "(flush 8)", 'ack 8 "a"', 'ended "a"']],
        ["commit 8", ["(commit 8 a)", "(close)", "finish"]],
      ],
      undefined,
      { startEpoch: 7 },
    );
  });

  it("F-58, D-8: a later commit releases the epochs before it", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 1", ["(flush 1)", 'ack 1 "a"']],
        ["0 data b", ["(write b)"]],
        ["0 barrier 2", ["(flush 2)", 'ack 2 "ab"']],
        ["0 eos", ["(eos)", 'ended "ab"']],
        ["commit 3", ["(commit 3 ab)", "(close)", "finish"]],
      ],
    );
  });

  it("F-58, D-12: a commit is applied once", () => {
    plays(
      [],
      [
        ["0 barrier 1", ["(flush 1)", 'ack 1 ""']],
        ["commit 1", ["(commit 1)"]],
        ["commit 1", []],
      ],
    );
  });

  it("F-36, F-68: it leaves when control closes, and seals no last epoch after that", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 eos", ["(eos)", "(flush 1)", 'ack 1 "a"', 'ended "a"']],
        ["close-control", ["(close)", "finish"]],
      ],
    );
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["close-control", []],
        ["0 eos", ["(eos)", "(close)", "ended", "finish"]],
      ],
    );
  });

  it("F-73: what is not committed is dropped when it closes: the sink is closed on every ending, once", () => {
    for (const lines of [["0 eos"], ["cancel"], ["lose 0"]]) {
      const { task, does } = played([], undefined);
      const closes = [...lines, "cancel"].flatMap(does).filter((entry) => entry === "(close)");
      expect([lines, closes, task.machine.phase]).toEqual([lines, ["(close)"], "done"]);
    }
  });
});

describe("a sink that acknowledges later", () => {
  const later: Answer = () => ({ kind: "later" });

  it("F-45: the report goes out when the sink acknowledges, with the next effects", () => {
    const { task, does } = played([], later);
    expect(does("0 barrier 1")).toEqual(["(flush 1)"]);
    expect(task.machine.hasEffects).toBe(false);
    task.machine.ack(epoch(1), "part-1");
    expect(task.machine.hasEffects).toBe(true);
    expect(task.machine.takeEffects().map(effectText)).toEqual(['ack 1 "part-1"']);
    expect(task.machine.hasEffects).toBe(false);
  });

  it("F-45: an epoch is acknowledged once, and only one that was sealed", () => {
    const { task, does } = played([], later);
    does("0 barrier 1");
    for (const e of [1, 1, 2]) task.machine.ack(epoch(e), null);
    expect(does("0 data a")).toEqual(["(write a)", "ack 1 -"]);
  });

  it("D-15, P-26: it has ended only when everything is acknowledged: ended counts as reported", () => {
    const { task, does } = played([], later);
    does("0 data a");
    expect(does("0 barrier 1")).toEqual(["(flush 1)"]);
    does("0 data b");
    expect(does("0 eos")).toEqual(["(eos)", "(flush 2)"]);
    expect(task.machine.phase).toBe("commit-wait");
    task.machine.ack(epoch(1), "p1");
    expect(task.machine.takeEffects().map(effectText)).toEqual(['ack 1 "p1"']);
    task.machine.ack(epoch(2), "p2");
    expect(task.machine.takeEffects().map(effectText)).toEqual(['ack 2 "p2"', 'ended "p2"']);
    expect(does("commit 2")).toEqual(["(commit 2 ab)", "(close)", "finish"]);
  });

  it("F-68: when control closes it waits for no acknowledgement", () => {
    const { does } = played([], later);
    does("0 barrier 1");
    does("0 eos");
    expect(does("close-control")).toEqual(["(close)", "ended", "finish"]);
  });

  it("F-45: an acknowledgement after the end of the task is nobody's", () => {
    const { task, does } = played([], later);
    does("0 barrier 1");
    does("cancel");
    task.machine.ack(epoch(1), null);
    expect(task.machine.hasEffects).toBe(false);
  });

  it("F-72: a chained one reports one snapshot, position included, when it acknowledges", () => {
    const { task, does } = played([source([again("a")])], later);
    does("poll");
    expect(does("barrier 1")).toEqual(["(flush 1)"]);
    task.machine.ack(epoch(1), "p");
    expect(task.machine.takeEffects().map(effectText)).toEqual(['snapshot 1 1|"p"']);
  });

  it("F-71, P-26: an epoch that is refused repeats the last acknowledged position, not one that still waits", () => {
    const { does } = played([source([again("a"), again("b")])], (at) =>
      at === 1 ? { kind: "later" } : { kind: "refused", reason: "full" },
    );
    does("poll");
    does("barrier 1");
    does("poll");
    expect(does("barrier 2")).toEqual(["(flush 2)", "snapshot 2 -|-"]);
  });

  it("F-14, F-45: acknowledged from inside its own commit, it is closed after that call, not in it", () => {
    const log: string[] = [];
    const acks: (() => void)[] = [];
    const tail = sink(
      { log, flush: () => ({ kind: "later" }) },
      {
        commit: () => {
          log.push("commit begins");
          for (const ack of acks) ack();
          log.push("commit ends");
        },
      },
    );
    const own = new ScriptedTask({ stages: [tail] });
    acks.push(() => own.machine.ack(epoch(1), null));
    for (const line of ["0 data a", "0 eos"]) own.do(line);
    expect(own.do("commit 1")).toEqual(["ack 1 -", "ended -", "finish"]);
    expect(log.slice(-3)).toEqual(["commit begins", "commit ends", "close"]);
  });

  it("F-71, F-45: acknowledged in another order, the newest epoch is the one that is repeated", () => {
    const { task, does } = played([source([again("a"), again("b")])], (at) =>
      at < 3 ? { kind: "later" } : { kind: "refused", reason: "full" },
    );
    for (const line of ["poll", "barrier 1", "poll", "barrier 2"]) does(line);
    task.machine.ack(epoch(2), "p2");
    task.machine.ack(epoch(1), "p1");
    expect(does("barrier 3")).toEqual(["(flush 3)", 'snapshot 2 2|"p2"', 'snapshot 1 1|"p1"', 'snapshot 3 2|"p2"']);
  });
});

describe("a sink that refuses", () => {
  it("F-45, P-26: alone, it does not acknowledge: the epoch must not complete, the next one takes the rows over", () => {
    plays(
      [],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 1", ["(flush 1)", "refused 1: disk full"]],
        ["0 data b", ["(write b)"]],
        ["0 barrier 2", ["(flush 2)", 'ack 2 "ab"']],
      ],
      refusing(1),
    );
  });

  it("F-71, D-15: chained to its source the epoch repeats the last accepted position, so a commit commits nothing newer", () => {
    plays(
      [source([again("a"), again("b"), again("c")])],
      [
        ["poll", ["(write a)", "again"]],
        ["barrier 1", ["(flush 1)", 'snapshot 1 1|"a"']],
        ["poll", ["(write b)", "again"]],
        ["barrier 2", ["(flush 2)", 'snapshot 2 1|"a"']],
        ["commit 2", ["(commit 2 a)"]],
        ["poll", ["(write c)", "again"]],
        ["barrier 3", ["(flush 3)", 'snapshot 3 3|"bc"']],
      ],
      refusing(2),
    );
  });

  it("F-71: before anything was accepted there is no position at all", () => {
    plays(
      [source([again("a")])],
      [
        ["poll", ["(write a)", "again"]],
        ["barrier 1", ["(flush 1)", "snapshot 1 -|-"]],
      ],
      refusing(1),
    );
  });

  it("F-71: where the source also feeds others, repeating its position would replay to them: the epoch is refused", () => {
    plays(
      [source([again("a")])],
      [
        ["poll", ["(write a)", "e7 data a", "again"]],
        ["barrier 1", ["(flush 1)", "refused 1: disk full", "e7 barrier 1"]],
      ],
      refusing(1),
      { routes: [forward(0, 7)] },
    );
  });

  it("F-71: behind operators of other tasks too", () => {
    plays(
      [operator({ snapshot: () => "s" })],
      [
        ["0 data a", ["(write a)"]],
        ["0 barrier 1", ["(flush 1)", "refused 1: disk full"]],
        ["0 barrier 2", ["(flush 2)", 'snapshot 2 "s"|"a"']],
      ],
      refusing(1),
    );
  });

  it.each([
    ["alone", [], "0 eos"],
    ["chained", [source([])], "poll"],
  ])(
    "F-80, D-13: %s, its last epoch refused fails the task: a run without those rows is not finished",
    (_, before, end) => {
      const { task, does } = played(before, refusing(1));
      const lines = before.length === 0 ? ["0 data a"] : [];
      for (const line of lines) does(line);
      if (before.length > 0) {
        const withRows = played([source([done("a")])], refusing(1));
        expect(withRows.does("poll")).toEqual([
          "(write a)",
          "(eos)",
          "(flush 1)",
          "(close)",
          "failed: task 3: the sink refused its last epoch 1: disk full",
          "finish without Eos",
        ]);
        return;
      }
      expect(does(end)).toEqual([
        "(eos)",
        "(flush 1)",
        "(close)",
        "failed: task 3: the sink refused its last epoch 1: disk full",
        "finish without Eos",
      ]);
      expect(task.machine.phase).toBe("done");
    },
  );
});

describe("a sink chained to its source", () => {
  it("F-70, F-72: one task: rows without an edge, at a barrier flush and then position, one snapshot and no ack", () => {
    plays(
      [source([again("a")])],
      [
        ["poll", ["(write a)", "again"]],
        ["barrier 1", ["(flush 1)", 'snapshot 1 1|"a"']],
        ["commit 1", ["(commit 1 a)"]],
        ["stop", ["(eos)", "(close)", 'ended 1|"a"', "finish"]],
      ],
    );
  });

  it("F-72, D-13: dry, it sees Eos, seals its last epoch with the final position, and waits for the commit", () => {
    plays(
      [source([again("a")], { finalPosition: () => "all" })],
      [
        ["poll", ["(write a)", "again"]],
        ["poll", ["(eos)", "(flush 1)", 'snapshot 1 "all"|"a"', 'drained "all"|"a"', "ended"]],
        ["commit 1", ["(commit 1 a)", "(close)", "finish"]],
      ],
    );
  });

  it("D-13, F-60: stopped with rows behind its last barrier, it seals them with the position where it stopped", () => {
    plays(
      [source([again("a"), again("b")])],
      [
        ["poll", ["(write a)", "again"]],
        ["barrier 1", ["(flush 1)", 'snapshot 1 1|"a"']],
        ["poll", ["(write b)", "again"]],
        ["stop", ["(eos)", "(flush 2)", 'snapshot 2 2|"ab"', 'ended 2|"ab"']],
        ["commit 2", ["(commit 2 ab)", "(close)", "finish"]],
      ],
    );
  });

  it("F-46: behind operators, what they flush at the end reaches the sink before its last epoch", () => {
    const partial = operator({ onEnd: (output) => output.emit("w"), onEos: (output) => output.emit("p") });
    plays(
      [source([again("a")]), partial],
      [
        ["poll", ["(write a)", "again"]],
        [
          "poll",
          ["(write w)", "(write p)", "(eos)", "(flush 1)", 'snapshot 1 1|-|"awp"', 'drained 1|-|"awp"', "ended"],
        ],
        ["commit 1", ["(commit 1 awp)", "(close)", "finish"]],
      ],
    );
  });

  it("D-14: what is staged and not committed is part of the state at the end", () => {
    const { does } = played([source([again("a")])], undefined);
    for (const line of ["poll", "barrier 1"]) does(line);
    expect(does("poll")).toEqual(["(eos)", 'drained 1|"a"', "ended"]);
  });

  it("F-58: commits are taken between polls, in order, by sink and source", () => {
    const commits: string[] = [];
    const { task } = played([source([again("a")], { commit: (at) => void commits.push(`source ${at}`) })], undefined);
    expect(
      outcomes(task, [
        ["poll", []],
        ["barrier 1", []],
        ["commit 1", []],
      ]).at(-1),
    ).toEqual(["commit 1", []]);
    expect(commits).toEqual(["source 1"]);
  });
});
