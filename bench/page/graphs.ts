/** Graphs to measure the page with. */

const COLUMNS = 5;
const PACE = { rowsPerSecond: 40, batchRows: 5, rows: 0 };

/** Ten lines of a paced source, three steps and a sink: 50 nodes, four tasks each, 200 in all. */
export function fiftyNodes(): object {
  const lines = Array.from({ length: 10 }, (_, line) => line);
  const nodes = lines.flatMap((line) =>
    Array.from({ length: COLUMNS }, (_, column) => ({
      id: `n${line}-${column}`,
      parallelism: 4,
      ...step(column, line),
      ui: { x: column * 300, y: line * 190 },
    })),
  );
  const edges = lines.flatMap((line) =>
    Array.from({ length: COLUMNS - 1 }, (_, column) => ({
      id: `e${line}-${column}`,
      from: `n${line}-${column}`,
      to: `n${line}-${column + 1}`,
      ...(column === 1 && { route: { kind: "shuffle", columns: ["key"] } }),
    })),
  );
  const settings = { barrierEveryMs: 1000, chaining: false, hosts: 2, edgeCapacity: 4 };
  return { format: "weir.graph/v1", name: "fifty nodes", settings, nodes, edges };
}

function step(column: number, line: number): object {
  switch (column) {
    case 0:
      return {
        kind: "source.generator",
        config: {
          ...PACE,
          seed: line,
          fields: [
            { name: "at", kind: "timestamp", stepMs: 25 },
            { name: "key", kind: "zipf", values: 100 },
          ],
          time: { column: "at" },
        },
      };
    case COLUMNS - 1:
      return { kind: "sink.blackhole", config: {} };
    default:
      return { kind: "filter", config: { expression: `key >= ${column - 1}` } };
  }
}

/** A thousand nodes in one long line, folded into rows. */
export function thousandNodes(): object {
  const count = 1000;
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    ...(index === 0
      ? { kind: "source.generator", config: { fields: [{ name: "n", kind: "sequence" }] } }
      : index === count - 1
        ? { kind: "sink.blackhole", config: {} }
        : { kind: "union", config: {} }),
    ui: { x: (index % 25) * 300, y: Math.floor(index / 25) * 160 },
  }));
  const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, from: `n${index}`, to: id }));
  return { format: "weir.graph/v1", name: "a thousand nodes", nodes, edges };
}

export const GRID = { rows: 100_000, columns: 50 };

/** A table of 100,000 rows and 50 columns. */
export function wideTable(): object {
  const fields = Array.from({ length: GRID.columns }, (_, index) => {
    const name = `c${index}`;
    switch (index % 5) {
      case 0:
        return { name, kind: "sequence" };
      case 1:
        return { name, kind: "normal", mean: 100, stddev: 20 };
      case 2:
        return { name, kind: "timestamp", stepMs: 7 };
      case 3:
        return { name, kind: "zipf", values: 500, prefix: "word-" };
      default:
        return { name, kind: "choice", values: [true, false], nullFraction: 0.1 };
    }
  });
  return {
    format: "weir.graph/v1",
    name: "a wide table",
    nodes: [
      {
        id: "rows",
        kind: "source.generator",
        config: { rows: GRID.rows, batchRows: 4096, fields },
        ui: { x: 0, y: 0 },
      },
      { id: "table", kind: "sink.table", config: { limit: GRID.rows }, ui: { x: 320, y: 0 } },
    ],
    edges: [{ id: "e", from: "rows", to: "table" }],
  };
}
