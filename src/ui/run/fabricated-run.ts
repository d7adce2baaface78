import {
  COUNTERS,
  graphDocumentSchema,
  planOf,
  type StageReading,
  TASK_STATES,
  type TaskReading,
  type TaskState,
} from "../../engine/index.ts";
import type { EdgeNow, RunFrame } from "../engine-client/run-reader.ts";
import { RunModel } from "./run-model.ts";

/** For tests: a model of a real plan, and frames of it in which only what matters is said. */
export function fabricatedModel(nodes: readonly object[], edges: readonly object[], settings: object = {}): RunModel {
  const document = graphDocumentSchema.parse({
    format: "weir.graph/v1",
    name: "fabricated",
    settings: { chaining: false, ...settings },
    nodes,
    edges,
  });
  return new RunModel(planOf(document), document);
}

export const SOURCE = {
  kind: "source.generator",
  config: { fields: [{ name: "n", kind: "sequence" }], rows: 10, seed: 1 },
};
export const SINK = { kind: "sink.table", config: {} };

const zeros = <K extends string>(keys: readonly K[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export const taskReading = (said: Partial<TaskReading> = {}): TaskReading => ({
  state: "Receiving",
  target: undefined,
  forMs: 0,
  batchesIn: 0,
  rowsIn: 0,
  batchesOut: 0,
  rowsOut: 0,
  mark: undefined,
  pendingEpoch: undefined,
  completedEpoch: 0,
  committedEpoch: 0,
  cpuMs: 0,
  turns: 0,
  counters: zeros(COUNTERS),
  spentMs: zeros(TASK_STATES),
  ...said,
});

export const edgeNow = (said: Partial<EdgeNow> = {}): EdgeNow => ({
  mark: undefined,
  delivered: undefined,
  held: false,
  batches: 0,
  rows: 0,
  ended: false,
  capacity: 16,
  dataQueued: 0,
  queued: 0,
  messagesSent: 0,
  rowsSent: 0,
  kinds: [],
  ...said,
});

const stageReading = (): StageReading => ({
  rowsIn: 0,
  rowsOut: 0,
  counters: zeros(COUNTERS),
  foreignSinceMs: undefined,
});

/** `tasks` and `edges` by id; the others are at rest. */
export function fabricatedFrame(
  { plan }: RunModel,
  tasks: Readonly<Record<number, Partial<TaskReading>>> = {},
  edges: Readonly<Record<number, Partial<EdgeNow>>> = {},
): RunFrame {
  const stages = plan.tasks.flatMap((task) => task.stages);
  return {
    nowMs: 1000,
    tasks: plan.tasks.map(({ id }) => taskReading(tasks[id])),
    edges: plan.edges.map(({ id, capacity }) => edgeNow({ capacity, ...edges[id] })),
    stages: stages.map(stageReading),
  };
}

/** All of the time in one state. */
export const sharesOf = (state: TaskState): Record<TaskState, number> => ({ ...zeros(TASK_STATES), [state]: 1 });
