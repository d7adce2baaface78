import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import { epoch } from "../base/ids.ts";
import { again, done, effectText, idle, operator, ScriptedTask, sink, source } from "../testing/scripted-task.ts";
import type { Stage } from "./stage-chain.ts";

/** F1.8: whatever goes wrong in a stage ends its task, once, with the right error, without Eos, and never hangs it. */

const boom = (): never => {
  throw new Error("boom");
};

interface Throwing {
  readonly stages: readonly Stage<string>[];
  /** Lines up to the one that throws. */
  readonly lines: readonly string[];
  readonly node: string;
  readonly inputs?: number;
  /** Eos was out already when it threw. */
  readonly afterEos?: boolean;
}

const noisy = [again("a", 5), idle(), done("b")];

/** Every hook of every stage; a chain of source, operator and sink, so that each place is a place in a chain too. */
const hooks: Record<string, Throwing> = {
  "source open": { stages: [source(noisy, { open: boom })], lines: ["open"], node: "numbers" },
  "source poll": { stages: [source([boom])], lines: ["poll"], node: "numbers" },
  "source position": { stages: [source(noisy, { position: boom })], lines: ["poll", "barrier 1"], node: "numbers" },
  "source position at the end": {
    stages: [source(noisy, { position: boom })],
    lines: ["poll", "stop"],
    node: "numbers",
    afterEos: true,
  },
  "source finalPosition": {
    stages: [source([], { finalPosition: boom })],
    lines: ["poll"],
    node: "numbers",
    afterEos: true,
  },
  "source commit": {
    stages: [source(noisy, { commit: boom })],
    lines: ["poll", "barrier 1", "commit 1"],
    node: "numbers",
  },
  "source commit while it waits for it": {
    stages: [source([], { commit: boom })],
    lines: ["barrier 1", "poll", "commit 1"],
    node: "numbers",
    afterEos: true,
  },
  "source stop when dry": { stages: [source([], { stop: boom })], lines: ["poll"], node: "numbers" },
  "source stop when stopped": { stages: [source(noisy, { stop: boom })], lines: ["stop"], node: "numbers" },
  "operator process": { stages: [operator({ process: boom })], lines: ["0 data a"], node: "step" },
  "operator onTime": { stages: [operator({ onTime: boom })], lines: ["0 wm 5"], node: "step" },
  "operator onTime over Eos": {
    stages: [operator({ onTime: boom })],
    lines: ["0 wm 5", "1 eos"],
    node: "step",
    inputs: 2,
  },
  "operator onEnd": { stages: [operator({ onEnd: boom })], lines: ["0 wm end"], node: "step" },
  "operator onTick": { stages: [operator({ onTick: boom })], lines: ["0 tick 5"], node: "step" },
  "operator onBarrier": { stages: [operator({ onBarrier: boom })], lines: ["0 barrier 1"], node: "step" },
  "operator snapshot": { stages: [operator({ snapshot: boom })], lines: ["0 barrier 1"], node: "step" },
  "operator onEos": { stages: [operator({ onEos: boom })], lines: ["0 eos"], node: "step" },
  "sink write": { stages: [sink({}, { write: boom })], lines: ["0 data a"], node: "table" },
  "sink flush": { stages: [sink({}, { flush: boom })], lines: ["0 barrier 1"], node: "table" },
  "sink flush of the last epoch": { stages: [sink({}, { flush: boom })], lines: ["0 data a", "0 eos"], node: "table" },
  "sink holdsRows": { stages: [sink({}, { holdsRows: boom })], lines: ["0 eos"], node: "table" },
  "sink commit": { stages: [sink({}, { commit: boom })], lines: ["0 barrier 1", "commit 1"], node: "table" },
  "sink commit while it waits for it": {
    stages: [sink({}, { commit: boom })],
    lines: ["0 data a", "0 eos", "commit 1"],
    node: "table",
    afterEos: true,
  },
  "sink onEos": { stages: [sink({}, { onEos: boom })], lines: ["0 eos"], node: "table" },
  "sink close": { stages: [sink({}, { close: boom })], lines: ["0 eos"], node: "table", afterEos: true },
  "process behind a source": { stages: [source(noisy), operator({ process: boom })], lines: ["poll"], node: "step" },
  "onTime behind a source": { stages: [source(noisy), operator({ onTime: boom })], lines: ["poll"], node: "step" },
  "onEnd behind a source": { stages: [source([]), operator({ onEnd: boom })], lines: ["poll"], node: "step" },
  "onTick behind a source": {
    stages: [source(noisy), operator({ onTick: boom })],
    lines: ["at 100", "poll"],
    node: "step",
  },
  "write behind a source": { stages: [source(noisy), sink({}, { write: boom })], lines: ["poll"], node: "table" },
  "flush behind an operator": {
    stages: [operator(), sink({}, { flush: boom })],
    lines: ["0 barrier 1"],
    node: "table",
  },
  "commit behind a source": {
    stages: [source(noisy), operator(), sink({}, { commit: boom })],
    lines: ["barrier 1", "commit 1"],
    node: "table",
  },
  "close behind a source": {
    stages: [source(noisy), sink({}, { close: boom })],
    lines: ["stop"],
    node: "table",
    afterEos: true,
  },
};

