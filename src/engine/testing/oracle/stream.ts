import fc from "fast-check";
import { encodeKeys } from "../../data/key-encoding.ts";
import { batch, schema } from "../stage-kit.ts";
import { duckCast, type OracleColumn, type Value } from "./columns.ts";

export type GraphNode = {
  readonly id: string;
  readonly kind: string;
  readonly parallelism: number;
  readonly config: object;
};
export type GraphEdge = { readonly from: unknown; readonly to: unknown; readonly route?: object };

/** A random stream: the nodes that send it, and the same rows as a table of DuckDB. */
export interface Stream {
  readonly name: string;
  readonly columns: readonly OracleColumn[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Node and parallelism that the rows come out of. */
  readonly last: GraphNode;
  /**
   * The query whose rows are those of the stream: n, moment (the time column as it stands), ts (event time in ms, NULL where there is none), wm (the watermark
   * before the row, NULL: none), bytes (the row as D-27 compares it), and the columns.
   */
  readonly sql: string;
}

export interface StreamOptions {
  readonly name?: string;
  readonly columns: readonly OracleColumn[];
  /** Rows may come behind the watermark; then one task sends them, so that each row's watermark is known. */
  readonly late?: boolean;
  /** Rows may come so much behind the watermark all the same. */
  readonly slackMs?: number;
  /** Where its times are about; without it anywhere. */
  readonly baseMs?: number;
  /** Alone it may go idle; of two, the other would take time past its rows. */
  readonly alone?: boolean;
  /** Without event time where false. */
  readonly timed?: boolean;
  readonly maxRows?: number;
}

/** How the time column is written, and how many of its units are a millisecond. */
const CLOCKS = [
  { type: "timestamp[ms]", unit: "ms", perMs: 1 },
  { type: "timestamp[us]", unit: "ms", perMs: 1000 },
  { type: "int64", unit: "us", perMs: 1000 },
  { type: "int64", unit: "ms", perMs: 1 },
] as const;

type Clock = (typeof CLOCKS)[number];

interface Drawn {
  /** Where in what its disorder allows the row's time is, in thousandths; undefined: NULL. */
  readonly place: number | null;
  readonly rest: number;
  readonly values: readonly Value[];
  /** Ends a batch; then perhaps a watermark, so far behind what would be the greatest. */
  readonly cut: boolean;
  readonly lag: number | null;
  readonly silent: boolean;
}

interface Sent extends Drawn {
  readonly at: string | null;
  readonly ms: number | null;
  readonly watermark: number | null;
  readonly said: number | null;
}

interface Shape {
  readonly clock: Clock;
  readonly base: number;
  readonly disorder: number;
  readonly step: number;
  readonly script: boolean;
  readonly batchRows: number;
  readonly partitions: number;
  readonly parallelism: number;
  readonly condition: string | null;
}

const conditionOn = ({ name, type, is }: OracleColumn): string => {
  if (type === "boolean") return name;
  if (type === "utf8") return `${name} LIKE 'a%' OR ${name} IS NULL`;
  return is === "number" || is === "decimal" ? `${name} >= 0` : `${name} IS NOT NULL`;
};

/** Times at the epoch, before it, and of our days. */
export const BASES: readonly number[] = [0, -37, 1_700_000_000_000, -1_700_000_000_003];

const shapeOf = ({ columns, late = false, timed = true, baseMs }: StreamOptions): fc.Arbitrary<Shape> =>
  fc.record({
    clock: fc.constantFrom(...CLOCKS),
    base: baseMs === undefined ? fc.constantFrom(...BASES) : fc.constant(baseMs),
    disorder: fc.integer({ min: 0, max: 30 }),
    step: fc.integer({ min: 1, max: 25 }),
    script: late ? fc.constant(true) : timed ? fc.boolean() : fc.constant(false),
    batchRows: fc.constantFrom(1, 3, 1000, 2, 7),
    partitions: fc.integer({ min: 1, max: 4 }),
    parallelism: fc.integer({ min: 1, max: 3 }),
    condition: fc.option(fc.constantFrom(...columns.map(conditionOn)), { freq: 3 }).map((each) => each ?? null),
  });

/** A random stream of some columns. */
export function streamOf(options: StreamOptions): fc.Arbitrary<Stream> {
  const { columns, maxRows = 14, alone = true } = options;
  const row: fc.Arbitrary<Drawn> = fc.record({
    place: fc.option(fc.nat(1000), { freq: 15 }),
    rest: fc.nat(999),
    values: fc.tuple(...columns.map(({ values }) => values)),
    cut: fc.boolean(),
    lag: fc.option(fc.nat(20)),
    silent: fc.nat(9).map((n) => alone && n === 0),
  });
  return fc
    .tuple(shapeOf(options), fc.array(row, { maxLength: maxRows, size: "max" }))
    .map(([shape, rows]) => made(options, shape, sent(options, shape, rows)));
}

/** Times of the rows, never further behind the greatest before them than the disorder; what a script says in between. */
function sent({ late = false, slackMs = 0 }: StreamOptions, shape: Shape, rows: readonly Drawn[]): Sent[] {
  const { base, disorder, step, clock } = shape;
  let greatest = base;
  let watermark: number | null = null;
  let batchMark: number | null = null;
  return rows.map((row): Sent => {
    const ms = row.place === null ? null : greatest - disorder + Math.floor((row.place * (disorder + step)) / 1000);
    greatest = Math.max(greatest, ms ?? greatest);
    const at = ms === null ? null : String(BigInt(ms) * BigInt(clock.perMs) + BigInt(row.rest % clock.perMs));
    const before = batchMark;
    let said: number | null = null;
    if (row.cut) {
      if (row.lag !== null) {
        said = Math.max(watermark ?? Number.NEGATIVE_INFINITY, greatest - (late ? 0 : disorder - slackMs) - row.lag);
        watermark = said;
      }
      batchMark = watermark;
    }
    return { ...row, at, ms, watermark: before, said };
  });
}

function made(options: StreamOptions, shape: Shape, rows: readonly Sent[]): Stream {
  const { name = "input", columns, timed = true, slackMs = 0 } = options;
  const { clock, condition } = shape;
  const fields = [
    { name: "moment", type: clock.type },
    ...columns.map((each) => ({ name: each.name, type: each.type })),
  ];
  const time = timed ? { time: { column: "moment", unit: clock.unit } } : {};
  const cells = rows.map(({ at, values }) => [at, ...values]);
  const source: GraphNode = shape.script
    ? { id: name, kind: "source.script", parallelism: 1, config: { schema: fields, steps: stepsOf(rows), ...time } }
    : {
        id: name,
        kind: "source.rows",
        parallelism: Math.min(shape.parallelism, shape.partitions),
        config: {
          schema: fields,
          rows: cells,
          batchRows: shape.batchRows,
          partitions: shape.partitions,
          ...(timed
            ? {
                time: {
                  ...time.time,
                  watermark: { kind: "bounded", delayMs: Math.max(0, shape.disorder - slackMs) },
                },
              }
            : {}),
        },
      };
  const filter = {
    id: `${name}_filter`,
    kind: "filter",
    parallelism: source.parallelism,
    config: { expression: condition },
  };
  return {
    name,
    columns,
    nodes: condition === null ? [source] : [source, filter],
    edges: condition === null ? [] : [{ from: name, to: filter.id, route: { kind: "forward" } }],
    last: condition === null ? source : filter,
    sql: sqlOf(fields, columns, rows, timed ? clock : undefined, condition),
  };
}

/** Batches, watermarks, silence and empty batches, as they were drawn. */
function stepsOf(rows: readonly Sent[]): object[] {
  const steps: object[] = [];
  let open: unknown[] = [];
  for (const { at, values, cut, said, silent } of rows) {
    open.push([at, ...values]);
    if (!cut) continue;
    steps.push({ rows: open });
    open = [];
    if (said !== null) steps.push({ watermark: said });
    if (silent) steps.push({ rows: [] }, { idle: true }, { wait: 5 });
  }
  // A script without any watermark has no event time (D-6).
  return [...steps, { rows: open }, ...(rows.some(({ said }) => said !== null) ? [] : [{ watermark: -2e12 }])];
}

const literal = (value: Value | number): string =>
  value === null ? "NULL" : `'${String(value).replaceAll("'", "''")}'`;

function sqlOf(
  fields: readonly { name: string; type: string }[],
  columns: readonly OracleColumn[],
  rows: readonly Sent[],
  clock: Clock | undefined,
  condition: string | null,
): string {
  const bytes = bytesOf(fields, rows);
  const lines = rows.map(
    ({ at, watermark, values }, n) => `(${[n, at, watermark, bytes[n] as string, ...values].map(literal).join(", ")})`,
  );
  const names = ["n", "moment", "wm", "bytes", ...columns.map((each) => each.name)];
  // A list of values has at least one row.
  const values = lines.length > 0 ? lines.join(", ") : `(${names.map(() => "NULL").join(", ")})`;
  const ts = clock === undefined ? "NULL::BIGINT" : `CAST(floor(CAST(moment AS BIGINT) / ${clock.perMs}) AS BIGINT)`;
  const casts = [
    "n::INTEGER AS n",
    "moment::BIGINT AS moment",
    `${ts} AS ts`,
    "wm::BIGINT AS wm",
    "bytes::VARCHAR AS bytes",
  ];
  const all = `SELECT ${[...casts, ...columns.map(duckCast)].join(", ")} FROM (VALUES ${values}) given(${names.join(", ")})`;
  return `SELECT * FROM (${all}) WHERE n IS NOT NULL${condition === null ? "" : ` AND (${condition})`}`;
}

/** Encoded rows in hexadecimal, which sorts as the bytes do. */
function bytesOf(fields: readonly { name: string; type: string }[], rows: readonly Sent[]): string[] {
  const of = schema(fields.map(({ name, type }) => `${name} ${type}`).join(", "));
  const { columns } = batch(
    of,
    rows.map(({ at, values }) => [at, ...values]),
  );
  const { offsets, bytes } = encodeKeys(columns, rows.length);
  return rows.map((_, n) =>
    Array.from(bytes.subarray(offsets[n], offsets[n + 1]), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  );
}
