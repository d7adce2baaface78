import type { ErrorData } from "../../../engine/index.ts";
import type { RunState } from "../../engine-client/run.ts";
import { bytes, plural } from "../quantities.ts";
import type { ShownRun } from "../run-controller.ts";

export interface LogLine {
  readonly key: string;
  readonly atMs: number;
  readonly tone: "life" | "note" | "error";
  readonly node: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

/** What happened in a run, oldest first: how it began, warnings, epochs that were given up, how it ended. */
export function logLines({ run, model }: ShownRun, { status, notes, noteCount }: RunState): LogLine[] {
  const { plan, cost, hostOf } = run;
  const workers = hostOf === undefined ? "in the lab, in one worker" : `on ${plural(new Set(hostOf).size, "worker")}`;
  const rings = cost === undefined ? "" : `, ${plural(cost.edges, "ring")} of ${bytes(cost.totalBytes)} in all`;
  const begun: LogLine = {
    key: "begun",
    atMs: 0,
    tone: "life",
    node: undefined,
    message: `run started: ${plural(plan.tasks.length, "task")} ${workers}${rings}`,
    hint: undefined,
  };
  const lines = notes.map(
    ({ atMs, note }, index): LogLine => ({
      ...lineOf(note, atMs),
      key: `note-${noteCount - notes.length + index}`,
      tone: "note",
    }),
  );
  const missing = noteCount - notes.length;
  const left: LogLine[] =
    missing === 0
      ? []
      : [
          {
            key: "left",
            atMs: 0,
            tone: "life",
            node: undefined,
            message: `${plural(missing, "older note")} left out`,
            hint: undefined,
          },
        ];
  const { outcome } = status;
  if (outcome === undefined) return [begun, ...left, ...lines];
  const ended: LogLine =
    outcome.error === undefined
      ? {
          key: "ended",
          atMs: status.nowMs,
          tone: "life",
          node: undefined,
          message: `run ${outcome.kind}, ${plural(model.plan.tasks.length, "task")} done`,
          hint: undefined,
        }
      : { ...lineOf(outcome.error, status.nowMs), key: "failed", tone: "error" };
  return [begun, ...left, ...lines, ended];
}

function lineOf(error: ErrorData, atMs: number): Omit<LogLine, "key" | "tone"> {
  const place = [
    error.file,
    error.line === undefined ? undefined : `line ${error.line}`,
    error.row === undefined ? undefined : `row ${error.row}`,
    error.field,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
  return {
    atMs,
    node: error.node,
    message: place === "" ? error.message : `${error.message} (${place})`,
    hint: error.hint,
  };
}
