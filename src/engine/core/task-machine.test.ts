import { describe, expect, it } from "vitest";
import { END, IDLE, timeMark } from "../base/event-time.ts";
import { forward, operator, outcomes, ScriptedTask, type ScriptedTaskOptions } from "../testing/scripted-task.ts";
import type { Operator } from "./stages.ts";

/** Operators: what a task that is one operator, or a chain of them, makes of what comes in. */

type Script = readonly (readonly [line: string, effects: readonly string[]])[];

function plays(options: ScriptedTaskOptions, script: Script): ScriptedTask {
  const task = new ScriptedTask(options);
  expect(outcomes(task, script)).toEqual(script);
  return task;
}

const one = (parts: Partial<Operator<string>> = {}): ScriptedTaskOptions => ({ stages: [operator(parts)] });
const two = (parts: Partial<Operator<string>> = {}): ScriptedTaskOptions => ({ ...one(parts), inputs: ["in", "in"] });

/** Counts rows, and says so when time comes; its state is the count. */
function counter(): Partial<Operator<string>> {
  let rows = 0;
  return {
    process: (batch) => {
      rows += batch.length;
    },
    onTime: (ms, output) => output.emit(`${rows}@${ms}`),
    onEnd: (output) => output.emit(`${rows}@end`),
    snapshot: () => rows,
  };
}

describe("messages of an operator", () => {
  it("F-6, F-13: batches go out in order, and those of one event before its watermark", () => {
    plays(one({ process: (batch, _port, output) => [...batch].forEach((row) => output.emit(row)) }), [
      ["0 data abc", ["e10 data a", "e10 data b", "e10 data c"]],
    ]);
    plays(one({ onTime: (ms, output) => output.emit(`fired${ms}`) }), [["0 wm 5", ["e10 data fired5", "e10 wm 5"]]]);
  });

  it("F-13: a mark set before the batches of the same call goes out behind them", () => {
    const process: Operator<string>["process"] = (batch, _port, output) => {
      output.mark(timeMark(7));
      output.emit(batch);
    };
    plays(one({ process }), [["0 data a", ["e10 data a", "e10 wm 7"]]]);
  });

  it("hands each batch over with the port of its input", () => {
    const process: Operator<string>["process"] = (batch, port, output) => output.emit(`${port}:${batch}`);
    plays({ ...one({ process }), inputs: ["left", "right"] }, [
      ["1 data a", ["e10 data right:a"]],
      ["0 data b", ["e10 data left:b"]],
    ]);
  });

  it("F-5, F-15: data goes along the routes of its port, everything else to every target of every route", () => {
    const routes = [
      forward(0, 4),
      { ...forward(0, 5), kind: "broadcast" as const, targets: [...forward(0, 5).targets, ...forward(0, 6).targets] },
      forward(0, 7, "late"),
    ];
    const process: Operator<string>["process"] = (batch, _port, output) =>
      output.emit(batch, batch === "z" ? "late" : "out");
    plays({ ...one({ process }), routes }, [
      ["0 data a", ["e4 data a", "e5 data a", "e6 data a"]],
      ["0 data z", ["e7 data z"]],
      ["0 wm 1", ["e4 wm 1", "e5 wm 1", "e6 wm 1", "e7 wm 1"]],
      ["0 tick 100", ["e4 tick 100", "e5 tick 100", "e6 tick 100", "e7 tick 100"]],
      ["0 barrier 1", ["snapshot 1 -", "e4 barrier 1", "e5 barrier 1", "e6 barrier 1", "e7 barrier 1"]],
      ["0 eos", ["e4 eos", "e5 eos", "e6 eos", "e7 eos", "ended -", "finish"]],
    ]);
  });

  it("F-15: a shuffle sends nothing to a target without rows, but control to every target", () => {
    const targets = [
      { edge: 4, vnodes: [0, 4] },
      { edge: 5, vnodes: [4, 8] },
    ] as never;
    plays({ ...one(), routes: [{ stage: 0, port: "out", kind: "shuffle", columns: ["k"], targets }] }, [
      ["0 data 1502", ["e4 data 102", "e5 data 5"]],
      ["0 data 77", ["e5 data 77"]],
      ["0 wm 3", ["e4 wm 3", "e5 wm 3"]],
    ]);
  });

  it("a delay stands between the effects before it and those behind it", () => {
    const process: Operator<string>["process"] = (batch, _port, output) => {
      output.emit(batch);
      output.delay(output.nowMs + 50);
      output.emit(batch);
    };
    plays(one({ process }), [
      ["at 7", []],
      ["0 data a", ["e10 data a", "delay 57", "e10 data a"]],
    ]);
  });
});

