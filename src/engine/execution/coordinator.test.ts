import { describe, expect, it } from "vitest";
import { assertNever } from "../base/assert.ts";
import type { ErrorData } from "../base/errors.ts";
import { epoch, taskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import { encodeText } from "../testing/scripted-task.ts";
import { CANCEL_GRACE_MS, Coordinator } from "./coordinator.ts";
import type { CoordinatorEffect, CoordinatorSpec } from "./coordinator-contract.ts";
import { MAX_PENDING_EPOCHS } from "./epoch-schedule.ts";

/** Lines in, effects out. Tasks: 0 source, 1 operator, 2 sink. */

const said = (text: string) => ({ stages: [{ state: encodeText(text), time: { fired: undefined, said: undefined } }] });

const errorOf = (code: string, message = code): ErrorData => ({ code, domain: "task", message });

function effectText(effect: CoordinatorEffect): string {
  switch (effect.kind) {
    case "control": {
      const { message } = effect;
      return `${effect.task} ${message.kind}${"epoch" in message ? ` ${message.epoch}` : ""}`;
    }
    case "run-state":
      return effect.state;
    case "complete": {
      const parts = [...effect.epoch.snapshots, ...effect.epoch.precommits].map(([task]) => task);
      return `complete ${effect.epoch.epoch} [${parts.join(" ")}]`;
    }
    case "issued":
    case "committed":
      return `${effect.kind} ${effect.epoch}`;
    case "aborted":
      return effect.error.message;
    case "terminate":
      return "terminate";
    case "over":
      return effect.outcome.error === undefined
        ? `over: ${effect.outcome.kind}`
        : `over: failed, ${effect.outcome.error.message}`;
    default:
      return assertNever(effect);
  }
}

class Run {
  readonly coordinator: Coordinator;
  nowMs = 0;

  constructor(spec: Partial<CoordinatorSpec> = {}) {
    this.coordinator = new Coordinator({
      tasks: [
        { id: taskId(0), name: "numbers · 0", hasSource: true, hasSink: false },
        { id: taskId(1), name: "count · 0", hasSource: false, hasSink: false },
        { id: taskId(2), name: "table · 0", hasSource: false, hasSink: true },
      ],
      barrierEveryMs: 0,
      epochTimeoutMs: 1000,
      stopTimeoutMs: 500,
      startEpoch: epoch(0),
      ...spec,
    });
  }

  /**
   * `start`, `barrier`, `stop`, `signal`, `pause`, `resume`, `cancel`, `inject 9`, `at 100` (the clock, and the timer), `durable 1`, `hook 1` (it failed), `fail x`,
   * `lose 0 1`; events: `snapshot 0@1`, `ack 2@1`, `refused 2@1`, `drained 0`, `ended 0`, `finished 0`, `failed 0 x`, `all 1` (everybody reports).
   */
  do(line: string): string[] {
    return this.act(line).map(effectText);
  }

  play(script: readonly (readonly [line: string, effects: readonly string[]])[]): this {
    expect(script.map(([line]) => [line, this.do(line)])).toEqual(script);
    return this;
  }

  private act(line: string): CoordinatorEffect[] {
    const { coordinator, nowMs } = this;
    const [word = "", ...rest] = line.split(" ");
    const e = epoch(Number(rest[0]));
    switch (word) {
      case "start":
      case "barrier":
      case "stop":
      case "pause":
      case "resume":
      case "cancel":
        return coordinator[word](nowMs);
      case "signal":
        return coordinator.signalStop(nowMs);
      case "inject":
        return coordinator.injectEpoch(e, nowMs);
      case "at":
        this.nowMs = Number(rest[0]);
        return coordinator.timer(this.nowMs);
      case "durable":
        return coordinator.durable(e, nowMs);
      case "hook":
        return coordinator.hookFailed(e, errorOf("checkpoint-failed", "disk full"), nowMs);
      case "fail":
        return coordinator.fail(errorOf(rest[0] ?? ""), nowMs);
      case "lose":
        return coordinator.loseTasks(
          rest.map((task) => taskId(Number(task))),
          errorOf("host-died"),
          nowMs,
        );
      case "all":
        return ["snapshot 0", "snapshot 1", "ack 2"].flatMap((report) => this.act(`${report}@${rest[0]}`));
      default:
        return coordinator.event(eventOf(word, rest), nowMs);
    }
  }
}

function eventOf(word: string, [where = "", text = "boom"]: string[]): TaskEvent {
  const [id, at] = where.split("@").map(Number);
  const task = taskId(id ?? 0);
  const e = epoch(at ?? 0);
  switch (word) {
    case "snapshot":
    case "ack":
      return { kind: word, task, epoch: e, snapshot: said("s") };
    case "refused":
      return { kind: word, task, epoch: e, reason: "disk full" };
    case "drained":
      return { kind: word, task, snapshot: said("last") };
    case "ended":
      return { kind: word, task, snapshot: said("end") };
    case "failed":
      return { kind: word, task, error: errorOf(text) };
    case "finished":
      return { kind: word, task, cpuMs: null };
    default:
      throw new Error(`no such line: ${word}`);
  }
}

const started = (spec: Partial<CoordinatorSpec> = {}): Run => {
  const run = new Run(spec);
  run.do("start");
  return run;
};

const ENDS = ["ended 0", "ended 1", "ended 2", "finished 0", "finished 1"];

describe("epochs", () => {
  it("F-48, F-55: a barrier goes to the sources; when all reported, the hook runs, and only then is it committed, to sources and sinks", () => {
    const run = started().play([
      ["barrier", ["issued 1", "0 barrier 1"]],
      ["snapshot 0@1", []],
      ["snapshot 1@1", []],
      ["ack 2@1", ["complete 1 [0 1 2]"]],
      ["durable 1", ["committed 1", "0 commit 1", "2 commit 1"]],
    ]);
    const { epoch: issued, completedEpoch, committedEpoch, state } = run.coordinator;
    expect([issued, completedEpoch, committedEpoch, state]).toEqual([1, 1, 1, "running"]);
  });

  it("D-19: completion hooks run one at a time, in order", () => {
    const run = started();
    run.do("barrier");
    run.do("barrier");
    run.play([
      ["all 1", ["complete 1 [0 1 2]"]],
      ["all 2", []],
      ["durable 1", ["committed 1", "0 commit 1", "2 commit 1", "complete 2 [0 1 2]"]],
      ["durable 2", ["committed 2", "0 commit 2", "2 commit 2"]],
    ]);
  });

  it("F-7: without an interval only hand and stop issue epochs", () => {
    const run = started();
    expect([run.coordinator.nextTimerMs, run.do("at 1000000"), run.coordinator.epoch]).toEqual([
      Number.POSITIVE_INFINITY,
      [],
      0,
    ]);
  });

  it("F-49: the ticker issues when due, and counts the next one from there", () => {
    const run = started({ barrierEveryMs: 100 });
    expect(run.coordinator.nextTimerMs).toBe(100);
    run.play([
      ["at 99", []],
      ["at 130", ["issued 1", "0 barrier 1"]],
    ]);
    expect(run.coordinator.nextTimerMs).toBe(230);
    run.play([["at 230", ["issued 2", "0 barrier 2"]]]);
  });

  it("F-49: the ticker ends with the stop", () => {
    const run = started({ barrierEveryMs: 100 });
    run.do("stop");
    run.play([["at 200", []]]);
    expect(run.coordinator.epoch).toBe(1);
  });

  it("F-8: a run that continues counts on from its epoch", () => {
    const run = started({ startEpoch: epoch(7) });
    expect(run.coordinator.epoch).toBe(7);
    run.play([["barrier", ["issued 8", "0 barrier 8"]]]);
  });

  it("F-61: an epoch that was decided elsewhere is issued with its number, and counted on from; an old one is not", () => {
    started().play([
      ["inject 5", ["issued 5", "0 barrier 5"]],
      ["inject 5", []],
      ["inject 4", []],
      ["barrier", ["issued 6", "0 barrier 6"]],
    ]);
  });

  it("D-8: at most 32 epochs are outstanding: further beats of the ticker are skipped", () => {
    const run = started({ barrierEveryMs: 10, epochTimeoutMs: 1e9 });
    for (let i = 1; i <= MAX_PENDING_EPOCHS + 5; i++) run.do(`at ${10 * i}`);
    expect(run.coordinator.epoch).toBe(MAX_PENDING_EPOCHS);
    run.do("all 1");
    run.do("at 1000");
    expect(run.coordinator.epoch).toBe(MAX_PENDING_EPOCHS + 1);
  });

  it("D-8: one manual trigger is remembered while too many are outstanding, and issued when there is room", () => {
    const run = started({ epochTimeoutMs: 1e9 });
    for (let i = 0; i < MAX_PENDING_EPOCHS; i++) run.do("barrier");
    run.play([
      ["barrier", []],
      ["barrier", []],
      ["snapshot 0@1", []],
      ["snapshot 1@1", []],
      ["ack 2@1", ["complete 1 [0 1 2]", "issued 33", "0 barrier 33"]],
      ["snapshot 0@2", []],
      ["snapshot 1@2", []],
      ["ack 2@2", []],
    ]);
    expect(run.coordinator.epoch).toBe(33);
  });

  it("D-8: an abort makes room for it too", () => {
    const run = started({ epochTimeoutMs: 1000 });
    for (let i = 0; i < MAX_PENDING_EPOCHS; i++) run.do("barrier");
    run.do("barrier");
    const effects = run.do("at 1000");
    expect(effects.slice(0, 3)).toEqual([
      "epoch 1 did not complete within 1000 ms; not reported by numbers · 0, count · 0, table · 0",
      "issued 33",
      "0 barrier 33",
    ]);
  });

  it("D-8: an epoch that takes too long is given up, with the names of the tasks that had not reported; late reports are dropped", () => {
    const run = started();
    run.do("barrier");
    expect(run.coordinator.nextTimerMs).toBe(1000);
    run.play([
      ["snapshot 0@1", []],
      ["at 999", []],
      ["at 1000", ["epoch 1 did not complete within 1000 ms; not reported by count · 0, table · 0"]],
      ["snapshot 1@1", []],
      ["ack 2@1", []],
      ["barrier", ["issued 2", "0 barrier 2"]],
      ["all 2", ["complete 2 [0 1 2]"]],
    ]);
    expect(run.coordinator.epochs.map(({ epoch: e, failure }) => [e, failure !== undefined])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it("D-8: an epoch that only waited for the aborted one completes with the abort", () => {
    const run = started();
    run.do("barrier");
    run.do("at 500");
    run.do("barrier");
    run.play([
      ["snapshot 0@1", []],
      ["all 2", []],
      [
        "at 1000",
        ["epoch 1 did not complete within 1000 ms; not reported by count · 0, table · 0", "complete 2 [0 1 2]"],
      ],
      ["at 1600", []],
    ]);
  });

  it("D-8, D-19: time-outs count running time: a pause does not age an epoch", () => {
    const run = started();
    run.do("barrier");
    run.do("at 400");
    run.do("pause");
    run.play([
      ["at 5000", []],
      ["resume", ["running"]],
    ]);
    expect(run.coordinator.nextTimerMs).toBe(5600);
    run.play([
      ["at 5599", []],
      ["at 5600", ["epoch 1 did not complete within 1000 ms; not reported by numbers · 0, count · 0, table · 0"]],
    ]);
  });

  it("F-45, D-8: an epoch that a sink refused is given up at once, with its reason, once", () => {
    started().play([
      ["barrier", ["issued 1", "0 barrier 1"]],
      ["refused 2@1", ["epoch 1 was refused by table · 0: disk full"]],
      ["refused 2@1", []],
      ["snapshot 0@1", []],
      ["barrier", ["issued 2", "0 barrier 2"]],
      ["all 2", ["complete 2 [0 1 2]"]],
    ]);
  });

  it("F-37: a source that ended gets no barrier any more, and the epoch completes without it (F-52, D-15)", () => {
    started().play([
      ["drained 0", []],
      ["ended 0", []],
      ["barrier", ["issued 1"]],
      ["snapshot 1@1", []],
      ["ack 2@1", ["complete 1 [0 1 2]"]],
    ]);
  });

  it("F-57: a task that finished gets no commit", () => {
    started().play([
      ["barrier", ["issued 1", "0 barrier 1"]],
      ["all 1", ["complete 1 [0 1 2]"]],
      ["finished 0", []],
      ["durable 1", ["committed 1", "2 commit 1"]],
    ]);
  });
});

describe("the end of a run", () => {
  it("D-13: bounded inputs without any barrier: the sink's last epoch completes, is committed, and the run is finished", () => {
    started().play([
      ["drained 0", []],
      ["ended 0", []],
      ["finished 0", []],
      ["ended 1", []],
      ["finished 1", []],
      ["ack 2@1", ["complete 1 [0 1 2]"]],
      ["ended 2", []],
      ["durable 1", ["committed 1", "2 commit 1"]],
      ["finished 2", ["over: finished"]],
    ]);
  });

  it("D-13, F-48: the epoch issued after one that a sink sealed comes behind it", () => {
    const run = started();
    for (const line of ["ended 0", "ended 1", "ack 2@1"]) run.do(line);
    expect(run.coordinator.epoch).toBe(1);
    run.play([["barrier", ["issued 2"]]]);
  });

  it("D-8, D-13: rows of an aborted epoch are committed at the end all the same", () => {
    started().play([
      ["barrier", ["issued 1", "0 barrier 1"]],
      ["snapshot 0@1", []],
      ["at 1000", ["epoch 1 did not complete within 1000 ms; not reported by count · 0, table · 0"]],
      ["snapshot 1@1", []],
      ["ack 2@1", []],
      ["ended 0", []],
      ["ended 1", []],
      ["ended 2", ["complete 2 [0 1 2]"]],
      ["durable 2", ["committed 2", "0 commit 2", "2 commit 2"]],
      ["finished 0", []],
      ["finished 1", []],
      ["finished 2", ["over: finished"]],
    ]);
  });

  it("D-19: the run is over only when the hook that runs has answered", () => {
    const run = started();
    run.do("barrier");
    run.do("all 1");
    for (const line of [...ENDS, "finished 2"]) expect(run.do(line)).toEqual([]);
    run.play([["durable 1", ["committed 1", "over: finished"]]]);
    expect(run.coordinator.state).toBe("finished");
  });

  it("nothing happens after the end", () => {
    const run = started();
    for (const line of ["finished 0", "finished 1", "finished 2"]) run.do(line);
    for (const line of ["barrier", "stop", "cancel", "pause", "fail x", "at 99999", "failed 0 x", "lose 1"]) {
      expect([line, run.do(line)]).toEqual([line, []]);
    }
    expect(run.coordinator.state).toBe("finished");
  });
});

describe("stop", () => {
  it("F-59: one final barrier, then stop to the sources; a second stop changes nothing", () => {
    const run = started().play([
      ["stop", ["issued 1", "0 barrier 1", "0 stop"]],
      ["stop", []],
      ["barrier", []],
      ["signal", []],
      ["inject 9", []],
    ]);
    expect([run.coordinator.epoch, run.coordinator.state]).toEqual([1, "stopping"]);
    run.do("all 1");
    run.do("durable 1");
    for (const line of ENDS) run.do(line);
    run.play([["finished 2", ["over: stopped"]]]);
  });

  it("F-60: signalled to stop, no barrier is issued", () => {
    const run = started().play([["signal", ["0 stop"]]]);
    expect([run.coordinator.epoch, run.coordinator.state]).toEqual([0, "stopping"]);
  });

  it("D-19: stop resumes first, and so does its signal", () => {
    const run = started();
    run.do("pause");
    run.play([["stop", ["running", "issued 1", "0 barrier 1", "0 stop"]]]);
    const signalled = started();
    signalled.do("pause");
    signalled.play([["signal", ["running", "0 stop"]]]);
  });

  it("F-59: sources that ended hear of neither", () => {
    const run = started();
    run.do("ended 0");
    run.play([["stop", ["issued 1"]]]);
  });

  it("F-59: asked for before everything is built, it holds: the ticker never starts", () => {
    const run = new Run({ barrierEveryMs: 10 });
    run.play([
      ["stop", ["issued 1", "0 barrier 1", "0 stop"]],
      ["start", ["running"]],
      ["at 100", []],
    ]);
    expect(run.coordinator.state).toBe("stopping");
  });

  it("D-16: a stop that takes too long becomes a cancel, and then the workers are ended; the run names who was at work", () => {
    const run = started();
    run.do("stop");
    run.do("finished 0");
    expect(run.coordinator.nextTimerMs).toBe(500);
    run.play([
      ["at 499", []],
      ["at 500", ["cancelled"]],
      [`at ${500 + CANCEL_GRACE_MS - 1}`, []],
      [`at ${500 + CANCEL_GRACE_MS}`, ["terminate"]],
      ["lose 1 2", ["over: failed, the run did not stop within 500 ms; still at work: count · 0, table · 0"]],
    ]);
  });

  it("D-16: tasks that leave when cancelled are not ended", () => {
    const run = started();
    run.do("stop");
    run.do("at 500");
    for (const task of [0, 1]) expect(run.do(`finished ${task}`)).toEqual([]);
    expect(run.do("finished 2")).toEqual([expect.stringMatching(/^over: failed, the run did not stop/)]);
  });
});

describe("cancel", () => {
  it("D-16: every loop hears it; the run is cancelled, whatever fails or completes on the way", () => {
    const run = started({ barrierEveryMs: 100 });
    run.do("barrier");
    run.play([
      ["cancel", ["cancelled"]],
      ["cancel", []],
      ["stop", []],
      ["at 1500", []],
      ["all 1", []],
      ["failed 1 late", []],
      ["finished 0", []],
      ["finished 1", []],
      ["finished 2", ["over: cancelled"]],
    ]);
  });

  it("D-16: what is being made durable is not committed any more", () => {
    const run = started();
    run.do("barrier");
    run.do("all 1");
    run.do("cancel");
    run.play([["durable 1", []]]);
    expect(run.coordinator.committedEpoch).toBe(0);
  });

  it("D-16: a paused run can be cancelled, and does not run again", () => {
    started().play([
      ["pause", ["paused"]],
      ["cancel", ["cancelled"]],
      ["resume", []],
      [`at ${CANCEL_GRACE_MS}`, ["terminate"]],
    ]);
  });

  it("D-16: cancelled before everything is built, it never runs", () => {
    new Run().play([
      ["cancel", ["cancelled"]],
      ["start", []],
    ]);
  });
});

describe("pause", () => {
  it("D-19: while paused no epoch is issued, by ticker or by hand; a manual trigger waits for the resume", () => {
    const run = started({ barrierEveryMs: 100 });
    run.play([
      ["pause", ["paused"]],
      ["pause", []],
      ["at 1000", []],
      ["barrier", []],
      ["barrier", []],
      ["resume", ["running", "issued 1", "0 barrier 1"]],
      ["resume", []],
    ]);
    expect(run.coordinator.state).toBe("running");
  });

  it("D-19: a beat that was due when the run was paused waits for the resume", () => {
    const run = started({ barrierEveryMs: 100 });
    run.nowMs = 150;
    run.do("pause");
    run.play([
      ["at 200", []],
      ["resume", ["running"]],
      ["at 200", ["issued 1", "0 barrier 1"]],
    ]);
  });

  it("D-19: reports and commits go on while paused, and do not bring a waiting trigger out", () => {
    const run = started();
    run.do("barrier");
    run.do("pause");
    run.play([
      ["barrier", []],
      ["all 1", ["complete 1 [0 1 2]"]],
      ["durable 1", ["committed 1", "0 commit 1", "2 commit 1"]],
    ]);
  });

  it("D-19: the time that a pause took does not count for the ticker", () => {
    const run = started({ barrierEveryMs: 100 });
    run.do("at 60");
    run.do("pause");
    run.do("at 1000");
    run.do("resume");
    expect(run.coordinator.nextTimerMs).toBe(1040);
  });

  it("F-68: a failure while paused lets the tasks run to their end", () => {
    const run = started();
    run.do("pause");
    run.play([["fail x", ["running", "0 stop", "0 close-control", "1 close-control", "2 close-control"]]]);
  });
});

describe("failure", () => {
  it("F-68, F-69: the first failure stops the sources and closes control for all; later ones are ignored; it is the result", () => {
    started().play([
      ["failed 1 boom", ["0 stop", "0 close-control", "1 close-control", "2 close-control"]],
      ["failed 2 other", []],
      ["finished 1", []],
      ["finished 0", []],
      ["finished 2", ["over: failed, boom"]],
    ]);
  });

  it("F-68: an epoch that was open when the run failed, or was cancelled, is given up, though every task ends (F-53)", () => {
    for (const [end, why] of [
      ["fail boom", "failed"],
      ["cancel", "was cancelled"],
    ] as const) {
      const run = started();
      for (const line of ["barrier", "all 1", "durable 1", "barrier", "snapshot 0@2", end]) run.do(line);
      for (const task of [0, 1, 2]) run.do(`finished ${task}`);
      expect(run.coordinator).toMatchObject({ epoch: 2, completedEpoch: 1, committedEpoch: 1 });
      const [, open] = run.coordinator.epochs;
      expect([open?.completedMs, open?.failure]).toEqual([undefined, `the run ${why} before epoch 2 was complete`]);
    }
  });

  it("F-63: the text of the failure is the result, word for word", () => {
    const run = started();
    run.do("failed 0 boom");
    for (const line of ["finished 0", "finished 1"]) run.do(line);
    expect(run.do("finished 2")).toEqual(["over: failed, boom"]);
  });

  it("F-69, D-16: a lost input is replaced by its cause, whichever is heard first, and never by another lost input", () => {
    for (const order of [
      ["failed 2 input-lost", "failed 1 boom"],
      ["failed 1 boom", "failed 2 input-lost"],
    ]) {
      const run = started();
      for (const line of [...order, "failed 0 third", "finished 0", "finished 1"]) run.do(line);
      expect(run.do("finished 2")).toEqual(["over: failed, boom"]);
    }
    const lost = started();
    for (const line of ["failed 2 input-lost", "finished 0", "finished 1"]) lost.do(line);
    expect(lost.do("finished 2")).toEqual(["over: failed, input-lost"]);
  });

  it("D-16: also when the run was cancelled over it in the meantime", () => {
    const run = started();
    for (const line of ["failed 2 input-lost", "at 500", "failed 1 boom", "finished 0", "finished 1"]) run.do(line);
    expect(run.do("finished 2")).toEqual(["over: failed, boom"]);
  });

  it("F-56: the hook's error is the result, its epoch is not committed, the graph is stopped and control closed", () => {
    const run = started();
    run.do("barrier");
    run.do("barrier");
    run.do("all 1");
    run.do("all 2");
    run.play([
      ["hook 1", ["0 stop", "0 close-control", "1 close-control", "2 close-control"]],
      ["finished 0", []],
      ["finished 1", []],
      ["finished 2", ["over: failed, disk full"]],
    ]);
    expect(run.coordinator.committedEpoch).toBe(0);
    expect(run.coordinator.epochs[0]?.failure).toBe("disk full");
  });

  it("F-55, F-68: after a failure nothing is completed or committed any more", () => {
    const run = started();
    run.do("barrier");
    run.do("all 1");
    run.do("barrier");
    run.do("failed 1 boom");
    run.play([
      ["all 2", []],
      ["durable 1", []],
    ]);
    expect(run.coordinator.committedEpoch).toBe(0);
  });

  it("F-68: after a failure nothing is issued, and a stop changes nothing", () => {
    const run = started({ barrierEveryMs: 100 });
    run.do("failed 1 boom");
    run.play([
      ["barrier", []],
      ["stop", []],
      ["inject 5", []],
      ["at 200", []],
    ]);
  });

  it("F-68: a failure during a stop closes control, and does not stop twice", () => {
    const run = started();
    run.do("stop");
    run.play([["failed 1 boom", ["0 close-control", "1 close-control", "2 close-control"]]]);
  });

  it("D-16, F-69: a failed run whose tasks do not leave is cancelled and torn down, with the failure as its result", () => {
    const run = started();
    run.do("failed 1 boom");
    run.do("finished 1");
    run.play([
      ["at 500", ["cancelled"]],
      [`at ${500 + CANCEL_GRACE_MS}`, ["terminate"]],
      ["lose 0 2", ["over: failed, boom"]],
    ]);
  });

  it("F-80, D-16: tasks whose worker died fail the run and count as finished", () => {
    started().play([
      ["lose 0", ["0 stop", "0 close-control", "1 close-control", "2 close-control"]],
      ["failed 1 input-lost", []],
      ["finished 1", []],
      ["finished 2", ["over: failed, host-died"]],
    ]);
  });

  it("D-16: a worker that ends after its tasks finished is no failure", () => {
    const run = started();
    for (const line of ["finished 0", "finished 1"]) run.do(line);
    run.play([
      ["lose 0 1", []],
      ["finished 2", ["over: finished"]],
    ]);
  });

  it("F-69: an epoch that completes because its tasks are lost is not committed", () => {
    const run = started();
    run.do("barrier");
    for (const line of ["snapshot 0@1", "snapshot 1@1"]) run.do(line);
    expect(run.do("lose 2")).not.toContain("complete 1 [0 1]");
  });
});
