import {
  Batch,
  CATALOG_BUILDERS,
  type NexmarkSourceConfig,
  nexmarkSchema,
  nodeId,
  type Output,
  plainText,
  type SourceContext,
  taskId,
} from "../../src/engine/parts.ts";

/** `channel` has its keys as plain text, `codes` as the generator makes them: codes of a dictionary. */
export type QueryName = "q0" | "q1" | "q2" | "q5" | "q7" | "q8" | "channel" | "codes";

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

const plainMade = new WeakMap<readonly Batch[], readonly Batch[]>();

/** The same batches with all text plain, as it stands in a file. */
export function withPlainText(batches: readonly Batch[]): readonly Batch[] {
  const known = plainMade.get(batches);
  if (known !== undefined) return known;
  const plain = batches.map(({ schema, rowCount, columns, eventTimes }) => {
    const own = columns.map((column) => (column.encoding === "dictionary" ? plainText(column) : column));
    return new Batch(schema, rowCount, own, eventTimes);
  });
  plainMade.set(batches, plain);
  return plain;
}

const MOST_KEPT = 4;
const made = new Map<string, Batch[]>();

/** Event time that all events together take; another round of them begins so much later. */
export const roundMs = ({ events, eventsPerSecond }: EventsConfig): number =>
  Math.ceil((events * 1000) / eventsPerSecond);