describe("time of an operator", () => {
  it("F-17, F-19: it fires at the minimum once every input has spoken, and passes the combined time on", () => {
    plays(two({ onTime: (ms, output) => output.emit(`fired${ms}`) }), [
      ["0 wm 1000", []],
      ["1 wm 5", ["e10 data fired5", "e10 wm 5"]],
      ["1 wm 5", []],
      ["1 wm 4", []],
    ]);
  });

  it("F-19: a time that the operator says itself goes out instead of the combined time", () => {
    plays(one({ onTime: (ms, output) => output.mark(timeMark(ms - 10)) }), [
      ["0 wm 50", ["e10 wm 40"]],
      ["0 wm 51", ["e10 wm 41"]],
    ]);
  });

  it("F-19: so does idleness that it says itself", () => {
    plays(one({ onTime: (_ms, output) => output.mark(IDLE) }), [["0 wm 50", ["e10 wm idle"]]]);
  });

  it("D-22: what an operator says never goes back, and the same time is not said twice", () => {
    const said = [5, 3, 5, 6];
    plays(one({ onTime: (_ms, output) => output.mark(timeMark(said.shift() as number)) }), [
      ["0 wm 10", ["e10 wm 5"]],
      ["0 wm 20", []],
      ["0 wm 30", []],
      ["0 wm 40", ["e10 wm 6"]],
    ]);
  });

  it("F-20, D-3: when every input is idle it says so once, under its own id", () => {
    plays(two(), [
      ["0 wm idle", []],
      ["1 wm idle", ["e10 wm idle"]],
      ["0 wm idle", []],
      ["1 wm idle", []],
    ]);
  });

  it.each([
    ["A first", ["0 wm idle", "1 wm idle"]],
    ["B first", ["1 wm idle", "0 wm idle"]],
  ])("P-21, D-3: what goes out does not depend on which input went idle first (%s)", (_, idle) => {
    const task = new ScriptedTask(two());
    const lines = ["0 wm 5", "1 wm 3", ...idle, "1 wm 4", "1 wm 9", "0 wm 6"];
    const times = lines.flatMap((line) => task.do(line)).filter((effect) => effect !== "e10 wm idle");
    expect(times).toEqual(["e10 wm 3", "e10 wm 5", "e10 wm 9"]);
  });

  it("D-3: a task that said idle says its time again before its next data", () => {
    plays(two(), [
      ["0 wm 5", []],
      ["1 wm 7", ["e10 wm 5"]],
      ["0 wm idle", ["e10 wm 7"]],
      ["1 wm idle", ["e10 wm idle"]],
      ["0 wm 6", []],
      ["0 data a", ["e10 wm 7", "e10 data a"]],
      ["0 data b", ["e10 data b"]],
      ["0 wm 8", ["e10 wm 8"]],
    ]);
  });

  it("D-3: a new time after idleness is enough, the old one is not said first", () => {
    plays(one(), [
      ["0 wm 5", ["e10 wm 5"]],
      ["0 wm idle", ["e10 wm idle"]],
      ["0 wm 9", ["e10 wm 9"]],
      ["0 data a", ["e10 data a"]],
    ]);
  });

  it("D-3: with all inputs idle still, data does not make the task active: nobody would say idle for it again", () => {
    plays(one({ onTick: (nowMs, output) => output.emit(`beat${nowMs}`) }), [
      ["0 wm 5", ["e10 wm 5"]],
      ["0 wm idle", ["e10 wm idle"]],
      ["0 tick 100", ["e10 data beat100", "e10 tick 100"]],
      ["0 wm 6", ["e10 wm 6"]],
    ]);
  });

  it("D-3: END goes out when every input said it, behind what it makes the operator emit", () => {
    plays({ ...two(counter()) }, [
      ["0 data abc", []],
      ["0 wm end", []],
      ["1 wm 4", ["e10 data 3@4", "e10 wm 4"]],
      ["1 wm end", ["e10 data 3@end", "e10 wm end"]],
    ]);
  });

  it("D-3, P-43: END of an input that was idle fires what is left", () => {
    plays(one(counter()), [
      ["0 data abc", []],
      ["0 wm 3", ["e10 data 3@3", "e10 wm 3"]],
      ["0 wm idle", ["e10 wm idle"]],
      ["0 wm end", ["e10 wm 3", "e10 data 3@end", "e10 wm end"]],
      ["0 eos", ["e10 eos", "ended 3", "finish"]],
    ]);
  });

  it("D-4, P-48: the end of a stopped input fires nothing: its windows stay open, in the state at the end", () => {
    plays(one(counter()), [
      ["0 data ab", []],
      ["0 wm 2", ["e10 data 2@2", "e10 wm 2"]],
      ["0 barrier 1", ["snapshot 1 2", "e10 barrier 1"]],
      ["0 eos", ["e10 eos", "ended 2", "finish"]],
    ]);
  });

  it("F-22, F-23, D-3: Eos looks at time again before onEos: an input that never spoke no longer holds it", () => {
    const onEos: Operator<string>["onEos"] = (output) => output.emit("flush");
    plays(two({ ...counter(), onEos }), [
      ["0 wm 5", []],
      ["1 data ab", []],
      ["1 eos", ["e10 data 2@5", "e10 wm 5"]],
      ["0 eos", ["e10 data flush", "e10 eos", "ended 2", "finish"]],
    ]);
  });

  it("F-22, D-3: the last Eos moves time before onEos flushes", () => {
    const onEos: Operator<string>["onEos"] = (output) => output.emit("flush");
    plays(two({ ...counter(), onEos }), [
      ["0 wm 5", []],
      ["0 eos", []],
      ["1 eos", ["e10 data 0@5", "e10 wm 5", "e10 data flush", "e10 eos", "ended 0", "finish"]],
    ]);
  });

  it("F-22: Eos leaves the last watermark of its input in the minimum", () => {
    plays(two(), [
      ["0 wm 1000", []],
      ["1 wm 5", ["e10 wm 5"]],
      ["1 eos", []],
      ["0 wm 2000", []],
      ["0 eos", ["e10 eos", "ended -", "finish"]],
    ]);
  });

  it("P-15: an operator that drops every row passes time, idleness, barriers, ticks and ends on", () => {
    plays(one({ process: () => undefined }), [
      ["0 data a", []],
      ["0 wm 5", ["e10 wm 5"]],
      ["0 wm idle", ["e10 wm idle"]],
      ["0 tick 100", ["e10 tick 100"]],
      ["0 barrier 1", ["snapshot 1 -", "e10 barrier 1"]],
      ["0 wm end", ["e10 wm end"]],
      ["0 eos", ["e10 eos", "ended -", "finish"]],
    ]);
  });

  it("D-3: nothing is said about time after END, whatever the operator says", () => {
    plays(one({ onEos: (output) => output.mark(timeMark(99)) }), [
      ["0 wm end", ["e10 wm end"]],
      ["0 eos", ["e10 eos", "ended -", "finish"]],
    ]);
  });
});

