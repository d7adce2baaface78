import { describe, expect, it } from "vitest";
import { type Epoch, edgeId, epoch, type TaskId, taskId } from "../base/ids.ts";
import { Coordinator } from "../execution/coordinator.ts";
import runtimeCases from "../testing/cases/runtime.json";
import { again, encodeText, operator, ScriptedTask, sink, snapshotText, source } from "../testing/scripted-task.ts";
import { EpochStaging } from "./epoch-staging.ts";
import { type CompletedEpoch, EpochTracker } from "./epoch-tracker.ts";
import { Router } from "./routing.ts";
import { vnodeRanges } from "./vnodes.ts";

/** Worked cases of the runtime, by id; the file is the input, so a case that nobody reads fails the last test. */

interface Case {
  readonly id: string;
  readonly feature: string;
  readonly config: unknown;
  readonly input: unknown;
  readonly expected: unknown;
}

const cases = runtimeCases as readonly Case[];
const seen = new Set<string>();

/** The parts of one case, with the shapes that its feature has. */
function parts<C, I, E>(found: Case) {
  seen.add(found.id);
  return { config: found.config as C, input: found.input as I, expected: found.expected as E };
}

function only<C, I, E>(id: string) {
  return parts<C, I, E>(cases.find((c) => c.id === id) as Case);
}

interface ScriptMessage {
  readonly edge: number;
  readonly t: "data" | "barrier" | "wm" | "eos";
  readonly v?: string;
  readonly e?: number;
  readonly src?: number;
  readonly ts?: number | null;
}

function lineOf({ edge, t, v, e, src, ts }: ScriptMessage): string {
  if (t === "data") return `${edge} data ${v}`;
  if (t === "barrier") return `${edge} barrier ${e}`;
  return t === "eos" ? `${edge} eos` : `${edge} wm ${ts ?? "idle"} of ${src}`;
}

describe("one task (runtime.json)", () => {
  const law = { "barrier-alignment": "F-39 to F-46", "watermark-combine": "F-16 to F-22" } as Record<string, string>;
  const scripts = cases.filter(({ feature }) => feature in law);

  it.each(scripts.map((c) => [c.id, law[c.feature], c] as const))(
    "%s (%s): the script has the worked effects",
    (_, __, c) => {
      const { config, input, expected } = parts<
        { task: "operator" | "sink"; in_edges: number[] },
        { messages: ScriptMessage[] },
        { effects_per_message: string[][]; still_held: number; done: boolean }
      >(c);
      const log: string[] = [];
      const stage = config.task === "sink" ? sink({ log }) : operator();
      const task = new ScriptedTask({ stages: [stage], inputs: config.in_edges.map(() => "in") });
      const effects = input.messages.map((message) => {
        log.length = 0;
        const made = task.do(lineOf(message));
        // Of a sink, what it is told; of an operator, what it sends.
        return [...log.map(sinkWord), ...made.map(taskWord)].filter((word) => word !== undefined);
      });
      expect(effects).toEqual(expected.effects_per_message);
      expect(task.held).toHaveLength(expected.still_held);
      expect(task.machine.phase !== "open").toBe(expected.done);
    },
  );
});

const sinkWord = (line: string): string | undefined => {
  const write = /^write (.*)$/.exec(line)?.[1];
  return write === undefined ? (line === "eos" ? "eos" : undefined) : `data:${write}`;
};

const taskWord = (line: string): string | undefined => {
  const [, kind, what] = /^(?:e\d+ )?(data|wm|barrier|snapshot|ack|eos) ?(\S+)?/.exec(line) ?? [];
  if (kind === undefined || what === "idle") return undefined;
  return kind === "eos" ? "eos" : `${kind === "wm" ? "time" : kind}:${what}`;
};

