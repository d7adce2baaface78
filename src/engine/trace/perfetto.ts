import type { TaskId } from "../base/ids.ts";
import type { EpochRecord } from "../execution/epoch-ledger.ts";
import type { TraceEvent } from "./trace-event.ts";

export interface PerfettoInput {
  /** By task id: `orders · 0`, and the name of the node that it is drawn under. */
  readonly tasks: readonly { readonly name: string; readonly group: string }[];
  /** In any order between tasks; in order for each task. */
  readonly events: readonly TraceEvent[];
  readonly epochs: readonly EpochRecord[];
  /** End of what is still going on, on the run's clock. */
  readonly nowMs: number;
}

/** One entry of the JSON trace format; times in microseconds. */
type Entry = Readonly<Record<string, unknown>>;

const RUN_PROCESS = 1;
const US_PER_MS = 1000;

/**
 * A run as a JSON trace that Perfetto and `chrome://tracing` open: a process for each node, a thread for each task with its states as
 * slices; every snapshot is an instant, and a flow joins those of one epoch, in the order in which they were taken. Epochs are
 * asynchronous slices of a process of their own, from issued to committed.
 */
export function perfettoTrace(input: PerfettoInput): string {
  const entries = [...names(input), ...states(input), ...snapshots(input), ...epochSlices(input)];
  return `{"displayTimeUnit":"ms","traceEvents":[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}\n`;
}

function names({ tasks }: PerfettoInput): Entry[] {
  const groups = groupsOf(tasks);
  const meta = (name: string, pid: number, tid: number, value: string) => ({
    ph: "M",
    name,
    pid,
    tid,
    args: { name: value },
  });
  return [
    meta("process_name", RUN_PROCESS, 0, "epochs"),
    ...[...groups].map(([group, pid]) => meta("process_name", pid, 0, group)),
    ...tasks.map((task, id) => meta("thread_name", processOf(groups, task), id, task.name)),
  ];
}

/** Numbers of processes, after that of the run. */
function groupsOf(tasks: PerfettoInput["tasks"]): Map<string, number> {
  const groups = [...new Set(tasks.map(({ group }) => group))];
  return new Map(groups.map((group, index) => [group, RUN_PROCESS + 1 + index]));
}

function processOf(groups: ReadonlyMap<string, number>, task: { readonly group: string } | undefined): number {
  return (task && groups.get(task.group)) ?? RUN_PROCESS;
}

function states({ tasks, events, nowMs }: PerfettoInput): Entry[] {
  const groups = groupsOf(tasks);
  const open = new Map<TaskId, { readonly name: string; readonly atMs: number }>();
  const slices: Entry[] = [];
  const close = (task: TaskId, atMs: number) => {
    const state = open.get(task);
    if (state === undefined || atMs <= state.atMs) return;
    const pid = processOf(groups, tasks[task]);
    slices.push({
      ph: "X",
      cat: "state",
      name: state.name,
      pid,
      tid: task,
      ts: us(state.atMs),
      dur: us(atMs - state.atMs),
    });
  };
  for (const event of events) {
    if (event.task === undefined || event.kind !== "state") continue;
    close(event.task, event.atMs);
    open.set(event.task, { name: event.state, atMs: event.atMs });
  }
  for (const task of open.keys()) close(task, nowMs);
  return slices;
}

function snapshots({ tasks, events }: PerfettoInput): Entry[] {
  const groups = groupsOf(tasks);
  const byEpoch = new Map<number, TraceEvent[]>();
  for (const event of events) {
    if (event.kind !== "snapshot") continue;
    const others = byEpoch.get(event.epoch);
    if (others === undefined) byEpoch.set(event.epoch, [event]);
    else others.push(event);
  }
  return [...byEpoch].flatMap(([epoch, taken]) => {
    const inOrder = taken.toSorted((a, b) => a.atMs - b.atMs);
    return inOrder.flatMap((event, index): Entry[] => {
      const at = { pid: processOf(groups, tasks[event.task ?? -1]), tid: event.task, ts: us(event.atMs) };
      const instant = { ph: "i", s: "t", cat: "barrier", name: `barrier ${epoch}`, ...at };
      if (inOrder.length === 1) return [instant];
      const step = index === 0 ? { ph: "s" } : index === inOrder.length - 1 ? { ph: "f", bp: "e" } : { ph: "t" };
      return [instant, { ...step, id: epoch, cat: "barrier", name: `barrier ${epoch}`, ...at }];
    });
  });
}

function epochSlices({ epochs, nowMs }: PerfettoInput): Entry[] {
  return epochs.flatMap((record): Entry[] => {
    const from = record.issuedMs ?? record.completedMs;
    if (from === undefined) return [];
    const at = { cat: "epoch", id: record.epoch, name: `epoch ${record.epoch}`, pid: RUN_PROCESS, tid: 0 };
    const to = record.committedMs ?? (record.failure === undefined ? nowMs : from);
    const { completedMs, durableMs, stateBytes, failure } = record;
    return [
      { ph: "b", ...at, ts: us(from), args: { completedMs, durableMs, stateBytes, failure } },
      { ph: "e", ...at, ts: us(Math.max(from, to)) },
    ];
  });
}

/** Rounded to nanoseconds: what a clock of the browser gives is no finer. */
const us = (ms: number): number => Math.round(ms * US_PER_MS * 1000) / 1000;