describe("ticks", () => {
  it("F-26: every tick runs onTick, at most one per 100 ms is passed on", () => {
    plays(one({ onTick: (nowMs, output) => output.emit(`t${nowMs}`) }), [
      ["0 tick 40", ["e10 data t40"]],
      ["0 tick 100", ["e10 data t100", "e10 tick 100"]],
      ["0 tick 199", ["e10 data t199"]],
      ["0 tick 200", ["e10 data t200", "e10 tick 200"]],
    ]);
  });

  it("D-18: onTick gets the greatest time seen, also when another input is behind", () => {
    plays(two({ onTick: (nowMs, output) => output.emit(`t${nowMs}`) }), [
      ["0 tick 150", ["e10 data t150", "e10 tick 150"]],
      ["1 tick 120", ["e10 data t150"]],
    ]);
  });
});

describe("barriers at an operator", () => {
  it("F-39, F-42: with one input, snapshot and barrier at once", () => {
    plays(one(counter()), [
      ["0 data ab", []],
      ["0 barrier 1", ["snapshot 1 2", "e10 barrier 1"]],
    ]);
  });

  it("F-40, F-42, D-1: what is behind a delivered barrier stays in its edge, and is taken in order when the epoch is complete", () => {
    const task = plays(two(), [
      ["0 barrier 1", []],
      ["0 data a", []],
      ["0 wm 3", []],
      ["0 tick 500", []],
      ["1 data b", ["e10 data b"]],
      ["1 wm 9", []],
    ]);
    expect(task.held).toEqual(["0 data a", "0 wm 3", "0 tick 500"]);
    expect(task.machine.pendingEpoch).toBe(1);
    expect(task.machine.missingInputs()).toEqual([1]);
    expect(task.do("1 barrier 1")).toEqual(["snapshot 1 -", "e10 barrier 1", "e10 data a", "e10 wm 3", "e10 tick 500"]);
    expect([task.held, task.machine.pendingEpoch, task.machine.completedEpoch]).toEqual([[], undefined, 1]);
  });

  it("F-42, F-43: a held next barrier starts the next alignment, and what follows it is held again", () => {
    const task = plays(two(counter()), [
      ["0 data a", []],
      ["0 barrier 1", []],
      ["0 data bb", []],
      ["0 barrier 2", []],
      ["0 data ccc", []],
      ["0 barrier 3", []],
      ["0 eos", []],
      ["1 data x", []],
      ["1 barrier 1", ["snapshot 1 2", "e10 barrier 1"]],
      ["1 barrier 2", ["snapshot 2 4", "e10 barrier 2"]],
    ]);
    expect(task.held).toEqual(["0 eos"]);
    expect(task.do("1 barrier 3")).toEqual(["snapshot 3 7", "e10 barrier 3"]);
    expect(task.do("1 eos")).toEqual(["e10 eos", "ended 7", "finish"]);
  });

  it("F-43: 400 fast rows and 6 slow ones make 406, and epochs complete in order without gaps, each with its snapshot", () => {
    const task = new ScriptedTask(two(counter()));
    const effects: string[] = [];
    for (let e = 1; e <= 5; e++) {
      for (let row = 0; row < 80; row++) effects.push(...task.do("0 data f"));
      effects.push(...task.do(`0 barrier ${e}`));
    }
    for (let e = 1; e <= 5; e++) effects.push(...task.do("1 data s"), ...task.do(`1 barrier ${e}`));
    effects.push(...task.do("1 data s"), ...task.do("0 eos"), ...task.do("1 eos"));
    expect(effects).toEqual([
      ...[1, 2, 3, 4, 5].flatMap((e) => [`snapshot ${e} ${81 * e}`, `e10 barrier ${e}`]),
      ...["e10 eos", "ended 406", "finish"],
    ]);
  });

  it("F-41, P-07: Eos instead of the barrier completes it at once, before what Eos means for time", () => {
    plays(two(counter()), [
      ["0 wm 3", []],
      ["0 barrier 1", []],
      ["1 eos", ["snapshot 1 0", "e10 barrier 1", "e10 data 0@3", "e10 wm 3"]],
      ["0 barrier 2", ["snapshot 2 0", "e10 barrier 2"]],
    ]);
  });

  it("F-44: rows that the operator emits at its barrier go out before the barrier, and before its snapshot is reported", () => {
    let open = "xy";
    const parts: Partial<Operator<string>> = {
      onBarrier: (_epoch, output) => {
        output.emit(open);
        open = "";
      },
      snapshot: () => open,
    };
    plays(one(parts), [["0 barrier 1", ["e10 data xy", 'snapshot 1 ""', "e10 barrier 1"]]]);
  });

  it("D-7: a snapshot is a copy: what the operator does later does not change it", () => {
    const state = { rows: [1] };
    const task = new ScriptedTask(
      one({ process: (batch) => void state.rows.push(batch.length), snapshot: () => state }),
    );
    const effects = task.machine.offer(0, { kind: "barrier", epoch: 1 as never }, 0);
    task.do("0 data abc");
    const report = effects[0];
    const bytes =
      report?.kind === "report" && report.event.kind === "snapshot" ? report.event.snapshot.stages[0]?.state : null;
    expect(String.fromCharCode(...(bytes ?? []))).toBe('{"rows":[1]}');
  });

  it("D-7: a snapshot holds how far time had come and what was said last", () => {
    const progress = (lines: string[]) => {
      const task = new ScriptedTask(two());
      for (const line of lines) task.do(line);
      const [report] = [
        ...task.machine.offer(0, { kind: "barrier", epoch: 1 as never }, 0),
        ...task.machine.offer(1, { kind: "barrier", epoch: 1 as never }, 0),
      ];
      return report?.kind === "report" && report.event.kind === "snapshot"
        ? report.event.snapshot.stages[0]?.time
        : undefined;
    };
    expect(progress([])).toEqual({ fired: undefined, said: undefined });
    expect(progress(["0 wm 5", "1 wm 7"])).toEqual({ fired: 5, said: timeMark(5), saidMs: 5 });
    expect(progress(["0 wm 5", "1 wm 7", "0 wm idle", "1 wm idle"])).toEqual({ fired: 7, said: IDLE, saidMs: 7 });
    expect(progress(["0 wm 5", "1 wm 7", "0 wm end", "1 wm end"])).toEqual({ fired: 7, said: END, saidMs: 7 });
  });

  it("D-8, P-37: an old barrier does nothing, and nothing is held behind it", () => {
    plays({ ...two(), startEpoch: 5 }, [
      ["0 barrier 5", []],
      ["0 data a", ["e10 data a"]],
      ["0 barrier 6", []],
      ["1 barrier 5", []],
      ["1 data b", ["e10 data b"]],
      ["1 barrier 6", ["snapshot 6 -", "e10 barrier 6"]],
    ]);
  });

  it("D-11: without alignment the first barrier of an epoch makes the snapshot and nothing is held", () => {
    plays({ ...two(counter()), alignment: "none" }, [
      ["0 data a", []],
      ["0 barrier 1", ["snapshot 1 1", "e10 barrier 1"]],
      ["0 data bb", []],
      ["1 data c", []],
      ["1 barrier 1", []],
      ["1 barrier 2", ["snapshot 2 4", "e10 barrier 2"]],
    ]);
  });

  it("F-48: an operator takes no barrier from the coordinator", () => {
    plays(one(), [
      ["barrier 1", []],
      ["stop", []],
      ["0 barrier 1", ["snapshot 1 -", "e10 barrier 1"]],
    ]);
  });
});

