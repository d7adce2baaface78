import type { ErrorData, MessageKind, RunStatus, TaskState, TimeMark } from "../../engine/index.ts";
import type { Run } from "../engine-client/run.ts";
import { alignments } from "./alignment.ts";
import type { RunController } from "./run-controller.ts";
import type { RunModel } from "./run-model.ts";

export interface StatusSnapshot {
  /** `idle` before the first run. */
  readonly life: RunStatus["life"] | "idle";
  readonly executor: "threads" | "lab" | undefined;
  readonly issued: number;
  readonly completed: number;
  readonly committed: number;
  /** The newest epochs, oldest first; times in milliseconds of the run's clock. */
  readonly epochs: readonly EpochSnapshot[];
  readonly nowMs: number;
  readonly error: ErrorData | undefined;
  /** Rows that each sink made visible. */
  readonly rows: Readonly<Record<string, number>>;
  readonly notes: readonly ErrorData[];
}

export interface EpochSnapshot {
  readonly epoch: number;
  readonly issuedMs: number | undefined;
  readonly completedMs: number | undefined;
  readonly durableMs: number | undefined;
  readonly committedMs: number | undefined;
  readonly failure: string | undefined;
}

export interface ProbeSnapshot {
  readonly nowMs: number;
  readonly tasks: readonly TaskSnapshot[];
  readonly edges: readonly EdgeSnapshot[];
  readonly aligning: readonly AlignSnapshot[];
}

export interface TaskSnapshot {
  readonly task: number;
  readonly nodes: readonly string[];
  readonly subtask: number;
  readonly host: number | undefined;
  readonly state: TaskState;
  /** Task that it waits to send to. */
  readonly sendingTo: number | undefined;
  readonly forMs: number;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly watermark: TimeMark | undefined;
  readonly pendingEpoch: number | undefined;
  readonly completedEpoch: number;
  readonly committedEpoch: number;
}

export interface EdgeSnapshot {
  /** Number of the physical edge, and the document's edge that it belongs to. */
  readonly ring: number;
  readonly edge: string;
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
  readonly dataQueued: number;
  readonly queued: number;
  /** The next to be read first. */
  readonly kinds: readonly MessageKind[];
  readonly held: boolean;
  readonly rowsSent: number;
  readonly watermark: TimeMark | undefined;
  readonly ended: boolean;
}

export interface AlignSnapshot {
  readonly task: number;
  readonly epoch: number;
  /** Names of inputs. */
  readonly delivered: readonly string[];
  readonly missing: readonly string[];
  readonly held: number;
}

export function statusSnapshot({ state }: RunController): StatusSnapshot {
  const { shown, starting } = state.getState();
  const nothing = {
    issued: 0,
    completed: 0,
    committed: 0,
    epochs: [],
    nowMs: 0,
    error: undefined,
    rows: {},
    notes: [],
  };
  if (shown === undefined) return { ...nothing, life: starting ? "starting" : "idle", executor: undefined };
  const { run } = shown;
  const { status, notes } = run.state.getState();
  return {
    life: status.life,
    executor: run.executor,
    issued: status.issued,
    completed: status.completed,
    committed: status.committed,
    epochs: status.epochs.map(({ reports: _, stateBytes: __, ...epoch }) => epoch),
    nowMs: status.nowMs,
    error: status.outcome?.error,
    rows: Object.fromEntries([...run.outputs].map(([node, output]) => [node, output.rowCount])),
    notes: notes.map(({ note }) => note),
  };
}

export function probeSnapshot({ frame, hostOf }: Run, model: RunModel): ProbeSnapshot {
  const { plan } = model;
  return {
    nowMs: frame.nowMs,
    tasks: plan.tasks.flatMap(({ id, subtask, stages }): TaskSnapshot[] => {
      const reading = frame.tasks[id];
      if (reading === undefined) return [];
      const { state, target, forMs, rowsIn, rowsOut, mark, pendingEpoch, completedEpoch, committedEpoch } = reading;
      const sendingTo = target === undefined ? undefined : plan.edges[target]?.to.task;
      const nodes = stages.map(({ node }) => node as string);
      const epochs = { pendingEpoch, completedEpoch, committedEpoch };
      return [
        {
          task: id,
          nodes,
          subtask,
          host: hostOf?.[id],
          state,
          sendingTo,
          forMs,
          rowsIn,
          rowsOut,
          watermark: mark,
          ...epochs,
        },
      ];
    }),
    edges: plan.edges.flatMap(({ id, edge, from, to }): EdgeSnapshot[] => {
      const reading = frame.edges[id];
      if (reading === undefined) return [];
      const { capacity, dataQueued, queued, kinds, held, rowsSent, mark, ended } = reading;
      const ends = { ring: id, edge, from: from.task, to: to.task };
      return [{ ...ends, capacity, dataQueued, queued, kinds, held, rowsSent, watermark: mark, ended }];
    }),
    aligning: alignments(model, frame).map(({ task, epoch, delivered, missing, held }) => ({
      task,
      epoch,
      delivered: delivered.map((edge) => model.inputName(edge)),
      missing: missing.map((edge) => model.inputName(edge)),
      held,
    })),
  };
}