/** Everything that may still come to a task that is over. */
const AFTER = [
  "poll",
  "0 data z",
  "0 wm 9",
  "0 barrier 9",
  "0 eos",
  "barrier 9",
  "commit 9",
  "stop",
  "close-control",
  "cancel",
  "lose 0",
];

describe("a throw in a stage", () => {
  it.each(Object.entries(hooks))("F-64, F-69: %s: the task panics, once, without Eos, and is over", (_, hook) => {
    const { stages, lines, node, afterEos } = hook;
    const inputs = hook.inputs === undefined ? {} : { inputs: Array.from({ length: hook.inputs }, () => "in") };
    const task = new ScriptedTask({ stages, unopened: lines[0] === "open", ...inputs });
    const effects = lines.flatMap((line) => task.do(line));
    expect(effects.filter((effect) => effect.startsWith("failed"))).toEqual(["failed: task 3 panicked: boom"]);
    expect(effects.slice(-2)).toEqual(["failed: task 3 panicked: boom", "finish without Eos"]);
    if (afterEos !== true) expect(effects).not.toContain("e10 eos");
    expect(task.machine.phase).toBe("done");
    expect(AFTER.flatMap((line) => task.do(line))).toEqual([]);
    const failure = task.events.find((event) => event.kind === "failed");
    expect(failure).toMatchObject({ task: 3, error: { code: "task-panicked", domain: "task", task: 3, node } });
  });

  it("covers every hook that a stage can have", () => {
    const names = Object.keys(hooks).join(", ");
    const all = [
      "open",
      "poll",
      "position",
      "finalPosition",
      "commit",
      "stop",
      "process",
      "onTime",
      "onEnd",
      "onTick",
      "onBarrier",
    ];
    for (const hook of [...all, "onEos", "snapshot", "write", "flush", "holdsRows", "close"])
      expect(names).toContain(hook);
  });

  it("F-30, F-64: what was emitted before the throw goes out, what would come after does not", () => {
    const task = new ScriptedTask({
      stages: [
        operator({
          process: (batch, _port, output) => {
            output.emit(batch);
            boom();
          },
        }),
      ],
    });
    expect(task.do("0 data a")).toEqual(["e10 data a", "failed: task 3 panicked: boom", "finish without Eos"]);
  });

  it("F-64: what was thrown need not be an error", () => {
    const task = new ScriptedTask({ stages: [operator({ process: () => raise("plain text") })] });
    expect(task.do("0 data a")[0]).toBe("failed: task 3 panicked: plain text");
  });

  it("an error that says itself what is wrong is not called a panic, and learns its place", () => {
    const error = { code: "row-too-large", domain: "data", message: "row 7 is too large" } as const;
    const process = () => {
      throw new WeirError(error);
    };
    const task = new ScriptedTask({ stages: [operator({ process })] });
    const [report] = task.machine.offer(0, { kind: "data", batch: "a" }, 0);
    expect(report).toEqual({
      kind: "report",
      event: { kind: "failed", task: 3, error: { ...error, task: 3, node: "step" } },
    });
  });

  it("F-69: the first failure of a task is its only one: a close that throws after it is not told", () => {
    const task = new ScriptedTask({
      stages: [sink({}, { write: () => raise("first"), close: () => raise("second") })],
    });
    expect(task.do("0 data a")).toEqual(["failed: task 3 panicked: first", "finish without Eos"]);
  });

  it("D-16: a close that throws over a cancel is no failure of the run", () => {
    const task = new ScriptedTask({ stages: [source([], { stop: boom }), sink({}, { close: boom })] });
    expect(task.do("cancel")).toEqual(["finish without Eos"]);
  });

  it("F-45, F-64: an acknowledgement that cannot be encoded fails the task", () => {
    const task = new ScriptedTask({ stages: [sink({ flush: () => ({ kind: "later" }) })] });
    task.do("0 barrier 1");
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    task.machine.ack(epoch(1), circular as never);
    expect(task.machine.takeEffects().map(effectText)).toEqual([
      expect.stringMatching(/^failed: task 3 panicked: .*circular/i),
      "finish without Eos",
    ]);
  });
});