describe("the end of an operator", () => {
  it("F-46: when every input reached Eos: flush, Eos, ended, finish", () => {
    plays(two({ onEos: (output) => output.emit("tail") }), [
      ["0 eos", []],
      ["1 eos", ["e10 data tail", "e10 eos", "ended -", "finish"]],
    ]);
  });

  it("P-27: a partial batch is flushed at a barrier and at the end, before Eos, and none twice", () => {
    let held = "";
    const flush = (output: { emit(batch: string): void }) => {
      if (held !== "") output.emit(held);
      held = "";
    };
    const parts: Partial<Operator<string>> = {
      process: (batch, _port, output) => {
        held += batch;
        if (held.length >= 3) flush(output);
      },
      onBarrier: (_epoch, output) => flush(output),
      onEos: (output) => flush(output),
    };
    plays(one(parts), [
      ["0 data ab", []],
      ["0 data c", ["e10 data abc"]],
      ["0 data d", []],
      ["0 barrier 1", ["e10 data d", "snapshot 1 -", "e10 barrier 1"]],
      ["0 data e", []],
      ["0 eos", ["e10 data e", "e10 eos", "ended -", "finish"]],
    ]);
  });

  it("F-46: nothing is taken from an input after its Eos", () => {
    const task = new ScriptedTask(two());
    task.do("0 eos");
    expect([task.machine.accepts(0), task.machine.accepts(1), task.machine.hasEnded(0)]).toEqual([false, true, true]);
  });

  it("F-36: an operator waits for no commit", () => {
    const task = plays(one(), [
      ["0 barrier 1", ["snapshot 1 -", "e10 barrier 1"]],
      ["0 eos", ["e10 eos", "ended -", "finish"]],
    ]);
    expect(task.machine.phase).toBe("done");
  });

  it("F-67: inputs that close before Eos fail the task, with the edges that were lost", () => {
    plays(two(), [
      [
        "lose 1",
        [
          "failed: task 3: input closed before end-of-stream on edge(s) [1] — an upstream task, or the worker running it, is gone",
          "finish without Eos",
        ],
      ],
    ]);
    const task = new ScriptedTask(two());
    const [report] = task.machine.loseInputs([0, 1], 0);
    expect(report).toMatchObject({ event: { error: { code: "input-lost", task: 3, node: "step" } } });
    expect(report).toMatchObject({ event: { error: { message: expect.stringContaining("edge(s) [0, 1]") } } });
  });

  it("D-16: a cancelled task leaves without Eos and without a report", () => {
    const task = plays(one(), [["cancel", ["finish without Eos"]]]);
    expect(
      outcomes(task, [
        ["cancel", []],
        ["lose 0", []],
      ]),
    ).toEqual([
      ["cancel", []],
      ["lose 0", []],
    ]);
  });
});

