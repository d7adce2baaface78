import {
  Batch,
  CATALOG,
  CATALOG_BUILDERS,
  type Column,
  enableKernels,
  nodeId,
  type Operator,
  type Output,
  type StageContext,
  TurnMemory,
  taskId,
} from "../../src/engine/parts.ts";
import { batchesOf, batchesWithNulls, type Keys, schemaOf, schemaWithNulls } from "../batches.ts";
import { NO_FILES } from "./stages.ts";

/** Operators as a run has them, fed on one thread, with nothing around them. */

enableKernels();

/** As a task's: used again when its effects are through, which is after each batch here. */
const memory = new TurnMemory();

/** Counts what comes out. */
class Counter implements Output<Batch> {
  readonly nowMs = 0;
  rows = 0;
  private readonly next: ((batch: Batch) => void) | undefined;

  constructor(next?: (batch: Batch) => void) {
    this.next = next;
  }

  emit(batch: Batch): void {
    this.rows += batch.rowCount;
    this.next?.(batch);
  }

  mark(): void {}

  delay(): void {}
}

async function operatorOf(kind: string, config: object, schema: Batch["schema"]) {
  const spec = CATALOG.get(kind);
  const parsed = spec?.config.parse(config);
  const flow = spec?.schemaFlow(parsed as never, { in: schema });
  if (flow?.kind !== "ok") throw new Error(`${kind}: ${JSON.stringify(flow)}`);
  const context: StageContext = {
    node: nodeId(kind),
    task: taskId(0),
    subtask: 0,
    parallelism: 1,
    inputs: { in: schema },
    outputs: flow.outputs,
    inEdges: [],
    clock: { now: () => 0 },
    files: NO_FILES,
    memory,
    count: () => undefined,
    foreignCode: (run) => run(),
    note: ({ message }) => {
      throw new Error(message);
    },
  };
  const operator = await (await CATALOG_BUILDERS.operator(kind))(parsed as never, context);
  return { operator, schema: flow.outputs["out"] as Batch["schema"] };
}

export interface WindowJob {
  readonly keys: Keys;
  readonly distinct: number;
  readonly rows: number;
  readonly batches: number;
  /** Rows a millisecond of event time. */
  readonly rowsPerMs: number;
  readonly sizeMs: number;
  readonly count: number;
}

interface OpenWindow {
  readonly name: string;
  readonly operator: Operator<Batch>;
  readonly out: Counter;
  readonly times: readonly Float64Array[];
  ms: number;
}

/** As many as there are different batches in most cases. */
const TIMES = 32;

let kept: OpenWindow | undefined;

/** An operator goes on from job to job, as long as these are alike, so that its keys are known and its code is compiled. */
async function windowFor(name: string, { keys, rows, sizeMs }: WindowJob): Promise<OpenWindow> {
  if (kept?.name === name) return kept;
  const config = {
    groupBy: ["k"],
    window: { kind: "tumbling", sizeMs },
    aggregates: [
      { name: "n", fn: "count" },
      { name: "s", fn: "sum", column: "v" },
    ],
    maxBufferedKeys: 10_000_000,
  };
  const { operator } = await operatorOf("window", config, schemaOf(keys));
  const times = Array.from({ length: TIMES }, () => new Float64Array(rows));
  kept = { name, operator, out: new Counter(), times, ms: 1_700_000_000_000 };
  return kept;
}

/** Feeds so many batches to a keyed tumbling count and sum; every window that time passes fires. Answers the milliseconds. */
export async function windowRows(job: WindowJob): Promise<number> {
  const { keys, distinct, rows, batches, rowsPerMs, sizeMs, count } = job;
  const sources = batchesOf(keys, rows, batches, distinct);
  const open = await windowFor(`${keys} ${distinct} ${rows} ${sizeMs}`, job);
  const { operator, out } = open;
  const before = out.rows;
  const from = performance.now();
  for (let i = 0; i < count; i++) {
    const batch = sources[i % sources.length] as Batch;
    // Memory is used again, as that of a ring is.
    const times = open.times[i % open.times.length] as Float64Array;
    for (let from = 0; from < rows; from += rowsPerMs) times.fill(open.ms++, from, from + rowsPerMs);
    operator.process(new Batch(batch.schema, rows, batch.columns, times), "in", out);
    operator.onTime?.(open.ms - 1, out);
  }
  const ms = performance.now() - from;
  if (count * Math.ceil(rows / rowsPerMs) > 2 * sizeMs && out.rows === before) throw new Error("no window fired");
  return ms;
}

/** The same by a loop of its own, with codes for keys and one window at a time: what there is to win. */
export function windowByHand({ keys, distinct, rows, batches, rowsPerMs, sizeMs, count }: WindowJob): number {
  const sources = batchesOf(keys, rows, batches, distinct);
  const counts = new Float64Array(distinct);
  const sums = new Float64Array(distinct);
  const times = Array.from({ length: TIMES }, () => new Float64Array(rows));
  let [ms, end, results] = [0, sizeMs, 0];
  const from = performance.now();
  for (let i = 0; i < count; i++) {
    const { columns } = sources[i % sources.length] as Batch;
    const codes = codesOf(columns[0]);
    const values = doublesOf(columns[2]);
    const own = times[i % TIMES] as Float64Array;
    for (let at = 0; at < rows; at += rowsPerMs) own.fill(ms++, at, at + rowsPerMs);
    for (let row = 0; row < rows; row++) {
      if ((own[row] as number) >= end) {
        for (let code = 0; code < distinct; code++) results += counts[code] === 0 ? 0 : 1;
        counts.fill(0);
        sums.fill(0);
        end += sizeMs;
      }
      const code = codes[row] as number;
      counts[code] = (counts[code] as number) + 1;
      sums[code] = (sums[code] as number) + (values[row] as number);
    }
  }
  if (results < 0) throw new Error("results are counted");
  return performance.now() - from;
}

