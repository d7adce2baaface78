import { describe, expect, it } from "vitest";
import { END, IDLE } from "../base/event-time.ts";
import {
  again,
  done,
  failed,
  idle,
  operator,
  outcomes,
  ScriptedTask,
  type ScriptedTaskOptions,
  source,
} from "../testing/scripted-task.ts";

/** Tasks that head with a source. */

type Script = readonly (readonly [line: string, effects: readonly string[]])[];

function plays(options: ScriptedTaskOptions, script: Script): ScriptedTask {
  const task = new ScriptedTask(options);
  expect(outcomes(task, script)).toEqual(script);
  return task;
}

describe("polls of a source", () => {
  it("F-29, F-30: what a poll emits goes out before its result is acted on, also with the last one", () => {
    plays({ stages: [source([again("a", 1), idle("b"), done("c")])] }, [
      ["poll", ["e10 data a", "e10 wm 1", "again"]],
      ["poll", ["e10 data b", "idle"]],
      ["poll", ["e10 data c", "e10 wm end", "e10 eos", "drained 3", "ended", "finish"]],
    ]);
  });

  it("D-21: a source's times go out in the order of its calls: before or after the rows", () => {
    plays({ stages: [source([again(1, "a", 2)])] }, [["poll", ["e10 wm 1", "e10 data a", "e10 wm 2", "again"]]]);
  });

  it("D-52: a source says what it says, also a time that goes back", () => {
    plays({ stages: [source([again(5, 3, 3)])] }, [["poll", ["e10 wm 5", "e10 wm 3", "e10 wm 3", "again"]]]);
  });

  it("D-3: idle goes out once, and before the next rows the time is said again", () => {
    plays({ stages: [source([idle(7, IDLE), idle(IDLE), again("a"), idle(IDLE)])] }, [
      ["poll", ["e10 wm 7", "e10 wm idle", "idle"]],
      ["poll", ["idle"]],
      ["poll", ["e10 wm 7", "e10 data a", "again"]],
      ["poll", ["e10 wm idle", "idle"]],
    ]);
  });

  it("D-6: a source may say idle when it opens, before its first poll", () => {
    plays({ stages: [source([again("a")], { open: (output) => output.mark(IDLE) })], unopened: true }, [
      ["open", ["e10 wm idle"]],
      ["poll", ["e10 data a", "again"]],
      ["poll", ["e10 wm end", "e10 eos", "drained 1", "ended", "finish"]],
    ]);
  });

  it("D-6: idleness is the source's to say: the task says nothing of itself, however long it was not polled", () => {
    plays({ stages: [source([again(1), again("a")])] }, [
      ["poll", ["e10 wm 1", "again"]],
      ["at 99", []],
      ["poll", ["e10 data a", "again"]],
    ]);
  });

  it("F-25, D-18: a tick goes out when 100 ms have passed since the last one, also from a busy source, behind its rows", () => {
    plays({ stages: [source([again("a"), again("b"), idle(), again("c")])] }, [
      ["at 99", []],
      ["poll", ["e10 data a", "again"]],
      ["at 100", []],
      ["poll", ["e10 data b", "e10 tick 100", "again"]],
      ["at 199", []],
      ["poll", ["idle"]],
      ["at 230", []],
      ["poll", ["e10 data c", "e10 tick 230", "again"]],
    ]);
  });
});