describe("calls", () => {
  it("F-14: no stage is entered while one of its own calls is under way", () => {
    const inside = new Set<string>();
    const entered = new Set<string>();
    /** Every method says when it is entered and left. */
    const watched = <T extends object>(name: string, stage: T): T =>
      Object.fromEntries(
        Object.entries(stage).map(([method, body]) => [
          method,
          (...args: unknown[]) => {
            expect(inside.has(name), `${name}.${method}`).toBe(false);
            inside.add(name);
            entered.add(`${name}.${method}`);
            const answer = (body as (...args: unknown[]) => unknown).apply(stage, args);
            inside.delete(name);
            return answer;
          },
        ]),
      ) as T;
    const emits = (output: { emit(batch: string): void; mark(mark: object): void }) => {
      output.emit("x");
      output.mark(timeMark(5));
      output.emit("y");
    };
    const step = (name: string) =>
      operator(
        watched(name, {
          process: (batch: string, _port: string, output) => output.emit(batch),
          onTime: (_ms: number, output) => emits(output),
          onEnd: emits,
          onTick: (_nowMs: number, output) => emits(output),
          onBarrier: (_epoch: number, output) => emits(output),
          onEos: emits,
          snapshot: () => 1,
        } satisfies Partial<Operator<string>>),
        name,
      );
    const task = new ScriptedTask({ stages: [step("a"), step("b"), step("c")], inputs: ["in", "in"] });
    const lines = ["data q", "wm 1", "wm 4", "wm idle", "data q", "wm 6", "tick 200", "barrier 1", "wm end", "eos"];
    for (const line of lines) for (const input of [0, 1]) task.do(`${input} ${line}`);
    expect(task.machine.phase).toBe("done");
    const methods = ["process", "onTime", "onEnd", "onTick", "onBarrier", "onEos", "snapshot"];
    expect([...entered].sort()).toEqual(["a", "b", "c"].flatMap((name) => methods.map((m) => `${name}.${m}`)).sort());
  });
});

