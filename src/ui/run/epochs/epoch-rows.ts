import type { EpochRecord } from "../../../engine/index.ts";
import type { RunTimelines } from "../../engine-client/run-timelines.ts";
import { bytes, took } from "../quantities.ts";
import type { RunModel } from "../run-model.ts";

/** An epoch as a line of a table. */
export interface EpochRow {
  readonly epoch: number;
  readonly record: EpochRecord;
  readonly state: "committed" | "durable" | "complete" | "aligning" | "given up";
  readonly slowest: string;
  readonly aligned: string;
  readonly durable: string;
  readonly committed: string;
  readonly bytes: string;
  readonly open: boolean;
}

/** What of a run its epochs are told with. */
export interface EpochSubject {
  readonly model: RunModel;
  readonly run: { readonly isOver: boolean; readonly timelines: Pick<RunTimelines, "passages"> };
}

/** The newest first. A row that cannot have changed is the same object as before, with the same cache. */
export function epochRows(
  shown: EpochSubject,
  epochs: readonly EpochRecord[],
  nowMs: number,
  cache: EpochRowCache = new WeakMap(),
): EpochRow[] {
  return epochs.toReversed().map((record): EpochRow => {
    const passages = shown.run.timelines.passages.get(record.epoch)?.length ?? 0;
    const known = cache.get(record);
    if (known !== undefined && known.passages === passages && !known.row.open) return known.row;
    const row = epochRow(shown, record, nowMs);
    cache.set(record, { row, passages });
    return row;
  });
}

/** Rows by the record that they tell of, and how many passages were known then. */
export type EpochRowCache = WeakMap<EpochRecord, { readonly row: EpochRow; readonly passages: number }>;

function epochRow(shown: EpochSubject, record: EpochRecord, nowMs: number): EpochRow {
  const from = beginOf(record, shown.run.timelines.passages.get(record.epoch));
  const open = !shown.run.isOver && record.completedMs === undefined && record.failure === undefined;
  const since = (ms: number | undefined, pending: string) => (ms === undefined ? pending : took(ms - from));
  const pending = record.failure !== undefined ? "given up" : open ? "waiting" : "–";
  return {
    epoch: record.epoch,
    record,
    state: stateOf(record),
    slowest: slowestOf(shown, record, open),
    aligned:
      record.completedMs === undefined
        ? open
          ? `${took(Math.max(0, nowMs - from))} +`
          : pending
        : took(record.completedMs - from),
    durable: since(record.durableMs, pending),
    committed: since(record.committedMs, pending),
    bytes: record.completedMs === undefined ? "–" : bytes(record.stateBytes),
    open,
  };
}

/** When an epoch began. The last one of sources that ended was issued by nobody: it began where it was seen first. */
export function beginOf(
  { issuedMs, completedMs, reports }: EpochRecord,
  passages: readonly { readonly atMs: number; readonly alignedMs: number }[] = [],
): number {
  if (issuedMs !== undefined) return issuedMs;
  const seen = [...passages.map(({ atMs, alignedMs }) => atMs - alignedMs), ...reports.map(({ atMs }) => atMs)];
  return Math.min(...seen, completedMs ?? (seen.length === 0 ? 0 : Number.POSITIVE_INFINITY));
}

function stateOf({ failure, committedMs, durableMs, completedMs }: EpochRecord): EpochRow["state"] {
  if (failure !== undefined) return "given up";
  if (committedMs !== undefined) return "committed";
  if (durableMs !== undefined) return "durable";
  return completedMs === undefined ? "aligning" : "complete";
}

/** A source, and a task with one input, have no other inputs to wait for. */
export const alignsInputs = (model: RunModel, task: number): boolean => (model.into[task]?.length ?? 0) > 1;

/** A shorter wait is no news. */
const WAITED_MS = 1;

/** Whoever waited longest for the barrier on its other inputs, else whoever reported last; of an open epoch those that still owe a report. */
function slowestOf({ run, model }: EpochSubject, { epoch, reports }: EpochRecord, open: boolean): string {
  if (open) {
    const reported = new Set<number>(reports.map(({ task }) => task));
    const missing = model.order.filter((task) => !reported.has(task));
    const [first] = missing;
    if (first === undefined) return "–";
    return missing.length === 1 ? model.taskName(first) : `${model.taskName(first)} and ${missing.length - 1} more`;
  }
  const passages = run.timelines.passages.get(epoch) ?? [];
  const waited = maxBy(
    passages.filter(({ task }) => alignsInputs(model, task)),
    ({ alignedMs }) => alignedMs,
  );
  if (waited !== undefined && waited.alignedMs >= WAITED_MS) return model.taskName(waited.task);
  const last = maxBy(reports, ({ atMs }) => atMs);
  return last === undefined ? "–" : model.taskName(last.task);
}

function maxBy<T>(items: readonly T[], measure: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || measure(item) > measure(best) ? item : best),
    undefined,
  );
}
