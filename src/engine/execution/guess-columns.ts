import type { FileStore } from "../base/files.ts";
import { guessSchema } from "../formats/guess.ts";
import type { SchemaConfig } from "../operators/catalog.ts";
import type { GraphDocument } from "../topology/graph-document.ts";
import { parseDocument } from "../topology/parse-document.ts";
import { resolveSchemas } from "../topology/resolve-schemas.ts";
import type { ColumnsAnswer } from "./engine-api.ts";

/**
 * The columns of the files that a document's sources read and whose columns it leaves out: what a page shows before a run stores
 * them. A document that cannot be read has none.
 */
export async function guessColumns(
  text: string,
  files: (document: GraphDocument) => FileStore,
): Promise<ColumnsAnswer> {
  const parsed = parseDocument(text);
  if (parsed.kind === "problems") return { columns: new Map(), problems: parsed.problems };
  const { document, problems } = await resolveSchemas(parsed.document, files(parsed.document), guessSchema);
  const columns = new Map<string, SchemaConfig>();
  document.nodes.forEach((node, index) => {
    if (node !== parsed.document.nodes[index]) columns.set(node.id, node.config["schema"] as SchemaConfig);
  });
  return { columns, problems };
}