export interface ExpressionJob {
  readonly rows: number;
  readonly batches: number;
  readonly count: number;
  /** Whether a tenth of the keys and values is NULL. */
  readonly nulls: boolean;
}

export const EXPRESSIONS = { filter: "v > 0.3 AND k <> 7", derived: "v * 2 + k" } as const;

type Chain = { readonly first: Operator<Batch>; readonly output: Counter };

/** With NULLs and without. */
const chains = new Map<boolean, Chain>();

const expressionBatches = ({ rows, batches, nulls }: ExpressionJob): Batch[] =>
  nulls ? batchesWithNulls(rows, batches) : batchesOf("int", rows, batches);

/** A filter, a computed column and a projection, from SQL text, one behind the other as in a chained task. */
export async function expressionRows(job: ExpressionJob): Promise<number> {
  const sources = expressionBatches(job);
  const { first, output } = await chainFor(job.nulls);
  const from = performance.now();
  for (let i = 0; i < job.count; i++) {
    first.process(sources[i % sources.length] as Batch, "in", output);
    memory.settled();
  }
  return performance.now() - from;
}

async function chainFor(nulls: boolean): Promise<Chain> {
  const known = chains.get(nulls);
  if (known !== undefined) return known;
  const input = nulls ? schemaWithNulls : schemaOf("int");
  const filter = await operatorOf("filter", { expression: EXPRESSIONS.filter }, input);
  const columns = [{ name: "w", expression: EXPRESSIONS.derived }];
  const derive = await operatorOf("derive", { columns }, filter.schema);
  const select = await operatorOf("select", { columns: ["k", "ts", "w"] }, derive.schema);
  const last = new Counter();
  const projected = new Counter((batch) => select.operator.process(batch, "in", last));
  const chain = {
    first: filter.operator,
    output: new Counter((batch) => derive.operator.process(batch, "in", projected)),
  };
  chains.set(nulls, chain);
  return chain;
}

/**
 * The same as one loop without a branch on values, into memory that is used again. No row that passes has a NULL, so the result needs
 * no bits for them.
 */
export function expressionByHand(job: ExpressionJob): number {
  const { rows } = job;
  const sources = expressionBatches(job);
  const out = {
    keys: new Int32Array(rows + 1),
    times: new Int32Array(2 * rows + 2),
    values: new Float64Array(rows + 1),
  };
  const loop = job.nulls ? loopWithNulls : loopWithoutNulls;
  let total = 0;
  const from = performance.now();
  for (let i = 0; i < job.count; i++) total += loop(sources[i % sources.length] as Batch, out);
  if (total <= 0) throw new Error("some rows pass");
  return performance.now() - from;
}

interface Written {
  readonly keys: Int32Array;
  readonly times: Int32Array;
  readonly values: Float64Array;
}

function loopWithoutNulls({ rowCount, columns }: Batch, out: Written): number {
  const keys = wordsOf(columns[0]);
  const times = wordsOf(columns[1]);
  const values = doublesOf(columns[2]);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    const key = keys[row] as number;
    const value = values[row] as number;
    out.keys[at] = key;
    out.times[2 * at] = times[2 * row] as number;
    out.times[2 * at + 1] = times[2 * row + 1] as number;
    out.values[at] = value * 2 + key;
    at += (value > 0.3 ? 1 : 0) & (key !== 7 ? 1 : 0);
  }
  return at;
}

function loopWithNulls({ rowCount, columns }: Batch, out: Written): number {
  const keys = wordsOf(columns[0]);
  const times = wordsOf(columns[1]);
  const values = doublesOf(columns[2]);
  const keyBits = validityOf(columns[0]);
  const valueBits = validityOf(columns[2]);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    const key = keys[row] as number;
    const value = values[row] as number;
    out.keys[at] = key;
    out.times[2 * at] = times[2 * row] as number;
    out.times[2 * at + 1] = times[2 * row + 1] as number;
    out.values[at] = value * 2 + key;
    const isThere = ((keyBits[row >> 3] as number) & (valueBits[row >> 3] as number)) >> (row & 7);
    at += (value > 0.3 ? 1 : 0) & (key !== 7 ? 1 : 0) & isThere;
  }
  return at;
}

function validityOf(column: Column | undefined): Uint8Array {
  if (column?.validity?.bitOffset === 0) return column.validity.bits;
  throw new TypeError("some of its rows are NULL");
}

function codesOf(column: Column | undefined): Int32Array {
  if (column?.encoding === "dictionary") return column.codes;
  throw new TypeError("codes come with a dictionary");
}

function wordsOf(column: Column | undefined): Int32Array {
  if (column?.encoding === "fixed" && column.values instanceof Int32Array) return column.values;
  throw new TypeError("words are stored as int32");
}

function doublesOf(column: Column | undefined): Float64Array {
  if (column?.encoding === "fixed" && column.values instanceof Float64Array) return column.values;
  throw new TypeError("float64 is stored as such");
}
