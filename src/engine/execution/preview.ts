import type { FileStore } from "../base/files.ts";
import { nodeId } from "../base/ids.ts";
import { documentBefore, type GraphPlace } from "../topology/document-before.ts";
import type { GraphDocument } from "../topology/graph-document.ts";
import { parseDocument, serializeDocument } from "../topology/parse-document.ts";
import type { PreviewAnswer } from "./engine-api.ts";
import { Lab } from "./lab/lab.ts";
import { RoundRobinScheduler } from "./lab/scheduler.ts";
import { packBatch } from "./pack-batch.ts";
import { prepare } from "./prepare.ts";

/** Moves that a preview makes at most: a filter that keeps nothing of an endless source never has enough rows. */
const MOST_MOVES = 2000;

/**
 * The first rows at a place of the graph, made by the code that a run uses: what lies before it, before a table, in the lab. It stops
 * as soon as there are enough rows.
 */
export async function preview(
  text: string,
  files: (document: GraphDocument) => FileStore,
  place: GraphPlace,
  rows: number,
): Promise<PreviewAnswer> {
  const parsed = parseDocument(text);
  if (parsed.kind === "problems") return { kind: "refused", problems: parsed.problems };
  const before = documentBefore(parsed.document, place);
  if (before === undefined) return { kind: "refused", problems: [] };
  const prepared = await prepare(serializeDocument(before.document), files);
  if (prepared.kind === "problems") return { kind: "refused", problems: prepared.problems };
  const lab = await Lab.create(prepared.plan, {
    seed: 0,
    files: files(prepared.document),
    scheduler: new RoundRobinScheduler(),
  });
  const table = nodeId(before.table);
  const shown = () => lab.rows(table).reduce((sum, batch) => sum + batch.rowCount, 0);
  let moves = 0;
  const outcome = await lab.run(() => ++moves > MOST_MOVES || shown() >= rows);
  const { error } = outcome ?? {};
  if (error !== undefined && shown() === 0) return { kind: "refused", problems: [error] };
  const notes = error === undefined ? lab.notes : [...lab.notes, error];
  return { kind: "rows", batches: lab.rows(table).map(packBatch), notes };
}
