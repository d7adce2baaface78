import { writeFile } from "node:fs/promises";
import {
  type Batch,
  type ErrorData,
  errorLine,
  errorText,
  type RunOutcome,
  type RunReport,
  reportText,
  toErrorData,
} from "../engine/index.ts";
import type { ExitStatus } from "./exit-status.ts";
import { Interrupts } from "./interrupts.ts";
import type { Job } from "./job.ts";
import { failureLine, Progress, summary } from "./progress.ts";
import { RowsOut } from "./rows-out.ts";

/** What a run tells while it goes on. */
export interface RunListener {
  /** Visible rows; while the answer is pending, the run is held back. */
  onRows(node: string, batch: Batch): Promise<void>;
  onNote(note: ErrorData): void;
}

/** A run on threads or in the lab, as the command line sees it. */
export interface DrivenRun {
  /** Never rejects for what the run itself did. */
  readonly outcome: Promise<RunOutcome>;
  stop(): void;
  cancel(): void;
  fail(error: ErrorData): void;
  /** May be asked at any time; `outcome` stands in for one that the run does not have yet. */
  report(outcome: RunOutcome, notes: readonly ErrorData[], wallMs: number): RunReport;
}

export type StartRun = (listener: RunListener) => Promise<DrivenRun>;

/** Longer than a timer can count is no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Further warnings are counted. */
const NOTES_SHOWN = 20;
const NOTES_KEPT = 100;

/** Runs a job to its end: rows out, signals, time-out, notes, report, and the last word on standard error. */
export async function execute(job: Job, start: StartRun): Promise<ExitStatus> {
  const startMs = performance.now();
  const notes: ErrorData[] = [];
  let noted = 0;
  let run: DrivenRun | undefined;
  const progress = new Progress();
  for (const remark of job.checkpoints?.remarks ?? []) progress.line(`note: ${remark}`);
  const interrupts = new Interrupts();
  const rows = new RowsOut(job, () => run?.stop());
  run = await start({
    onRows: (node, batch) => rows.take(node, batch),
    onNote: (note) => {
      noted++;
      if (notes.length < NOTES_KEPT) notes.push(note);
      if (noted <= NOTES_SHOWN) progress.line(`note: ${errorLine(note)}`);
    },
  });
  const driven = run;
  interrupts.attach({
    stop: () => {
      progress.remark("stopping with a final epoch; Ctrl-C again cancels");
      driven.stop();
    },
    cancel: () => driven.cancel(),
  });
  const timer = timeLimit(job.timeoutMs, driven);
  const reportNow = (outcome: RunOutcome) => driven.report(outcome, notes, Math.round(performance.now() - startMs));
  progress.show(() => reportNow({ kind: "finished" }));
  const outcome = await settled(await withOutput(await driven.outcome, rows), job);
  clearTimeout(timer);
  interrupts.close();
  progress.end();
  if (noted > NOTES_SHOWN) progress.line(`note: and ${noted - NOTES_SHOWN} more`);
  return conclude(job, reportNow(outcome), rows.printed, progress);
}

/** The outcome, once the rows are written; a run whose rows are lost has failed. */
async function withOutput(outcome: RunOutcome, rows: RowsOut): Promise<RunOutcome> {
  try {
    await rows.finish();
    return outcome;
  } catch (thrown) {
    if (outcome.kind === "failed") return outcome;
    return { kind: "failed", error: toErrorData(thrown, { code: "output-failed", domain: "data" }) };
  }
}

/** A run that ended well says so in its checkpoints. One that cannot has not ended well. */
async function settled(outcome: RunOutcome, { checkpoints }: Job): Promise<RunOutcome> {
  if (outcome.kind !== "finished" && outcome.kind !== "stopped") return outcome;
  try {
    await checkpoints?.settle();
    return outcome;
  } catch (thrown) {
    return { kind: "failed", error: toErrorData(thrown, { code: "checkpoint-failed", domain: "checkpoint" }) };
  }
}

function timeLimit(timeoutMs: number | undefined, run: DrivenRun): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS) return undefined;
  return setTimeout(() => {
    const message = `the run was not over after ${timeoutMs / 1000} s`;
    run.fail({ code: "time-out", domain: "engine", message, hint: "raise --timeout, or bound the sources" });
  }, timeoutMs);
}

async function conclude(job: Job, report: RunReport, rows: number, progress: Progress): Promise<ExitStatus> {
  const written = await writeReport(job.reportPath, report, progress);
  if (report.outcome === "finished" || report.outcome === "stopped") {
    progress.remark(summary(report, rows));
    return written ? 0 : 1;
  }
  progress.line(failureLine(report, job.graph.plan));
  return 1;
}

async function writeReport(path: string | undefined, report: RunReport, progress: Progress): Promise<boolean> {
  if (path === undefined) return true;
  try {
    await writeFile(path, reportText(report));
    return true;
  } catch (error) {
    progress.line(`the report ${JSON.stringify(path)} could not be written: ${errorText(error)}`);
    return false;
  }
}