/** `snapshot 0@1`, `ack 2@1`, `drained 0 pos=x`, `ended 0`, `finished 1`. */
function track(tracker: EpochTracker, line: string, said: string): CompletedEpoch[] {
  const [, kind, task, at] = /^(\w+) (\d+)(?:@(\d+))?/.exec(line) as unknown as [string, string, string, string?];
  const id = taskId(Number(task));
  const snapshot = { stages: [{ state: encodeText(said), time: { fired: undefined, said: undefined } }] };
  const e = epoch(Number(at));
  if (kind === "snapshot") return tracker.snapshot(id, e, snapshot);
  if (kind === "ack") return tracker.ack(id, e, snapshot);
  if (kind === "finished") return tracker.finish(id);
  tracker.drained(id, snapshot);
  return [];
}

describe("the epoch tracker (runtime.json)", () => {
  it("FV-30 (F-50, F-51, F-53): epochs complete in order, and a task that finished counts as reported", () => {
    const { config, input, expected } = only<
      { expected_tasks: TaskId[] },
      { events: string[] },
      { completed_per_event: { epoch: number; snapshots: number[] }[][]; all_finished_after: string[] }
    >("FV-30");
    const tracker = new EpochTracker(config.expected_tasks, epoch(0));
    const completed: unknown[] = [];
    const over: string[] = [];
    for (const event of input.events) {
      completed.push(
        track(tracker, event, "").map((e) => ({ epoch: e.epoch, snapshots: e.snapshots.map(([task]) => task) })),
      );
      over.push(tracker.allOver ? "yes" : "no");
    }
    expect(completed).toEqual(expected.completed_per_event);
    expect(over).toEqual(expected.all_finished_after);
  });

  it("FV-31 (F-52): a drained source's final position is in every later epoch that it does not report", () => {
    const { config, input, expected } = only<
      { expected_tasks: TaskId[] },
      { events: string[] },
      { completed_per_event: { epoch: number; snapshots: Record<string, string> }[][] }
    >("FV-31");
    const tracker = new EpochTracker(config.expected_tasks, epoch(0));
    const completed = input.events.map((event) =>
      track(tracker, event, /pos=(.*)$/.exec(event)?.[1] ?? "op").map((e) => ({
        epoch: e.epoch,
        snapshots: Object.fromEntries(
          e.snapshots.map(([task, snapshot]) => [task, JSON.parse(snapshotText(snapshot))]),
        ),
      })),
    );
    expect(completed).toEqual(expected.completed_per_event);
  });
});

describe("the coordinator (runtime.json)", () => {
  it("FV-34 (F-8, F-59): a run that continues from epoch 7 issues 8, stops with 9, and a second stop issues nothing", () => {
    const { config, input, expected } = only<
      { start_at_epoch: Epoch },
      { calls: string[] },
      { returns: number[]; source_barriers: number[] }
    >("FV-34");
    const coordinator = new Coordinator({
      tasks: [{ id: taskId(0), name: "numbers · 0", hasSource: true, hasSink: false }],
      barrierEveryMs: 0,
      epochTimeoutMs: 60_000,
      stopTimeoutMs: 10_000,
      startEpoch: config.start_at_epoch,
    });
    const effects = [...coordinator.start(0)];
    const returns = input.calls.map((call) => {
      if (call === "barrier()") effects.push(...coordinator.barrier(0));
      if (call === "stop()") effects.push(...coordinator.stop(0));
      return coordinator.epoch;
    });
    const barriers = effects.flatMap((effect) =>
      effect.kind === "control" && effect.message.kind === "barrier" ? [effect.message.epoch] : [],
    );
    expect(returns).toEqual(expected.returns);
    expect(barriers).toEqual(expected.source_barriers);
  });
});