describe("a snapshot that cannot be taken", () => {
  const refusing = () => ({ refusal: { refused: "a window of 3 GB" } });

  it("F-65: says so with task and epoch and does not panic; no barrier, no Eos", () => {
    const task = new ScriptedTask({ stages: [operator({ snapshot: refusing })] });
    const [report, ...rest] = task.machine.offer(0, { kind: "barrier", epoch: epoch(4) }, 0);
    expect(report).toEqual({
      kind: "report",
      event: {
        kind: "failed",
        task: 3,
        error: {
          code: "checkpoint-refused",
          domain: "checkpoint",
          task: 3,
          node: "step",
          message: "task 3: checkpoint at epoch 4: a window of 3 GB",
        },
      },
    });
    expect(rest.map(effectText)).toEqual(["finish without Eos"]);
  });

  it("F-65, F-44: rows of the barrier go out all the same", () => {
    const task = new ScriptedTask({
      stages: [operator({ snapshot: refusing, onBarrier: (_at, output) => output.emit("r") })],
    });
    expect(task.do("0 barrier 4")).toEqual([
      "e10 data r",
      "failed: task 3: checkpoint at epoch 4: a window of 3 GB",
      "finish without Eos",
    ]);
  });

  it("F-65: over an Eos that completes the barrier nothing of the end follows", () => {
    const task = new ScriptedTask({ stages: [operator({ snapshot: refusing, onEos: boom })], inputs: ["in", "in"] });
    task.do("0 wm 7");
    task.do("0 barrier 4");
    expect(task.do("1 eos")).toEqual(["failed: task 3: checkpoint at epoch 4: a window of 3 GB", "finish without Eos"]);
  });

  it("F-65, D-13: also at the last epoch, which a chained sink seals without a barrier", () => {
    const task = new ScriptedTask({ stages: [source([done("a")]), operator({ snapshot: refusing }), sink()] });
    expect(task.do("poll")).toEqual(["failed: task 3: checkpoint at epoch 1: a window of 3 GB", "finish without Eos"]);
  });

  it("F-65: a run without checkpoints ends well with an operator that cannot be snapshotted", () => {
    const task = new ScriptedTask({ stages: [operator({ snapshot: refusing })] });
    expect(task.do("0 eos")).toEqual(["e10 eos", "ended", "finish"]);
  });
});

describe("failures that the runner meets", () => {
  it("fails the task with the error as it is, and its task", () => {
    const task = new ScriptedTask({ stages: [operator()] });
    const error = { code: "row-too-large", domain: "transport", edge: "e", row: 3, message: "too large" } as const;
    expect(task.machine.abort(error, 0)).toEqual([
      { kind: "report", event: { kind: "failed", task: 3, error: { ...error, task: 3 } } },
      { kind: "finish", clean: false },
    ]);
    expect(task.machine.abort(error, 0)).toEqual([]);
  });
});

function raise(what: unknown): never {
  throw what;
}
