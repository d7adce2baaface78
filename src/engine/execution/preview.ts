import type { FileStore } from "../base/files.ts";
import { nodeId } from "../base/ids.ts";
import type { GraphDocument, GraphNode } from "../topology/graph-document.ts";
import { parseDocument, serializeDocument } from "../topology/parse-document.ts";
import type { PreviewAnswer } from "./engine-api.ts";
import { Lab } from "./lab/lab.ts";
import { RoundRobinScheduler } from "./lab/scheduler.ts";
import { packBatch } from "./pack-batch.ts";
import { prepare } from "./prepare.ts";

const SINK = "preview";

/**
 * The first rows of a source, read by the code that a run uses: the source alone, before a table, in the lab. It stops as soon as
 * there are enough rows.
 */
export async function preview(
  text: string,
  files: (document: GraphDocument) => FileStore,
  node: string,
  rows: number,
): Promise<PreviewAnswer> {
  const parsed = parseDocument(text);
  if (parsed.kind === "problems") return { kind: "refused", problems: parsed.problems };
  const source = parsed.document.nodes.find((candidate) => candidate.id === node);
  if (source === undefined) return { kind: "refused", problems: [] };
  const prepared = await prepare(serializeDocument(alone(parsed.document, source)), files);
  if (prepared.kind === "problems") return { kind: "refused", problems: prepared.problems };
  const lab = await Lab.create(prepared.plan, {
    seed: 0,
    files: files(prepared.document),
    scheduler: new RoundRobinScheduler(),
  });
  const shown = () => lab.rows(nodeId(SINK)).reduce((sum, batch) => sum + batch.rowCount, 0);
  const outcome = await lab.run(() => shown() >= rows);
  const { error } = outcome ?? {};
  if (error !== undefined && shown() === 0) return { kind: "refused", problems: [error] };
  const notes = error === undefined ? lab.notes : [...lab.notes, error];
  return { kind: "rows", batches: lab.rows(nodeId(SINK)).map(packBatch), notes };
}

/** A document of the source alone, at parallelism 1, before a table that shows rows at once. */
function alone(document: GraphDocument, source: GraphNode): GraphDocument {
  return {
    ...document,
    annotations: undefined,
    settings: { ...document.settings, barrierEveryMs: 0 },
    nodes: [
      { ...source, parallelism: 1 },
      { id: SINK, kind: "sink.table", parallelism: 1, config: { delivery: "at-least-once" } },
    ],
    edges: [{ id: SINK, from: { node: source.id, port: "out" }, to: { node: SINK }, route: { kind: "forward" } }],
  };
}
