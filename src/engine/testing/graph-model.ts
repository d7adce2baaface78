import type { GraphDocument } from "../topology/graph-document.ts";

/** A row of a random graph as text, column by column: what is compared. */
type Row = readonly (string | null)[];

/**
 * What a random graph must put out, worked out without any engine: the rows of every node as a multiset, in topological order.
 * Answers the rows of each sink as sorted JSON lines.
 */
export function modelRows(document: GraphDocument): Map<string, string[]> {
  const rows = new Map<string, Row[]>();
  const sinks = new Map<string, string[]>();
  // The generator writes nodes behind what feeds them.
  for (const node of document.nodes) {
    const input = document.edges
      .filter((edge) => edge.to.node === node.id)
      .flatMap((edge) => {
        const sent = rows.get(edge.from.node) ?? [];
        return edge.route?.kind === "broadcast" ? Array.from({ length: node.parallelism }, () => sent).flat() : sent;
      });
    if (node.kind === "source.rows") rows.set(node.id, sourceRows(node.config["rows"]));
    else if (node.kind === "count") rows.set(node.id, countByKey(input));
    else if (node.kind === "sink.table") sinks.set(node.id, input.map((row) => JSON.stringify(row)).sort());
    else rows.set(node.id, input);
  }
  return sinks;
}

function sourceRows(rows: unknown): Row[] {
  return (rows as unknown[][]).map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

function countByKey(rows: readonly Row[]): Row[] {
  const counts = new Map<string | null, number>();
  for (const row of rows) {
    const key = row[1] as string | null;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => [key, String(count)]);
}