describe("a chain of operators", () => {
  const chain = (...parts: Partial<Operator<string>>[]): ScriptedTaskOptions => ({
    stages: parts.map((part, i) => operator(part, `step${i}`)),
  });

  it("F-6, F-13: the link between two stages is as good as an edge: batches in order, then the time", () => {
    const split: Partial<Operator<string>> = {
      process: (batch, _port, output) => [...batch].forEach((row) => output.emit(row)),
    };
    const late: Partial<Operator<string>> = { onTime: (ms, output) => output.emit(`fired${ms}`) };
    plays(chain(split, late, { process: (batch, _port, output) => output.emit(`${batch}!`) }), [
      ["0 data ab", ["e10 data a!", "e10 data b!"]],
      ["0 wm 5", ["e10 data fired5!", "e10 wm 5"]],
    ]);
  });

  it("F-19: a time that a stage in the middle says is the time of the next one", () => {
    const behind: Partial<Operator<string>> = { onTime: (ms, output) => output.mark(timeMark(ms - 10)) };
    plays(chain(behind, { onTime: (ms, output) => output.emit(`fired${ms}`) }), [
      ["0 wm 50", ["e10 data fired40", "e10 wm 40"]],
    ]);
  });

  it("F-42, F-44: at a barrier rows run down the chain before any snapshot is taken, and one report holds all states", () => {
    let seen = "";
    const first: Partial<Operator<string>> = { onBarrier: (_epoch, output) => output.emit("held"), snapshot: () => 1 };
    const second: Partial<Operator<string>> = {
      process: (batch, _port, output) => {
        seen += batch;
        output.emit(batch);
      },
      snapshot: () => seen,
    };
    plays(chain(first, second), [["0 barrier 1", ["e10 data held", 'snapshot 1 1|"held"', "e10 barrier 1"]]]);
  });

  it("D-3: END and idleness run down the chain, each stage firing on the way", () => {
    const stage = (name: string): Partial<Operator<string>> => ({ onEnd: (output) => output.emit(`end${name}`) });
    plays(chain(stage("A"), stage("B")), [
      ["0 wm idle", ["e10 wm idle"]],
      ["0 wm end", ["e10 data endA", "e10 data endB", "e10 wm end"]],
    ]);
  });

  it("F-46: stages flush in order, and what one flushes goes through those behind it", () => {
    const stage = (name: string): Partial<Operator<string>> => ({
      process: (batch, _port, output) => output.emit(`${batch}${name}`),
      onEos: (output) => output.emit("tail"),
    });
    plays(chain(stage("A"), stage("B")), [
      ["0 eos", ["e10 data tailB", "e10 data tail", "e10 eos", "ended -|-", "finish"]],
    ]);
  });

  it("F-26: a tick runs through every stage and is passed on once", () => {
    const beat: Partial<Operator<string>> = { onTick: (nowMs, output) => output.emit(`t${nowMs}`) };
    plays(chain(beat, beat), [["0 tick 100", ["e10 data t100", "e10 data t100", "e10 tick 100"]]]);
  });

  it("F-5: a stage in the middle sends along its own routes, and time and barriers go there too", () => {
    const routes = [forward(0, 4), forward(1, 5)];
    plays({ ...chain({}, { process: (batch, _port, output) => output.emit(`${batch}!`) }), routes }, [
      ["0 data a", ["e4 data a", "e5 data a!"]],
      ["0 wm 1", ["e4 wm 1", "e5 wm 1"]],
      ["0 barrier 1", ["snapshot 1 -|-", "e4 barrier 1", "e5 barrier 1"]],
    ]);
  });
});
