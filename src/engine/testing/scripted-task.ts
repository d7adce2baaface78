import { assert, assertNever } from "../base/assert.ts";
import { END, IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import { type Epoch, edgeId, epoch, nodeId, type TaskId, taskId } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { AlignmentMode } from "../core/alignment.ts";
import type { Effect, TaskEvent, TaskSnapshot } from "../core/effects.ts";
import type { ControlMessage, Message } from "../core/messages.ts";
import type { PayloadOps, Route } from "../core/routing.ts";
import type { Stage } from "../core/stage-chain.ts";
import type { FlushResult, Operator, Output, PollResult, Sink, Source } from "../core/stages.ts";
import { TaskMachine } from "../core/task-machine.ts";

/** Scripts for one task: lines in, lines out. A batch is a text; its rows are its letters. */

export const TEXT_OPS: PayloadOps<string> = {
  rowCount: (batch) => batch.length,
  split: (batch, _columns, _vnodes, ranges) =>
    ranges.map(([from, to]) => {
      const rows = [...batch].filter((row) => from <= Number(row) && Number(row) < to).join("");
      return rows === "" ? null : rows;
    }),
};

/** A value of a snapshot as bytes that a test can read again. */
export function encodeText(value: SnapshotValue): Uint8Array {
  return Uint8Array.from(JSON.stringify(value), (letter) => letter.charCodeAt(0));
}

/** `1|-|"a"`: what each stage put into its snapshot. */
export function snapshotText(snapshot: TaskSnapshot): string {
  return snapshot.stages.map(({ state }) => (state === null ? "-" : String.fromCharCode(...state))).join("|");
}

export function markText(mark: TimeMark): string {
  return mark.kind === "time" ? String(mark.ms) : mark.kind;
}

/** `data a`, `wm 5`, `wm idle`, `barrier 1`, `tick 100`, `eos`. */
export function messageText(message: Message<string>): string {
  switch (message.kind) {
    case "data":
      return `data ${message.batch}`;
    case "watermark":
      return `wm ${markText(message.mark)}`;
    case "barrier":
      return `barrier ${message.epoch}`;
    case "tick":
      return `tick ${message.nowMs}`;
    case "eos":
      return "eos";
    default:
      return assertNever(message);
  }
}

export function eventText(event: TaskEvent): string {
  switch (event.kind) {
    case "snapshot":
    case "ack":
      return `${event.kind} ${event.epoch} ${snapshotText(event.snapshot)}`;
    case "drained":
      return `drained ${snapshotText(event.snapshot)}`;
    case "refused":
      return `refused ${event.epoch}: ${event.reason}`;
    case "ended":
      return event.snapshot === null ? "ended" : `ended ${snapshotText(event.snapshot)}`;
    case "failed":
      return `failed: ${event.error.message}`;
    case "finished":
      return "finished";
    default:
      return assertNever(event);
  }
}

export function effectText(effect: Effect<string>): string {
  switch (effect.kind) {
    case "send":
      return `e${effect.edge} ${messageText(effect.message)}`;
    case "report":
      return eventText(effect.event);
    case "delay":
      return `delay ${effect.untilMs}`;
    case "finish":
      return effect.clean ? "finish" : "finish without Eos";
    default:
      return assertNever(effect);
  }
}

export interface ScriptedTaskOptions {
  readonly stages: readonly Stage<string>[];
  /** Ports of the inputs; input i is edge i. Default: none for a source, else one `in`. */
  readonly inputs?: readonly string[];
  /** Default: one forward route out of the last stage, to edge 10; none for a sink. */
  readonly routes?: readonly Route[];
  readonly alignment?: AlignmentMode;
  readonly startEpoch?: number;
  readonly task?: number;
  /** Whether the script opens the task itself. */
  readonly unopened?: boolean;
}

/** Edge that a task sends on when nothing else is said. */
export const OUT_EDGE = 10;

export function forward(stage: number, edge: number, port = "out"): Route {
  return { stage, port, kind: "forward", columns: [], targets: [{ edge: edgeId(edge), vnodes: [0, 8] }] };
}

/**
 * A task with a queue for each input: what is held stays in its queue (D-1). After each line everything that may be taken is
 * taken, in the order in which it came, so far as the task accepts it.
 */
export class ScriptedTask {
  readonly machine: TaskMachine<string>;
  nowMs = 0;
  /** Everything that the task reported. */
  readonly events: TaskEvent[] = [];
  private readonly queues: { readonly input: number; readonly message: Message<string> }[] = [];

  constructor(options: ScriptedTaskOptions) {
    const { stages } = options;
    const last = stages.length - 1;
    const ports = options.inputs ?? (stages[0]?.role === "source" ? [] : ["in"]);
    this.machine = new TaskMachine<string>({
      task: taskId(options.task ?? 3),
      stages,
      inEdges: ports.map((port, input) => ({ edge: edgeId(input), port })),
      routes: options.routes ?? (stages[last]?.role === "sink" ? [] : [forward(last, OUT_EDGE)]),
      vnodes: 8,
      alignment: options.alignment ?? "aligned",
      startEpoch: epoch(options.startEpoch ?? 0),
      payload: TEXT_OPS,
      encode: encodeText,
    });
    if (options.unopened !== true) this.machine.open(0);
  }

  /** Messages left unread. */
  get held(): string[] {
    return this.queues.map(({ input, message }) => `${input} ${messageText(message)}`);
  }

  /**
   * One line: `0 data ab`, `0 wm 5`, `0 wm idle`, `0 wm end`, `0 wm 5 of 7` (said by task 7), `0 barrier 1`, `0 tick 100`, `0 eos`; `open`, `poll`,
   * `barrier 1`, `commit 1`, `stop`, `close-control`, `cancel`, `lose 0`, `at 100` (the clock). Answers the effects in words.
   */
  do(line: string): string[] {
    const words = line.split(" ");
    const input = Number(words[0]);
    if (!Number.isNaN(input)) {
      this.queues.push({ input, message: parseMessage(input, words.slice(1)) });
      return this.takeAll();
    }
    return [...this.command(words), ...this.takeAll()];
  }

  private command([word, argument]: string[]): string[] {
    const { machine, nowMs } = this;
    switch (word) {
      case "at":
        this.nowMs = Number(argument);
        return [];
      case "open":
        return this.told(machine.open(nowMs));
      case "poll": {
        const { effects, next } = machine.poll(nowMs);
        return [...this.told(effects), ...(machine.phase === "open" ? [next.kind] : [])];
      }
      case "cancel":
        return this.told(machine.cancel(nowMs));
      case "lose":
        return this.told(machine.loseInputs([Number(argument)], nowMs));
      default:
        return this.told(machine.control(parseControl(word, argument), nowMs));
    }
  }

  private told(effects: readonly Effect<string>[]): string[] {
    for (const effect of effects) if (effect.kind === "report") this.events.push(effect.event);
    return effects.map(effectText);
  }

  private takeAll(): string[] {
    const lines: string[] = [];
    for (;;) {
      const blocked = new Set<number>();
      const next = this.queues.findIndex(({ input }) => {
        // First in, first out on each edge.
        if (blocked.has(input)) return false;
        blocked.add(input);
        return this.machine.accepts(input);
      });
      if (next < 0) return lines;
      const [{ input, message }] = this.queues.splice(next, 1) as [(typeof this.queues)[number]];
      lines.push(...this.told(this.machine.offer(input, message, this.nowMs)));
    }
  }
}

function parseMessage(input: number, words: string[]): Message<string> {
  const [kind, argument = "", , source] = words;
  switch (kind) {
    case "data":
      return { kind, batch: argument };
    case "wm": {
      // Unless it is said otherwise, the task upstream of input i is task 100 + i.
      const by: TaskId = taskId(source === undefined ? 100 + input : Number(source));
      const mark = argument === "idle" ? IDLE : argument === "end" ? END : timeMark(Number(argument));
      return { kind: "watermark", source: by, mark };
    }
    case "barrier":
      return { kind, epoch: epoch(Number(argument)) };
    case "tick":
      return { kind, nowMs: Number(argument) };
    case "eos":
      return { kind };
    default:
      return assert(false, `no such message: ${words.join(" ")}`) as never;
  }
}

function parseControl(word: string | undefined, argument: string | undefined): ControlMessage {
  switch (word) {
    case "barrier":
    case "commit":
      return { kind: word, epoch: epoch(Number(argument)) };
    case "stop":
    case "close-control":
      return { kind: word };
    default:
      return assert(false, `no such line: ${word}`) as never;
  }
}

/** Does the lines and answers what each of them made. */
export function outcomes(task: ScriptedTask, script: readonly (readonly [line: string, effects: readonly string[]])[]) {
  return script.map(([line]) => [line, task.do(line)] as const);
}

const NODE = { source: nodeId("numbers"), operator: nodeId("step"), sink: nodeId("table") } as const;

/** An operator that passes batches on, with whatever else a test wants of it. */
export function operator(parts: Partial<Operator<string>> = {}, node: string = NODE.operator): Stage<string> {
  const pass = (batch: string, _port: string, output: Output<string>) => output.emit(batch);
  return { role: "operator", node: nodeId(node), operator: { process: pass, ...parts } };
}

/** What one poll of a scripted source does: batches and marks in order, then its result. */
export type PollStep = (output: Output<string>) => PollResult;

/** A source whose polls are a list; its position counts the polls made. Dry at the end of the list. */
export function source(steps: readonly PollStep[], parts: Partial<Source<string>> = {}): Stage<string> {
  let next = 0;
  return {
    role: "source",
    node: NODE.source,
    source: {
      poll: (output) => steps[next++]?.(output) ?? { kind: "done" },
      position: () => Math.min(next, steps.length),
      ...parts,
    },
  };
}

export const again = (...acts: (string | number | TimeMark)[]): PollStep => polled({ kind: "again" }, acts);
export const idle = (...acts: (string | number | TimeMark)[]): PollStep => polled({ kind: "idle" }, acts);
export const done = (...acts: (string | number | TimeMark)[]): PollStep => polled({ kind: "done" }, acts);
export const failed = (message: string, ...acts: (string | number | TimeMark)[]): PollStep =>
  polled({ kind: "failed", error: { code: "script-failed", domain: "task", message } }, acts);

/** Texts are batches, numbers are watermarks. */
function polled(result: PollResult, acts: readonly (string | number | TimeMark)[]): PollStep {
  return (output) => {
    for (const act of acts) {
      if (typeof act === "string") output.emit(act);
      else output.mark(typeof act === "number" ? timeMark(act) : act);
    }
    return result;
  };
}

export interface SinkOptions {
  readonly log?: string[];
  /** What a flush answers; default: durable, with the rows of all epochs that wait for a commit. */
  readonly flush?: (epoch: Epoch) => FlushResult | undefined;
}

/** A sink that stages rows by epoch and writes down what is asked of it. */
export function sink(options: SinkOptions = {}, parts: Partial<Sink<string>> = {}): Stage<string> {
  const log = options.log ?? [];
  let open = "";
  let staged: { readonly epoch: number; readonly rows: string }[] = [];
  return {
    role: "sink",
    node: NODE.sink,
    sink: {
      write: (batch) => {
        log.push(`write ${batch}`);
        open += batch;
      },
      flush: (at) => {
        log.push(`flush ${at}`);
        const answer = options.flush?.(at);
        if (answer?.kind === "refused") return answer;
        if (open !== "") staged.push({ epoch: at, rows: open });
        open = "";
        return answer ?? { kind: "durable", precommit: staged.map(({ rows }) => rows).join("") };
      },
      holdsRows: () => open !== "",
      commit: (at) => {
        const visible = staged.filter((sealed) => sealed.epoch <= at).map(({ rows }) => rows);
        staged = staged.filter((sealed) => sealed.epoch > at);
        log.push(`commit ${at} ${visible.join("")}`.trimEnd());
      },
      onEos: () => {
        log.push("eos");
      },
      close: () => {
        log.push("close");
      },
      ...parts,
    },
  };
}
