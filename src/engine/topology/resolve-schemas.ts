import { toErrorData } from "../base/errors.ts";
import type { FileStore, ReadableFile } from "../base/files.ts";
import type { Schema } from "../data/schema.ts";
import { typeName } from "../data/types.ts";
import { CATALOG, type Catalog, type GuessRequest, type SchemaConfig } from "../operators/catalog.ts";
import type { GraphDocument, GraphNode } from "./graph-document.ts";
import type { Problem } from "./problem.ts";

/** Guesses the columns of a file from its beginning; gives the file back open. */
export type SchemaGuesser = (
  format: GuessRequest["format"],
  file: ReadableFile,
  options: GuessRequest["options"],
) => Promise<Schema>;

export interface ResolvedDocument {
  /** With the columns of every file that could be read in its node's config, as if a person had given them. */
  readonly document: GraphDocument;
  /** Files that could not; to hand to `validate` as `known`. */
  readonly problems: readonly Problem[];
}

/**
 * Stores the columns of files into the configs that leave them out, so that everything after it is a pure function of
 * the document. A config that is wrong is left alone: `validate` says why.
 *
 * @param files also answers `attached:NAME` for what the document carries
 */
export async function resolveSchemas(
  document: GraphDocument,
  files: Pick<FileStore, "open">,
  guess: SchemaGuesser,
  catalog: Catalog = CATALOG,
): Promise<ResolvedDocument> {
  const problems: Problem[] = [];
  const nodes: GraphNode[] = [];
  for (const node of document.nodes) {
    const request = requestOf(node, catalog);
    const schema = request && (await guessed(node, request, files, guess, problems));
    nodes.push(schema === undefined ? node : { ...node, config: { ...node.config, schema: schemaConfigOf(schema) } });
  }
  return { document: { ...document, nodes }, problems };
}

/** A schema as a config writes it; `schemaOf` is the way back. */
export function schemaConfigOf(schema: Schema): SchemaConfig {
  return schema.fields.map(({ name, type, nullable }) => ({ name, type: typeName(type), nullable }));
}

function requestOf(node: GraphNode, catalog: Catalog): GuessRequest | undefined {
  const spec = catalog.get(node.kind);
  if (spec?.guess === undefined) return undefined;
  const parsed = spec.config.safeParse(node.config);
  return parsed.success ? spec.guess(parsed.data) : undefined;
}

async function guessed(
  node: GraphNode,
  { format, path, options }: GuessRequest,
  files: Pick<FileStore, "open">,
  guess: SchemaGuesser,
  problems: Problem[],
): Promise<Schema | undefined> {
  let file: ReadableFile | undefined;
  try {
    file = await files.open(path);
    return await guess(format, file, options);
  } catch (error) {
    const data = toErrorData(error, { code: "file-unreadable", domain: "graph", node: node.id, field: "config.path" });
    problems.push({ ...data, domain: "graph", node: node.id, field: "config.path" });
    return undefined;
  } finally {
    await file?.close();
  }
}
