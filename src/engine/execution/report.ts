import type { ErrorData } from "../base/errors.ts";
import type { TimeMark } from "../base/event-time.ts";
import { COUNTERS, type Counter, type ProbeReader, TASK_STATES, type TaskState } from "../core/probes.ts";
import { writeJson } from "../topology/json-write.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import type { EdgeView } from "../transport/edge.ts";
import type { Coordinator, RunOutcome } from "./coordinator.ts";
import { firstStageOf } from "./probe-shape.ts";

/** What happened in a run, as plain data for `--report` and for the page: also of one that failed or goes on. */
export interface RunReport {
  readonly outcome: RunOutcome["kind"];
  readonly error?: ErrorData;
  readonly epochs: {
    /** Number of the epoch issued last, and of the one completed last. */
    readonly issued: number;
    readonly completed: number;
    /** Every epoch that was committed, oldest first. */
    readonly committed: readonly number[];
  };
  /** By node id of the document. */
  readonly nodes: Readonly<Record<string, NodeReport>>;
  /** By edge id of the document; an edge inside a chain is none and stands under no name. */
  readonly edges: Readonly<Record<string, EdgeReport>>;
  /** Warnings: bad rows (a sample), epochs that were given up. */
  readonly notes: readonly ErrorData[];
  /** Real milliseconds from start to end. */
  readonly wallMs: number;
  /** Lab only: the virtual clock at the end, the seed, and every move that was made. */
  readonly virtualMs?: number;
  readonly seed?: number;
  readonly moves?: readonly string[];
}

/** Sums over the node's tasks. */
export interface NodeReport extends Readonly<Record<Counter, number>> {
  readonly tasks: number;
  readonly rowsIn: number;
  /** Rows sent, each once however many edges it went on; of a sink, rows made visible. */
  readonly rowsOut: number;
  /** The least that the node's tasks said about time: milliseconds, `idle`, `end`; null where one said nothing yet. */
  readonly watermark: number | "idle" | "end" | null;
  /** Milliseconds in each state. A chained node has its task's: all nodes of the chain show the same. */
  readonly stateMs: Readonly<Record<TaskState, number>>;
  /** The nodes of its chain in stream order, where it shares its tasks. */
  readonly chain?: readonly string[];
}

export interface EdgeReport {
  readonly route: string;
  /** Physical edges. */
  readonly physical: number;
  /** Data messages that each of them holds. */
  readonly capacity: number;
  /** Taken by the readers, a broadcast row once for each. */
  readonly batches: number;
  readonly rows: number;
  /** Data messages that were left unread. */
  readonly queued: number;
}

export interface ReportInput {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly coordinator: Pick<Coordinator, "epoch" | "completedEpoch" | "committedEpochs">;
  readonly probes: ProbeReader;
  readonly edge: (id: number) => EdgeView;
  readonly notes: readonly ErrorData[];
  readonly wallMs: number;
  readonly lab?: { readonly virtualMs: number; readonly seed: number; readonly moves: readonly string[] } | undefined;
}

export function reportOf(input: ReportInput): RunReport {
  const { outcome, coordinator, lab } = input;
  return {
    outcome: outcome.kind,
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
    epochs: {
      issued: coordinator.epoch,
      completed: coordinator.completedEpoch,
      committed: coordinator.committedEpochs,
    },
    nodes: nodeReports(input),
    edges: edgeReports(input),
    notes: input.notes,
    wallMs: input.wallMs,
    ...lab,
  };
}

/** The report as JSON for a file: readable, but all moves in one line. */
export function reportText({ moves, ...report }: RunReport): string {
  const text = writeJson(report).trimEnd();
  return moves === undefined ? `${text}\n` : `${text.slice(0, -2)},\n  "moves": ${JSON.stringify(moves)}\n}\n`;
}

function nodeReports({ plan, probes }: ReportInput): Record<string, NodeReport> {
  const reports = new Map<string, NodeReport>();
  for (const task of plan.tasks) {
    const { mark, spentMs } = probes.task(task.id, 0);
    const first = firstStageOf(plan, task);
    task.stages.forEach(({ node }, index) => {
      const { rowsIn, rowsOut, counters } = probes.stage(first + index);
      const one: NodeReport = {
        tasks: 1,
        rowsIn,
        rowsOut,
        ...counters,
        watermark: watermarkOf(mark),
        stateMs: mapped(TASK_STATES, (state) => Math.round(spentMs[state])),
        ...chainOf(task),
      };
      const others = reports.get(node);
      reports.set(node, others === undefined ? one : sumOf(others, one));
    });
  }
  return Object.fromEntries(reports);
}

function chainOf({ stages }: PlanTask): { chain?: readonly string[] } {
  return stages.length === 1 ? {} : { chain: stages.map((stage) => stage.node) };
}

function sumOf(a: NodeReport, b: NodeReport): NodeReport {
  return {
    ...a,
    tasks: a.tasks + b.tasks,
    rowsIn: a.rowsIn + b.rowsIn,
    rowsOut: a.rowsOut + b.rowsOut,
    ...sums(COUNTERS, a, b),
    watermark: leastOf(a.watermark, b.watermark),
    stateMs: sums(TASK_STATES, a.stateMs, b.stateMs),
  };
}

function sums<K extends string>(keys: readonly K[], a: Record<K, number>, b: Record<K, number>): Record<K, number> {
  return mapped(keys, (key) => a[key] + b[key]);
}

function mapped<K extends string>(keys: readonly K[], value: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, number>;
}

function watermarkOf(mark: TimeMark | undefined): NodeReport["watermark"] {
  if (mark === undefined) return null;
  return mark.kind === "time" ? mark.ms : mark.kind;
}

/** Unknown holds everything back; idle and ended tasks hold nothing back (D-3). */
function leastOf(a: NodeReport["watermark"], b: NodeReport["watermark"]): NodeReport["watermark"] {
  if (a === null || b === null) return null;
  if (typeof a === "number") return typeof b === "number" ? Math.min(a, b) : a;
  return typeof b === "number" || b === "idle" ? b : a;
}

function edgeReports({ plan, probes, edge: view }: ReportInput): Record<string, EdgeReport> {
  const reports = new Map<string, EdgeReport>();
  for (const task of plan.tasks) {
    for (const route of task.routes) {
      for (const target of route.targets) {
        const { batches, rows } = probes.edge(target.edge);
        const { capacity, dataQueued } = view(target.edge);
        const others = reports.get(route.edge);
        reports.set(route.edge, {
          route: route.kind,
          capacity,
          physical: (others?.physical ?? 0) + 1,
          batches: (others?.batches ?? 0) + batches,
          rows: (others?.rows ?? 0) + rows,
          queued: (others?.queued ?? 0) + dataQueued,
        });
      }
    }
  }
  return Object.fromEntries(reports);
}