describe("a chained sink (runtime.json)", () => {
  it("FV-35 (F-70, F-71, F-72): the sink flushes before the position is taken, and a refused epoch has none", () => {
    const { input, expected } = only<unknown, { control: string[] }, { trace_must_satisfy: string[] }>("FV-35");
    const log: string[] = [];
    let flushed = 0;
    const position = (): number => {
      log.push(`position ${flushed}`);
      return flushed;
    };
    const task = new ScriptedTask({
      stages: [
        source([again("a")], { position }),
        sink({
          log,
          flush: (at) => {
            flushed = at;
            return at === 2 ? { kind: "refused", reason: "not now" } : undefined;
          },
        }),
      ],
    });
    for (const line of input.control) log.push(...task.do(line));
    const at = (line: string) => log.findIndex((entry) => entry === line || entry.startsWith(`${line} `));
    const holds: Record<string, boolean> = {
      "data before flush 1": at("write a") >= 0 && at("write a") < at("flush 1"),
      "flush 1 before position 1": at("flush 1") >= 0 && at("flush 1") < at("position 1"),
      "no position 2 at all": at("flush 2") >= 0 && at("position 2") < 0,
      "flush 3 before position 3": at("flush 3") >= 0 && at("flush 3") < at("position 3"),
      "epoch 2 still completes (one task, one snapshot)":
        log.filter((entry) => /^(snapshot|ack) 2/.test(entry)).length === 1,
      "eos recorded once": log.filter((entry) => entry === "eos").length === 1,
      "n_tasks == 1": log.filter((entry) => /^(snapshot|ack) /.test(entry)).length === 3,
    };
    expect(
      Object.entries(holds)
        .filter(([, held]) => held)
        .map(([name]) => name),
    ).toEqual(expected.trace_must_satisfy);
    // The epoch that was refused repeats the position of the one before (D-15).
    expect(log.filter((entry) => entry.startsWith("snapshot"))).toEqual([
      'snapshot 1 1|"a"',
      'snapshot 2 1|"a"',
      'snapshot 3 3|""',
    ]);
  });
});

describe("epoch staging (runtime.json)", () => {
  it("FV-36 (F-73): rows are visible from the commit of their epoch on, and the open epoch is dropped", () => {
    const { input, expected } = only<unknown, { steps: string[] }, { visible_after: string[][] }>("FV-36");
    const staging = new EpochStaging<string>();
    const visible: string[] = [];
    const after = input.steps.map((step) => {
      const [word, argument = ""] = step.split(" ");
      if (word === "data") staging.add(argument);
      else if (word === "barrier") staging.seal(epoch(Number(argument)));
      else if (word === "commit")
        visible.push(...staging.commit(epoch(Number(argument))).flatMap((sealed) => sealed.items));
      else staging.drop();
      return [...visible];
    });
    expect(after).toEqual(expected.visible_after);
  });
});

describe("shuffles and vnodes (runtime.json)", () => {
  it("FV-01 (F-77): vnode ranges", () => {
    const { input, expected } = only<unknown, { cases: [number, number][] }, number[][][]>("FV-01");
    expect(input.cases.map(([vnodes, tasks]) => vnodeRanges(vnodes, tasks))).toEqual(expected);
  });

  it("FV-02 (F-74, F-76): each row goes to the target that owns its vnode, in target order", () => {
    const { config, input, expected } = only<
      { vnodes: number; targets: [number, number][] },
      { columns: string[]; row_hashes: number[] },
      { rows_per_target: number[][] }
    >("FV-02");
    const targets = config.targets.map((vnodes, i) => ({ edge: edgeId(i), vnodes }));
    const route = { stage: 0, port: "out", kind: "shuffle", columns: input.columns, targets } as const;
    const router = new Router<number[]>(route, config.vnodes, {
      rowCount: (rows) => rows.length,
      split: (rows, _columns, vnodes, ranges) =>
        ranges.map(([from, to]) => {
          const owns = (row: number) =>
            from <= (input.row_hashes[row] as number) % vnodes && (input.row_hashes[row] as number) % vnodes < to;
          return rows.filter(owns);
        }),
    });
    const sent: [number, number[]][] = [];
    router.send(
      input.row_hashes.map((_, row) => row),
      { sendData: (edge, rows) => void sent.push([edge, rows]) },
    );
    expect(sent).toEqual(expected.rows_per_target.map((rows, i) => [i, rows]));
  });
});

describe("runtime.json", () => {
  it("has no case that no test reads", () => {
    expect([...seen].sort()).toEqual(cases.map(({ id }) => id).sort());
  });
});