describe("control words at a source", () => {
  it("F-31: at a barrier the position is taken and reported, then the barrier goes behind everything that was sent", () => {
    plays({ stages: [source([again("a"), again("b")])] }, [
      ["poll", ["e10 data a", "again"]],
      ["barrier 1", ["snapshot 1 1", "e10 barrier 1"]],
      ["poll", ["e10 data b", "again"]],
      ["barrier 2", ["snapshot 2 2", "e10 barrier 2"]],
    ]);
  });

  it("P-18: the position is that of the last row sent before the barrier, not of what was read ahead", () => {
    const rows = Array.from({ length: 21 }, (_, i) => String(i + 1));
    const run = (from: number, polls: number) => {
      let at = from;
      const read = rows.slice(from);
      const steps = read.map((row) => again(row));
      const task = new ScriptedTask({
        stages: [
          source(
            steps.map((step) => (output) => {
              at++;
              return step(output);
            }),
            { position: () => at },
          ),
        ],
      });
      const sent = Array.from({ length: polls }, () => task.do("poll"))
        .flat()
        .filter((effect) => effect.includes("data"));
      return { sent, snapshot: task.do("barrier 1")[0] };
    };
    const killed = run(0, 4);
    expect(killed.snapshot).toBe("snapshot 1 4");
    const restored = run(4, 17);
    expect([...killed.sent, ...restored.sent]).toEqual(rows.map((row) => `e10 data ${row}`));
  });

  it("F-32, F-57: the commit hook runs for every completed epoch, in order, and once", () => {
    const commits: number[] = [];
    const task = new ScriptedTask({ stages: [source([again("a")], { commit: (at) => void commits.push(at) })] });
    for (const line of ["barrier 1", "commit 1", "commit 1", "barrier 2", "commit 2"]) task.do(line);
    expect(commits).toEqual([1, 2]);
    expect(task.machine.committedEpoch).toBe(2);
  });

  it("D-8: barriers only move forward", () => {
    plays({ stages: [source([])], startEpoch: 7 }, [
      ["barrier 7", []],
      ["barrier 8", ["snapshot 8 0", "e10 barrier 8"]],
      ["barrier 8", []],
    ]);
  });

  it("F-59, D-4, P-48: a stopped source says no END, its position stands in its last epoch, and Eos follows", () => {
    plays({ stages: [source([again("a", 1)])] }, [
      ["poll", ["e10 data a", "e10 wm 1", "again"]],
      ["barrier 1", ["snapshot 1 1", "e10 barrier 1"]],
      ["stop", ["e10 eos", "ended 1"]],
      ["commit 1", ["finish"]],
    ]);
  });

  it("F-60: stopped without a barrier it leaves at once, and its state at the end is known", () => {
    plays({ stages: [source([again("a")])] }, [
      ["poll", ["e10 data a", "again"]],
      ["stop", ["e10 eos", "ended 1", "finish"]],
      ["stop", []],
    ]);
  });

  it("F-34: the stop hook runs once, on every ending, before Eos", () => {
    const endings: Record<string, string[]> = {
      dry: ["poll"],
      stopped: ["stop"],
      failed: ["poll"],
      cancelled: ["cancel"],
      threw: ["poll"],
    };
    for (const [ending, lines] of Object.entries(endings)) {
      let stops = 0;
      const steps = {
        failed: [failed("boom")],
        threw: [() => expect.fail("thrown")],
      }[ending];
      const task = new ScriptedTask({ stages: [source(steps ?? [], { stop: () => void stops++ })] });
      for (const line of [...lines, "stop", "cancel"]) task.do(line);
      expect([ending, stops, task.machine.phase]).toEqual([ending, 1, "done"]);
    }
    const task = new ScriptedTask({ stages: [source([], { stop: () => expect.fail("no") })] });
    expect(task.do("stop")).not.toContain("e10 eos");
  });

  it("F-36, F-58: after Eos it waits for the commit of the barrier that it took last, and takes no barrier any more (F-37)", () => {
    const task = plays({ stages: [source([again("a")])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["poll", ["e10 data a", "again"]],
      ["barrier 2", ["snapshot 2 1", "e10 barrier 2"]],
      ["poll", ["e10 wm end", "e10 eos", "drained 1", "ended"]],
      ["barrier 3", []],
      ["stop", []],
      ["commit 1", []],
    ]);
    expect(task.machine.phase).toBe("commit-wait");
    expect(task.do("commit 2")).toEqual(["finish"]);
  });

  it("F-36: a later commit does as well", () => {
    plays({ stages: [source([])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["stop", ["e10 eos", "ended 0"]],
      ["commit 4", ["finish"]],
    ]);
  });

  it("F-36, F-68: it leaves when control closes, before or after its end", () => {
    plays({ stages: [source([])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["stop", ["e10 eos", "ended 0"]],
      ["close-control", ["finish"]],
      ["commit 1", []],
    ]);
    plays({ stages: [source([])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["close-control", []],
      ["stop", ["e10 eos", "ended 0", "finish"]],
    ]);
  });

  it("F-32: a commit that came while it was still polling is not waited for again", () => {
    plays({ stages: [source([])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["commit 1", []],
      ["stop", ["e10 eos", "ended 0", "finish"]],
    ]);
  });

  it("D-13: a source that never took a barrier waits for nothing", () => {
    plays({ stages: [source([done("a")])] }, [
      ["poll", ["e10 data a", "e10 wm end", "e10 eos", "drained 1", "ended", "finish"]],
    ]);
  });
});

describe("the end of a source", () => {
  it("F-33: a final position is reported when it ran dry, and only then", () => {
    const finalPosition = () => "all";
    plays({ stages: [source([], { finalPosition })] }, [
      ["poll", ["e10 wm end", "e10 eos", 'drained "all"', "ended", "finish"]],
    ]);
    plays({ stages: [source([], { finalPosition })] }, [["stop", ["e10 eos", "ended 0", "finish"]]]);
    plays({ stages: [source([failed("boom")], { finalPosition })] }, [
      ["poll", ["failed: boom", "finish without Eos"]],
    ]);
  });

  it("F-33, D-15: an empty final position is not reported as one; the task's state goes with its end, as without it no epoch could be kept", () => {
    plays({ stages: [source([], { finalPosition: () => null })] }, [
      ["poll", ["e10 wm end", "e10 eos", "ended -", "finish"]],
    ]);
  });

  it("D-4, P-43: a dry source says END before Eos, also when it was idle", () => {
    plays({ stages: [source([idle(3, IDLE)])] }, [
      ["poll", ["e10 wm 3", "e10 wm idle", "idle"]],
      ["poll", ["e10 wm end", "e10 eos", "drained 1", "ended", "finish"]],
    ]);
  });

  it("D-3: END that the source said itself is not said again", () => {
    plays({ stages: [source([done("a", END)])] }, [
      ["poll", ["e10 data a", "e10 wm end", "e10 eos", "drained 1", "ended", "finish"]],
    ]);
  });

  it("F-35, F-63: a failed source's text is the result as it stands; what the poll emitted goes out, Eos does not", () => {
    const task = new ScriptedTask({ stages: [source([failed("boom", "a")])] });
    const { effects } = task.machine.poll(0);
    expect(effects).toEqual([
      { kind: "send", edge: 10, message: { kind: "data", batch: "a" } },
      {
        kind: "report",
        event: {
          kind: "failed",
          task: 3,
          error: { code: "script-failed", domain: "task", message: "boom", task: 3, node: "numbers" },
        },
      },
      { kind: "finish", clean: false },
    ]);
    expect(task.machine.phase).toBe("done");
  });

  it("F-36: a failed source waits for no commit", () => {
    plays({ stages: [source([failed("boom")])] }, [
      ["barrier 1", ["snapshot 1 0", "e10 barrier 1"]],
      ["poll", ["failed: boom", "finish without Eos"]],
    ]);
  });
});

describe("a source with operators chained to it", () => {
  it("P-27, D-4: a dry source fires and flushes the stages behind it before Eos", () => {
    const windows = operator({
      process: () => undefined,
      onEnd: (output) => output.emit("window"),
      onEos: (output) => output.emit("partial"),
      snapshot: () => "w",
    });
    plays({ stages: [source([again("a", 5)]), windows] }, [
      ["poll", ["e10 wm 5", "again"]],
      ["poll", ["e10 data window", "e10 wm end", "e10 data partial", "e10 eos", 'drained 1|"w"', "ended", "finish"]],
    ]);
  });

  it("D-4, P-48: a stopped one flushes partial batches, never windows, and their state is known at the end", () => {
    const windows = operator({
      process: () => undefined,
      onEnd: (output) => output.emit("window"),
      onEos: (output) => output.emit("partial"),
      snapshot: () => "w",
    });
    plays({ stages: [source([again("a", 5)]), windows] }, [
      ["poll", ["e10 wm 5", "again"]],
      ["barrier 1", ['snapshot 1 1|"w"', "e10 barrier 1"]],
      ["stop", ["e10 data partial", "e10 eos", 'ended 1|"w"']],
      ["commit 1", ["finish"]],
    ]);
  });

  it("F-25: the source's tick runs onTick of the stages behind it", () => {
    plays({ stages: [source([idle()]), operator({ onTick: (nowMs, output) => output.emit(`t${nowMs}`) })] }, [
      ["at 120", []],
      ["poll", ["e10 data t120", "e10 tick 120", "idle"]],
    ]);
  });

  it("F-31, F-44: at its barrier the rows of the stages go first, then one report with the position, then the barrier", () => {
    const held = operator({ onBarrier: (_epoch, output) => output.emit("held"), snapshot: () => "s" });
    plays({ stages: [source([again("a")]), held] }, [
      ["poll", ["e10 data a", "again"]],
      ["barrier 1", ["e10 data held", 'snapshot 1 1|"s"', "e10 barrier 1"]],
    ]);
  });

  it("D-3: idleness of the source runs down the chain, and the time is said again before the next rows", () => {
    plays({ stages: [source([idle(5, IDLE), again("a", 6)]), operator()] }, [
      ["poll", ["e10 wm 5", "e10 wm idle", "idle"]],
      ["poll", ["e10 wm 5", "e10 data a", "e10 wm 6", "again"]],
    ]);
  });
});
