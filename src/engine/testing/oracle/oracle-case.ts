import fc from "fast-check";
import type { CellValue } from "../batch-values.ts";
import type { OracleColumn } from "./columns.ts";
import type { GraphEdge, GraphNode, Stream } from "./stream.ts";

/** An operator, and for each of its ports the query of which it must send the rows, over the streams' tables. */
export interface OperatorCase {
  readonly kind: string;
  readonly parallelism: number;
  readonly config: object;
  /** Key columns by input port, each fed by the stream of that place, or by the only one. */
  readonly keys: Readonly<Record<string, readonly OracleColumn[]>>;
  readonly answers: Readonly<Record<string, Answer>>;
  /** The query for the event times of its rows, as `happened`. */
  readonly times?: string;
  /** A node between its port `out` and the sink. */
  readonly then?: Omit<GraphNode, "id">;
}

export interface Answer {
  readonly sql: string;
  /** In this order; otherwise in any. */
  readonly ordered?: boolean;
  /** What the rows come to in the end, where they take the place of one another (D-32). */
  readonly final?: (rows: readonly CellValue[][]) => CellValue[][];
}

/** Streams, and operators side by side behind them. */
export interface OracleCase {
  readonly streams: readonly Stream[];
  readonly operators: readonly OperatorCase[];
  readonly settings: object;
  /** Of the lab's scheduler. */
  readonly seed: number;
}

const settings = fc.record({
  edgeCapacity: fc.integer({ min: 1, max: 4 }),
  barrierEveryMs: fc.constantFrom(0, 0, 0, 2),
  chaining: fc.boolean(),
});

export const parallelism = fc.constantFrom(1, 1, 2, 3, 4);

/** A few operators of one family over the same streams: what streams cost is shared. */
export function casesOf(
  streams: fc.Arbitrary<readonly Stream[]>,
  operator: (streams: readonly Stream[]) => fc.Arbitrary<OperatorCase>,
): fc.Arbitrary<OracleCase> {
  return streams.chain((given) =>
    fc
      .record({
        streams: fc.constant(given),
        operators: fc.array(operator(given), { minLength: 1, maxLength: 9, size: "max" }),
        settings,
        seed: fc.nat(),
      })
      .map((of) => ({ ...of, [fc.toStringMethod]: () => textOf(of) })),
  );
}

/** A case as a person reads it: the graph, and what DuckDB is asked. */
function textOf(of: OracleCase): string {
  const tables = of.streams.map(({ name, sql }) => `CREATE OR REPLACE TABLE ${name} AS ${sql};`);
  const queries = of.operators.flatMap(({ answers }) => Object.values(answers).map(({ sql }) => `${sql};`));
  return ["", JSON.stringify(documentOf(of)), ...tables, ...queries, ""].join("\n");
}

/** An edge that a keyed operator may be fed by. */
function edgeTo(from: GraphNode, node: GraphNode, keys: readonly OracleColumn[], port: string): GraphEdge {
  const to = { node: node.id, port };
  if (node.parallelism === 1) return { from: from.id, to, route: { kind: "forward" } };
  return { from: from.id, to, route: { kind: "shuffle", columns: keys.map(({ name }) => name) } };
}

/** Sinks by their ids, which `sinkOf` gives. */
export const sinkOf = (operator: number, port: string): string => `${port}_${operator}`;

interface Part {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

function partOf(streams: readonly Stream[], of: OperatorCase, o: number): Part {
  const { kind, parallelism: tasks, config, keys, answers, then } = of;
  const node = { id: `operator_${o}`, kind, parallelism: tasks, config };
  const sinks = Object.keys(answers).map((port) => ({
    port,
    node: { id: sinkOf(o, port), kind: "sink.table", parallelism: 1, config: { limit: 100_000 } },
  }));
  const into = Object.entries(keys).map(([port, columns], s) =>
    edgeTo((streams[s] ?? (streams[0] as Stream)).last, node, columns, port),
  );
  const behind = then === undefined ? undefined : { id: `behind_${o}`, ...then };
  const out = sinks.map(({ port, node: to }): GraphEdge => {
    const from = behind !== undefined && port === "out" ? { node: behind.id, port } : { node: node.id, port };
    return { from, to: to.id };
  });
  const nodes = [node, ...sinks.map((sink) => sink.node)];
  if (behind === undefined) return { nodes, edges: [...into, ...out] };
  return { nodes: [...nodes, behind], edges: [...into, edgeTo(node, behind, [], "in"), ...out] };
}

/** The graph of a case. */
export function documentOf({ streams, operators, settings: given }: OracleCase): object {
  const parts: Part[] = [...streams, ...operators.map((each, o) => partOf(streams, each, o))];
  return {
    format: "weir.graph/v1",
    name: "oracle",
    settings: given,
    nodes: parts.flatMap(({ nodes }) => nodes),
    edges: parts.flatMap(({ edges }) => edges).map((edge, e) => ({ id: `e${e}`, ...edge })),
  };
}

/** Floats without their last places, and zeros without sign. */
function cellText(value: CellValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return String(value);
  return Math.abs(value) < 1e-9 ? "0" : String(Number(value.toPrecision(9)));
}

/** Rows as lines that can be compared, sorted where their order says nothing. */
export function linesOf(rows: readonly CellValue[][], { ordered = false }: Answer): string[] {
  const lines = rows.map((row) => row.map(cellText).join(" | "));
  return ordered ? lines : lines.sort();
}

/** The last row of each key without its last cell, which tells whether it is the first of its key; `first` and `later` are how. */
export function lastOf(keyOf: (row: CellValue[]) => CellValue[], first: CellValue, later: CellValue) {
  return (rows: readonly CellValue[][]): CellValue[][] => {
    const last = new Map<string, CellValue[]>();
    for (const row of rows) {
      const key = keyOf(row).map(cellText).join(" | ");
      const said = row.at(-1) as CellValue;
      if (said !== (last.has(key) ? later : first)) throw new Error(`${String(said)} of ${key}`);
      last.set(key, row.slice(0, -1));
    }
    return [...last.values()];
  };
}
