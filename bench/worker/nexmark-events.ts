import {
  type Batch,
  CATALOG_BUILDERS,
  type NexmarkSourceConfig,
  nexmarkSchema,
  nodeId,
  type Output,
  type SourceContext,
  taskId,
} from "../../src/engine/parts.ts";

export type QueryName = "q0" | "q1" | "q2" | "q5" | "q7" | "q8" | "channel";

/** Events of one stream. */
export type EventsConfig = NexmarkSourceConfig;

const unused = (): never => {
  throw new Error("a source that makes events needs nothing from outside");
};

/** Every batch that a subtask of the generator sends, stamped with event time. */
export async function eventBatches(config: EventsConfig, subtask = 0, parallelism = 1): Promise<Batch[]> {
  const name = JSON.stringify([config, subtask, parallelism]);
  const known = made.get(name);
  if (known !== undefined) return known;
  const build = await CATALOG_BUILDERS.source("source.nexmark");
  const { stream, columns } = config;
  if (stream === "all") throw new Error("benchmarks take one stream at a time");
  const context: SourceContext = {
    node: nodeId("events"),
    task: taskId(0),
    subtask,
    parallelism,
    inputs: {},
    outputs: { out: nexmarkSchema(stream, columns) },
    inEdges: [],
    clock: { now: () => 0 },
    files: { open: unused, create: unused, rename: unused, remove: unused, list: unused },
    position: undefined,
    foreignCode: unused,
    count: () => undefined,
    note: () => undefined,
  };
  const source = await build(config as never, context);
  const batches: Batch[] = [];
  const output: Output<Batch> = {
    nowMs: 0,
    emit: (batch) => void batches.push(batch),
    mark: () => undefined,
    delay: () => undefined,
  };
  while (source.poll(output).kind === "again");
  // Those of the query before would only fill the memory.
  if (made.size >= MOST_KEPT) made.clear();
  made.set(name, batches);
  return batches;
}

const MOST_KEPT = 4;
const made = new Map<string, Batch[]>();

/** Event time that all events together take; another round of them begins so much later. */
export const roundMs = ({ events, eventsPerSecond }: EventsConfig): number =>
  Math.ceil((events * 1000) / eventsPerSecond);
