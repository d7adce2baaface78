import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import { timeMark } from "../base/event-time.ts";
import { type EdgeId, edgeId, epoch, nodeId, taskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import type { ControlMessage, Message } from "../core/messages.ts";
import { EdgeProbe, ProbeReader, probeBytes, TaskProbe } from "../core/probes.ts";
import type { Route } from "../core/routing.ts";
import type { Stage } from "../core/stage-chain.ts";
import type { Operator, PollResult, Sink, Source } from "../core/stages.ts";
import { TaskMachine } from "../core/task-machine.ts";
import { encodeText, eventText } from "../testing/scripted-task.ts";
import { FullTrace } from "../trace/trace-event.ts";
import { CONTROL_SLOTS, type EdgeWriter } from "../transport/edge.ts";
import { MemoryEdge } from "../transport/memory-edge.ts";
import { Outbox } from "./outbox.ts";
import type { RunnerHome } from "./runner-home.ts";
import { TaskRunner } from "./task-runner.ts";

/** What the only runner of tasks does with effects: both executors drive it. */

interface Rows {
  readonly rows: string;
  readonly rowCount: number;
}

const batch = (rows: string): Rows => ({ rows, rowCount: rows.length });

class Home implements RunnerHome {
  nowMs = 0;
  readonly time = (() => {
    const home = this;
    return {
      get wallMs() {
        return home.nowMs;
      },
      get runMs() {
        return home.nowMs;
      },
      refresh: () => undefined,
    };
  })();
  readonly trace = new FullTrace();
  slowMotionMs = 0;
  longestWaitMs = 100;
  congested = false;
  readonly events: TaskEvent[] = [];
  readonly claims: string[] = [];
  readonly samples: string[] = [];
  woken = 0;

  tell(event: TaskEvent): void {
    this.events.push(event);
  }

  claimFailure(_task: number, inputLost: boolean): void {
    this.claims.push(inputLost ? "input lost" : "failure");
  }

  cpuMs(): number | null {
    return 7;
  }

  sample(edge: EdgeId, batch: { readonly rowCount: number }): void {
    this.samples.push(`${edge}: ${batch.rowCount} rows`);
  }

  wake(): void {
    this.woken++;
  }
}

interface Options {
  readonly inputs?: number;
  readonly outputs?: number;
  readonly capacity?: number;
  /** In place of the writer of the first output. */
  readonly writer?: EdgeWriter<Rows>;
}

class Rig {
  readonly home = new Home();
  readonly inputs: MemoryEdge<Rows>[];
  readonly outputs: MemoryEdge<Rows>[];
  readonly machine: TaskMachine<Rows>;
  readonly runner: TaskRunner<Rows>;
  readonly probes: ProbeReader;

  constructor(stages: readonly Stage<Rows>[], options: Options = {}) {
    const isSource = stages[0]?.role === "source";
    const isSink = stages.at(-1)?.role === "sink";
    const inputs = options.inputs ?? (isSource ? 0 : 1);
    const outputs = options.outputs ?? (isSink ? 0 : 1);
    const capacity = options.capacity ?? 1;
    this.inputs = Array.from({ length: inputs }, () => new MemoryEdge<Rows>({ capacity: 16 }));
    this.outputs = Array.from({ length: outputs }, () => new MemoryEdge<Rows>({ capacity }));
    const routes: Route[] = this.outputs.map((_, i) => ({
      stage: stages.length - 1,
      port: "out",
      kind: "forward",
      columns: [],
      targets: [{ edge: edgeId(inputs + i), vnodes: [0, 8] }],
    }));
    this.machine = new TaskMachine<Rows>({
      task: taskId(0),
      stages,
      inEdges: this.inputs.map((_, i) => ({ edge: edgeId(i), port: "in" })),
      routes,
      vnodes: 8,
      alignment: "aligned",
      startEpoch: epoch(0),
      payload: { rowCount: (rows) => rows.rowCount, split: (rows) => [rows] },
      encode: encodeText,
    });
    const shape = { tasks: 1, edges: inputs + outputs, stages: stages.length };
    const cells = new Float64Array(probeBytes(shape) / 8);
    this.probes = new ProbeReader(cells, shape);
    this.runner = new TaskRunner<Rows>(
      this.machine,
      this.home,
      this.inputs.map((edge, i) => ({ edge: edgeId(i), reader: edge.reader, probe: new EdgeProbe(cells, shape, i) })),
      this.outputs.map(
        (edge, i) => new Outbox(edgeId(inputs + i), (i === 0 ? options.writer : undefined) ?? edge.writer),
      ),
      new TaskProbe(cells, 0, 0),
    );
    this.runner.open();
  }

  get state() {
    return this.probes.task(0, this.home.nowMs).state;
  }

  get events(): string[] {
    return this.home.events.map(eventText);
  }

  feed(input: number, ...messages: Message<Rows>[]): void {
    for (const message of messages) expect(this.inputs[input]?.writer.trySend(message)).toBe(true);
  }

  control(...messages: ControlMessage[]): void {
    for (const message of messages) this.runner.control(message);
  }

  /** Turns until nothing moves; how many there were. */
  run(limit = 1000): number {
    let turns = 0;
    const couldMove = () => {
      expect(this.runner.canMove).toBe(this.runner.moves().length > 0);
      return this.runner.canMove;
    };
    while (couldMove() && this.runner.turn()) expect(++turns).toBeLessThan(limit);
    expect([this.runner.canMove, this.runner.turn()]).toEqual([false, false]);
    return turns;
  }

  /** What came out of an output. */
  read(output = 0): string[] {
    const lines: string[] = [];
    const { reader } = this.outputs[output] as MemoryEdge<Rows>;
    for (let message = reader.peek(); message !== null; message = reader.peek()) {
      lines.push(messageText(message));
      reader.release();
    }
    return lines;
  }

  /** Turns and reads until nothing moves any more. */
  drain(output = 0): string[] {
    const lines: string[] = [];
    for (;;) {
      const turns = this.run();
      const read = this.read(output);
      if (turns === 0 && read.length === 0) return lines;
      lines.push(...read);
    }
  }
}

function messageText(message: Message<Rows>): string {
  if (message.kind === "data") return message.batch.rows;
  if (message.kind === "watermark") return `wm ${message.mark.kind === "time" ? message.mark.ms : message.mark.kind}`;
  if (message.kind === "barrier") return `barrier ${message.epoch}`;
  return message.kind;
}

const operator = (parts: Partial<Operator<Rows>> = {}): Stage<Rows> => ({
  role: "operator",
  node: nodeId("step"),
  operator: { process: (rows, _port, output) => output.emit(rows), ...parts },
});

function source(poll: Source<Rows>["poll"], parts: Partial<Source<Rows>> = {}): Stage<Rows> {
  return { role: "source", node: nodeId("numbers"), source: { poll, position: () => 0, ...parts } };
}

const sink = (parts: Partial<Sink<Rows>> = {}): Stage<Rows> => ({
  role: "sink",
  node: nodeId("table"),
  sink: {
    write: () => undefined,
    flush: () => ({ kind: "durable", precommit: null }),
    holdsRows: () => false,
    commit: () => undefined,
    close: () => undefined,
    ...parts,
  },
});

const data = (rows: string): Message<Rows> => ({ kind: "data", batch: batch(rows) });
const barrier = (e: number) => ({ kind: "barrier", epoch: epoch(e) }) as const;
const commit = (e: number) => ({ kind: "commit", epoch: epoch(e) }) as const;
const eos: Message<Rows> = { kind: "eos" };
const again: PollResult = { kind: "again" };

/** Emits the batches, one a poll, and is dry then. */
const emits = (...batches: string[]): Stage<Rows> => {
  let next = 0;
  return source((output) => {
    const rows = batches[next++];
    if (rows === undefined) return { kind: "done" };
    output.emit(batch(rows));
    return again;
  });
};

describe("sending", () => {
  it("F-3, F-81: a full edge keeps the task in Sending with its target, and it takes no further input", () => {
    const rig = new Rig([operator()]);
    rig.feed(0, data("a"), data("b"), data("c"));
    expect(rig.run()).toBe(2);
    expect(rig.probes.task(0, 0)).toMatchObject({ state: "Sending", target: 1, batchesIn: 2, batchesOut: 1 });
    expect([rig.runner.moves(), rig.inputs[0]?.view.queued]).toEqual([[], 2]);
    expect(rig.drain()).toEqual(["a", "b", "c"]);
    expect(rig.state).toBe("Receiving");
  });

  it("D-1: a message is released when its effects are through, not before: a batch in a ring stays valid", () => {
    const rig = new Rig([
      operator({ process: (rows, _port, output) => [...rows.rows].forEach((row) => output.emit(batch(row))) }),
    ]);
    rig.feed(0, data("abc"));
    rig.run();
    expect(rig.inputs[0]?.view.queued).toBe(1);
    expect(rig.drain()).toEqual(["a", "b", "c"]);
    expect(rig.inputs[0]?.view.queued).toBe(0);
  });

  it("D-2: a barrier goes to every output before later data, and a full output does not keep it from the others", () => {
    const rig = new Rig([operator()], { outputs: 2 });
    rig.feed(0, data("a"), data("b"), barrier(1), data("c"));
    rig.run();
    expect(rig.read(1)).toEqual(["a"]);
    expect(rig.run()).toBe(1);
    // Output 0 is full still, so nothing is taken; output 1 got its part of the same batch.
    expect([rig.read(1), rig.run()]).toEqual([["b"], 0]);
    expect(rig.read(0)).toEqual(["a"]);
    rig.run();
    expect(rig.read(1)).toEqual(["barrier 1", "c"]);
    expect(rig.read(0)).toEqual(["b", "barrier 1"]);
  });

  it("D-2, P-37: control has slots behind data, and waits like data when they are used up; nothing is dropped", () => {
    const rig = new Rig([operator()], { capacity: 1 });
    const epochs = Array.from({ length: CONTROL_SLOTS + 3 }, (_, i) => barrier(i + 1));
    rig.feed(0, data("a"), ...epochs);
    rig.run();
    expect([rig.outputs[0]?.view.queued, rig.state]).toEqual([1 + CONTROL_SLOTS, "Sending"]);
    expect(rig.drain()).toEqual(["a", ...epochs.map(({ epoch: e }) => `barrier ${e}`)]);
  });

  it("D-2: it takes round-robin from the inputs that can be read and are not held", () => {
    const rig = new Rig([operator()], { inputs: 3, capacity: 100 });
    rig.feed(0, data("a"), data("b"), data("c"));
    rig.feed(2, data("x"), barrier(1), data("y"));
    expect(rig.drain()).toEqual(["a", "x", "b", "c"]);
    rig.feed(1, data("m"), barrier(1));
    rig.feed(0, barrier(1), data("d"));
    expect(rig.drain()).toEqual(["m", "barrier 1", "y", "d"]);
  });

  it("D-16: a send to a reader that closed is through, and the task goes on to its end", () => {
    const rig = new Rig([operator()]);
    rig.outputs[0]?.reader.close();
    rig.feed(0, data("a"), data("b"), eos);
    rig.run();
    expect([rig.runner.isOver, rig.state]).toEqual([true, "Done"]);
  });

  it("a send that can never work fails the task with that error, and its edges close without Eos", () => {
    const writer = refusing(1);
    const rig = new Rig([operator()], { writer });
    rig.feed(0, data("a"), data("b"));
    rig.run();
    expect(rig.events).toEqual(["failed: row 1 is too large", "finished"]);
    expect([rig.runner.isOver, rig.state, writer.closed]).toEqual([true, "Failed", true]);
  });

  it("nothing follows a send that failed the task: no report, no further message", () => {
    const rig = new Rig([operator({ onBarrier: (_e, output) => output.emit(batch("x")) })], {
      writer: refusing(0),
      outputs: 2,
    });
    rig.feed(0, barrier(1));
    rig.run();
    expect(rig.events).toEqual(["failed: row 1 is too large", "finished"]);
    expect(rig.read(1)).toEqual([]);
  });

  it("it ends too when the send fails that had waited for room behind another one", () => {
    const writer = refusing(2, 1);
    const rig = new Rig(
      [operator({ process: (rows, _port, output) => [...rows.rows].forEach((row) => output.emit(batch(row))) })],
      { writer },
    );
    rig.feed(0, data("abc"));
    rig.run();
    expect(rig.events).toEqual([]);
    writer.room = 10;
    rig.run();
    expect([rig.runner.isOver, rig.events]).toEqual([true, ["failed: row 1 is too large", "finished"]]);
  });
});

/** A writer that throws on the batch after `good` ones, and has room for `room` messages. */
function refusing(good: number, room = 100) {
  let sent = 0;
  return {
    room,
    closed: false,
    trySend(message: Message<Rows>): boolean {
      if (this.room <= 0) return false;
      if (message.kind === "data" && sent++ >= good) {
        throw new WeirError({ code: "row-too-large", domain: "transport", edge: "e", message: "row 1 is too large" });
      }
      this.room--;
      return true;
    },
    hasRoom(): boolean {
      return this.room > 0;
    },
    close(): void {
      this.closed = true;
    },
  };
}

describe("control", () => {
  it("F-28: control is taken before the next poll, in the order issued", () => {
    const log: string[] = [];
    const polled = source((output) => {
      log.push("poll");
      output.emit(batch("a"));
      return again;
    });
    const rig = new Rig([polled], { capacity: 100 });
    rig.runner.turn();
    rig.control(barrier(1), barrier(2), { kind: "stop" });
    rig.run();
    expect([log, rig.read()]).toEqual([["poll"], ["a", "barrier 1", "barrier 2", "eos"]]);
    expect(rig.events.map((event) => event.split(" ").slice(0, 2).join(" "))).toEqual([
      "snapshot 1",
      "snapshot 2",
      "ended 0",
    ]);
    rig.control(commit(2));
    rig.run();
    expect([rig.state, rig.events.at(-1)]).toEqual(["Done", "finished"]);
  });

  it("F-28, D-8: of barriers that piled up a source takes one a poll, so that rows go on however long barriers take", () => {
    const polled = source((output) => {
      output.emit(batch("a"));
      return again;
    });
    const rig = new Rig([polled], { capacity: 100 });
    rig.runner.turn();
    rig.control(barrier(1), barrier(2), barrier(3));
    for (let turn = 0; turn < 5; turn++) rig.runner.turn();
    expect(rig.read()).toEqual(["a", "barrier 1", "a", "barrier 2", "a", "barrier 3"]);
  });

  it("D-18: a source that is blocked takes control when the poll's effects are through, and its position moves only then", () => {
    let sent = 0;
    const position = (): number => sent;
    const polled = source(
      (output) => {
        for (let i = 0; i < 3; i++) output.emit(batch(String(sent++)));
        return again;
      },
      { position },
    );
    const rig = new Rig([polled]);
    rig.run();
    rig.control(barrier(1));
    expect([rig.run(), rig.state, rig.events]).toEqual([0, "Sending", []]);
    expect(rig.read()).toEqual(["0"]);
    rig.runner.turn();
    expect([rig.read(), rig.events]).toEqual([["1"], []]);
    rig.runner.turn();
    rig.runner.turn();
    expect([rig.read(), rig.events]).toEqual([["2", "barrier 1"], ["snapshot 1 3"]]);
  });

  it("F-27, F-36, F-58, F-81: after the end it shows CommitWait until the commit comes, which needs no tick to be noticed", () => {
    const rig = new Rig([sink({ holdsRows: () => true })]);
    rig.feed(0, data("a"), eos);
    rig.run();
    expect([rig.state, rig.events]).toEqual(["CommitWait", ["ack 1 -", "ended -"]]);
    rig.control(commit(1));
    rig.run();
    expect([rig.state, rig.runner.isOver, rig.events.at(-1)]).toEqual(["Done", true, "finished"]);
  });

  it("F-45: an acknowledgement between two moves is told without any input, also at the end", () => {
    const rig = new Rig([sink({ flush: () => ({ kind: "later" }) })]);
    rig.feed(0, barrier(1), eos);
    rig.run();
    expect([rig.events, rig.state]).toEqual([[], "CommitWait"]);
    rig.machine.ack(epoch(1), "part");
    expect([rig.runner.canMove, rig.runner.moves()]).toEqual([true, [{ kind: "control" }]]);
    rig.run();
    expect(rig.events).toEqual(['ack 1 "part"', 'ended "part"']);
    rig.control(commit(1));
    rig.run();
    expect(rig.runner.isOver).toBe(true);
  });

  it("F-81: while it waits for barriers it shows Barrier, with the inputs that are held", () => {
    const rig = new Rig([operator()], { inputs: 2, capacity: 100 });
    rig.feed(0, barrier(1), data("a"));
    rig.run();
    expect(rig.state).toBe("Barrier");
    expect(rig.probes.task(0, 0).pendingEpoch).toBe(1);
    expect([rig.probes.edge(0), rig.probes.edge(1)]).toMatchObject([{ held: true, delivered: 1 }, { held: false }]);
    rig.feed(1, barrier(1));
    rig.run();
    expect(rig.state).toBe("Receiving");
    expect(rig.probes.edge(0)).toMatchObject({ held: false, delivered: undefined, rows: 1 });
  });
});

describe("polling", () => {
  it("a source that yields to one that is behind is polled every 100 ms; words of the coordinator reach it at once", () => {
    let polls = 0;
    const rig = new Rig(
      [
        source((output) => {
          output.mark(timeMark(10 * ++polls));
          return polls % 3 === 0 ? { kind: "idle" } : { kind: "again" };
        }),
      ],
      { capacity: 100 },
    );
    const { runner, home } = rig;
    expect(runner.pace).toBe(undefined);
    runner.turn();
    expect([runner.pace, polls]).toEqual([10, 1]);
    runner.yields = true;
    home.nowMs = 99;
    expect([runner.canMove, runner.moves(), runner.turn(), runner.wakeAtMs]).toEqual([false, [], false, 100]);
    rig.control({ kind: "barrier", epoch: epoch(1) });
    expect([runner.moves(), runner.turn(), polls]).toEqual([[{ kind: "control" }], true, 1]);
    home.nowMs = 100;
    expect([runner.canMove, runner.turn(), polls, runner.turn()]).toEqual([true, true, 2, false]);
    runner.yields = false;
    expect([runner.turn(), polls]).toEqual([true, 3]);
    // Idle, it waits for rows and not for room: nobody has to wait for it.
    expect(runner.pace).toBe(undefined);
  });

  it("F-29: an idle source is polled again after 5 ms, or at the moment that it names", () => {
    const results: PollResult[] = [{ kind: "idle" }, { kind: "idle", wakeAtMs: 60 }, { kind: "done" }];
    const rig = new Rig([source(() => results.shift() as PollResult)]);
    rig.run();
    expect(rig.runner.wakeAtMs).toBe(5);
    rig.home.nowMs = 4;
    expect(rig.runner.canMove).toBe(false);
    rig.home.nowMs = 5;
    rig.run();
    expect(rig.runner.wakeAtMs).toBe(60);
    rig.home.nowMs = 60;
    rig.run();
    expect(rig.runner.isOver).toBe(true);
  });

  it("F-25: a source that waits for long is polled often enough to tick", () => {
    const rig = new Rig([source(() => ({ kind: "idle", wakeAtMs: 10_000 }))], { capacity: 100 });
    for (let ms = 0; ms <= 300; ms += 100) {
      rig.home.nowMs = ms;
      rig.run();
    }
    expect(rig.read()).toEqual(["tick", "tick", "tick"]);
  });

  it("a source with I/O on its way is not polled before it settles, but takes control", async () => {
    let arrive: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const results: PollResult[] = [{ kind: "pending", ready }, { kind: "done" }];
    const rig = new Rig([source(() => results.shift() as PollResult)], { capacity: 100 });
    rig.run();
    expect([rig.runner.awaitsIo, rig.runner.canMove]).toEqual([true, false]);
    rig.control(barrier(1));
    rig.run();
    expect(rig.read()).toEqual(["barrier 1"]);
    arrive();
    await rig.runner.io;
    expect([rig.runner.awaitsIo, rig.home.woken]).toEqual([false, 1]);
    rig.control(commit(1));
    rig.run();
    expect([rig.read(), rig.runner.isOver]).toEqual([["wm end", "eos"], true]);
  });
});

describe("delays", () => {
  const throttled = operator({
    process: (rows, _port, output) => {
      output.emit(rows);
      output.delay(output.nowMs + 50);
    },
  });

  it("a delayed task moves when its time has come, and takes nothing before", () => {
    const rig = new Rig([throttled], { capacity: 100 });
    rig.feed(0, data("a"), data("b"), eos);
    expect([rig.run(), rig.read(), rig.runner.wakeAtMs, rig.state]).toEqual([1, ["a"], 50, "Working"]);
    rig.home.nowMs = 49;
    expect(rig.run()).toBe(0);
    rig.home.nowMs = 50;
    expect(rig.runner.moves()).toEqual([{ kind: "continue" }]);
    rig.run();
    expect([rig.read(), rig.runner.wakeAtMs]).toEqual([["b"], 100]);
    rig.home.nowMs = 100;
    rig.run();
    expect([rig.read(), rig.runner.isOver, rig.inputs[0]?.view.queued]).toEqual([["eos"], true, 0]);
  });

  it("F-30, F-64: what stands before a delay goes first, also when the task fails behind it, and the failure is told", () => {
    const failing = operator({
      process: (rows, _port, output) => {
        output.emit(rows);
        output.delay(50);
        output.emit(batch("z"));
        throw new Error("boom");
      },
    });
    const rig = new Rig([failing], { capacity: 100 });
    rig.feed(0, data("a"));
    rig.run();
    expect([rig.read(), rig.events]).toEqual([["a"], []]);
    rig.home.nowMs = 50;
    rig.run();
    expect([rig.read(), rig.events, rig.state]).toEqual([
      ["z"],
      ["failed: task 0 panicked: boom", "finished"],
      "Failed",
    ]);
    expect(rig.home.claims).toEqual(["failure"]);
  });

  it("a delay into the past is none, and of two the later one counts", () => {
    const twice = operator({
      process: (rows, _port, output) => {
        output.delay(-5);
        output.emit(rows);
        output.delay(30);
        output.delay(20);
        output.emit(rows);
      },
    });
    const rig = new Rig([twice], { capacity: 100 });
    rig.feed(0, data("a"));
    rig.run();
    expect([rig.read(), rig.runner.wakeAtMs]).toEqual([["a"], 30]);
    rig.home.nowMs = 30;
    rig.run();
    expect(rig.read()).toEqual(["a"]);
  });

  it("slow motion makes a pause after each message, and every message still goes through", () => {
    const rig = new Rig([operator()], { capacity: 100 });
    rig.home.slowMotionMs = 10;
    rig.feed(0, data("a"), data("b"), eos);
    expect([rig.run(), rig.runner.wakeAtMs]).toEqual([1, 10]);
    for (const ms of [10, 20, 30]) {
      rig.home.nowMs = ms;
      rig.run();
    }
    expect([rig.read(), rig.runner.isOver]).toEqual([["a", "b", "eos"], true]);
  });

  it("a sample that is asked for shows the next batch of that edge, once, and no message", () => {
    const rig = new Rig([operator()], { inputs: 2, capacity: 100 });
    rig.runner.display.sampleNext(edgeId(1));
    rig.feed(0, data("a"));
    rig.run();
    expect(rig.home.samples).toEqual([]);
    rig.feed(1, data("bc"), data("d"));
    rig.run();
    expect(rig.home.samples).toEqual(["1: 2 rows"]);
    expect(rig.read()).toEqual(expect.arrayContaining(["a", "d"]));
  });
});

describe("ends", () => {
  it("F-46, F-69, F-82: Eos, then the edges close, and finished is told last, with the CPU", () => {
    const rig = new Rig([operator()]);
    rig.feed(0, eos);
    rig.run();
    expect([rig.read(), rig.outputs[0]?.reader.exhausted]).toEqual([["eos"], true]);
    expect(rig.home.events).toEqual([
      { kind: "ended", task: 0, snapshot: { stages: [{ state: null, time: { fired: undefined, said: undefined } }] } },
      { kind: "finished", task: 0, cpuMs: 7 },
    ]);
    expect([rig.state, rig.probes.task(0, 0).cpuMs]).toEqual(["Done", 7]);
  });

  it("F-46: a task that cannot send its Eos yet is not over", () => {
    const rig = new Rig([operator()]);
    rig.feed(0, data("a"), data("b"), eos);
    rig.run();
    expect([rig.runner.isOver, rig.state]).toEqual([false, "Sending"]);
    expect(rig.drain()).toEqual(["a", "b", "eos"]);
    expect(rig.runner.isOver).toBe(true);
  });

  it("F-67: an input that closes without Eos is lost at once, when everything before is taken", () => {
    const rig = new Rig([operator()], { inputs: 2, capacity: 100 });
    rig.feed(0, data("a"));
    rig.inputs[0]?.writer.close();
    rig.run();
    expect(rig.read()).toEqual(["a"]);
    expect(rig.events[0]).toMatch(/^failed: task 0: input closed before end-of-stream on edge\(s\) \[0\] — /);
    expect([rig.home.claims, rig.runner.isOver]).toEqual([["input lost"], true]);
  });

  it("F-67, D-16: also an input that is held behind its barrier", () => {
    for (const drive of ["turn", "moves"] as const) {
      const rig = new Rig([operator()], { inputs: 2 });
      rig.feed(0, barrier(1));
      rig.inputs[0]?.writer.close();
      for (let i = 0; i < 5 && !rig.runner.isOver; i++) {
        const [move] = rig.runner.moves();
        if (drive === "turn") rig.runner.turn();
        else if (move !== undefined) rig.runner.apply(move);
      }
      expect([drive, rig.runner.isOver, rig.events[0]]).toEqual([drive, true, expect.stringContaining("edge(s) [0]")]);
    }
  });

  it("F-67: inputs that all reached Eos before they closed are a clean end", () => {
    const rig = new Rig([operator()], { inputs: 2, capacity: 100 });
    for (const input of [0, 1]) {
      rig.feed(input, eos);
      rig.inputs[input]?.writer.close();
    }
    rig.run();
    expect(rig.events).toEqual(["ended -", "finished"]);
  });

  it("F-35, F-64: a failed task drops what it could not send and closes its edges without Eos", () => {
    let calls = 0;
    const failing = operator({
      process: (rows, _port, output) => {
        output.emit(rows);
        output.emit(rows);
        if (calls++ > 0) throw new Error("boom");
      },
    });
    const rig = new Rig([failing], { capacity: 3 });
    rig.feed(0, data("a"), data("b"));
    rig.run();
    expect(rig.read()).toEqual(["a", "a", "b"]);
    expect([rig.outputs[0]?.reader.exhausted, rig.state, rig.runner.isOver]).toEqual([true, "Failed", true]);
    expect(rig.events).toEqual(["failed: task 0 panicked: boom", "finished"]);
  });

  it("D-16: the failure is claimed before any edge closes", () => {
    const order: string[] = [];
    const rig = new Rig([operator({ process: () => expect.fail("boom") })], {
      writer: { trySend: () => true, hasRoom: () => true, close: () => order.push("close") },
    });
    rig.home.claimFailure = () => order.push("claim");
    rig.feed(0, data("a"));
    rig.run();
    expect(order).toEqual(["claim", "close"]);
  });

  it.each([
    ["waits for input", (_rig: Rig) => undefined],
    [
      "cannot send",
      (rig: Rig) => {
        rig.feed(0, data("a"), data("b"));
        rig.run();
        expect(rig.state).toBe("Sending");
      },
    ],
    [
      "cannot send its Eos",
      (rig: Rig) => {
        rig.feed(0, data("a"), ...Array.from({ length: CONTROL_SLOTS }, (_, i) => barrier(i + 1)), eos);
        rig.run();
        expect(rig.state).toBe("Sending");
      },
    ],
    [
      "aligns",
      (rig: Rig) => {
        rig.feed(0, barrier(1), data("a"));
        rig.run();
      },
    ],
  ])("D-16: cancelled while it %s, it leaves at once, without Eos", (_, prepare) => {
    const rig = new Rig([operator()], { inputs: _ === "aligns" ? 2 : 1 });
    prepare(rig);
    const sent = rig.home.events.length;
    rig.runner.cancel();
    expect([rig.runner.isOver, rig.events.slice(sent)]).toEqual([true, ["finished"]]);
    expect(rig.read()).not.toContain("eos");
    expect(rig.outputs[0]?.reader.exhausted).toBe(true);
    rig.runner.cancel();
    expect(rig.events.slice(sent)).toEqual(["finished"]);
  });

  it("D-16: cancelled in a delay, it leaves at once; a failure that stood behind the delay is told", () => {
    const failing = operator({
      process: (_rows, _port, output) => {
        output.delay(1e6);
        throw new Error("boom");
      },
    });
    const rig = new Rig([failing]);
    rig.feed(0, data("a"));
    rig.run();
    rig.runner.cancel();
    expect(rig.events).toEqual(["failed: task 0 panicked: boom", "finished"]);
  });

  it("D-16: cancelled in CommitWait, it leaves without a commit", () => {
    const rig = new Rig([sink({ holdsRows: () => true })]);
    rig.feed(0, eos);
    rig.run();
    expect(rig.state).toBe("CommitWait");
    rig.runner.cancel();
    expect([rig.runner.isOver, rig.events.at(-1)]).toEqual([true, "finished"]);
  });

  it("a task whose output nobody takes yet takes no more input, but control", () => {
    const rig = new Rig([sink()]);
    rig.home.congested = true;
    rig.feed(0, data("a"));
    expect([rig.run(), rig.runner.moves()]).toEqual([0, []]);
    rig.control({ kind: "close-control" });
    expect(rig.run()).toBe(1);
    rig.home.congested = false;
    expect(rig.run()).toBe(1);
  });
});

describe("two ways to drive it", () => {
  it("by turns and by moves the same comes out", () => {
    const outcome = (drive: (rig: Rig) => boolean) => {
      const rig = new Rig([emits("ab", "c", "def")], { capacity: 2 });
      const lines: string[] = [];
      do {
        lines.push(...rig.read());
      } while (drive(rig));
      return [lines, rig.read(), rig.events];
    };
    const byTurns = outcome((rig) => rig.runner.turn());
    const byMoves = outcome((rig) => {
      const [move] = rig.runner.moves();
      if (move !== undefined) rig.runner.apply(move);
      return move !== undefined;
    });
    expect(byMoves).toEqual(byTurns);
    expect(byTurns[0]).toEqual(["ab", "c", "def", "wm end", "eos"]);
  });
});
