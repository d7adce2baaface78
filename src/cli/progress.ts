import { errorLine, type Plan, type RunReport, taskName } from "../engine/index.ts";

const EVERY_MS = 200;
const CLEAR_LINE = "\r\u001b[K";

const number = new Intl.NumberFormat("en");

/**
 * Standard error: lines always, what goes on only to a terminal. A line that moves is shown only while rows go elsewhere, since the two
 * would write over each other.
 */
export class Progress {
  private readonly stream = process.stderr;
  private readonly moves = this.stream.isTTY === true && process.stdout.isTTY !== true;
  private timer: NodeJS.Timeout | undefined = undefined;

  show(report: () => RunReport): void {
    if (!this.moves) return;
    this.timer = setInterval(() => this.stream.write(CLEAR_LINE + state(report())), EVERY_MS);
    this.timer.unref();
  }

  /** A line for everybody. */
  line(text: string): void {
    this.stream.write(`${this.timer === undefined ? "" : CLEAR_LINE}${text}\n`);
  }

  /** A line for a person at a terminal. */
  remark(text: string): void {
    if (this.stream.isTTY === true) this.line(text);
  }

  end(): void {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.stream.write(CLEAR_LINE);
  }
}

function state({ nodes, epochs, wallMs }: RunReport): string {
  const rows = Object.values(nodes).reduce((sum, { rowsIn, rowsOut }) => (rowsIn === 0 ? sum + rowsOut : sum), 0);
  return `running ${seconds(wallMs)}: ${number.format(rows)} rows read, epoch ${epochs.committed.at(-1) ?? 0} committed`;
}

/** What a run did, for a person. */
export function summary({ outcome, epochs, wallMs }: RunReport, rows: number): string {
  const committed = epochs.committed.length;
  return `${outcome} after ${seconds(wallMs)}: ${number.format(rows)} rows, ${committed} epoch${committed === 1 ? "" : "s"} committed`;
}

/** Why a run gave no whole result: the reason with node and task, in one line. */
export function failureLine({ outcome, error, epochs }: RunReport, plan: Plan): string {
  if (outcome === "cancelled")
    return `the run was cancelled; the last committed epoch is ${epochs.committed.at(-1) ?? 0}`;
  if (error === undefined) return "the run failed";
  const { node: _, field, task, ...rest } = error;
  const planned = task === undefined ? undefined : plan.tasks[task];
  const node = error.node ?? planned?.stages[0]?.node;
  const where = [
    node === undefined ? undefined : `node ${node}${field === undefined ? "" : `.${field}`}`,
    planned === undefined ? undefined : `task ${planned.id} (${taskName(planned)})`,
  ].filter((part) => part !== undefined);
  return `run failed: ${[...where, errorLine(rest)].join(": ")}`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
