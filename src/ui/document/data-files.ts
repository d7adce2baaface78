import { CATALOG } from "../../engine/index.ts";
import type { AttachedFile, GraphDocument, GraphNode } from "./graph.ts";

/** Files up to this size travel inside the document; larger ones are kept beside it in this browser. */
export const ATTACH_LIMIT = 256 * 1024;

export type DataFormat = "csv" | "ndjson" | "arrow" | "parquet";

const FORMATS: readonly { readonly format: DataFormat; readonly endings: readonly string[] }[] = [
  { format: "csv", endings: [".csv", ".tsv", ".txt"] },
  { format: "ndjson", endings: [".ndjson", ".jsonl"] },
  { format: "arrow", endings: [".arrow", ".arrows", ".feather", ".ipc"] },
  { format: "parquet", endings: [".parquet", ".pq"] },
];

/** What a file chooser offers. */
export const DATA_ENDINGS: readonly string[] = FORMATS.flatMap(({ endings }) => endings);

/** Files of modules for `compute`. */
export const MODULE_ENDINGS: readonly string[] = [".wasm"];

export function formatOf(name: string): DataFormat | undefined {
  const lower = name.toLowerCase();
  return FORMATS.find(({ endings }) => endings.some((ending) => lower.endsWith(ending)))?.format;
}

const ATTACHED = "attached:";

/** How a configuration names an attached file. */
export const attachedPath = (name: string): string => ATTACHED + name;

export async function attachedFile(blob: Blob, format: DataFormat | "module"): Promise<AttachedFile> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const text = format === "csv" || format === "ndjson" ? exactText(bytes) : undefined;
  return text === undefined ? { encoding: "base64", content: toBase64(bytes) } : { encoding: "text", content: text };
}

/** The bytes as text, where the text says all of them. */
function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** `orders.csv`, `orders-2.csv` …: the first that is not taken. */
export function freeFileName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot < 1 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}${ending}`)) return `${stem}-${n}${ending}`;
}

/** The file that a node reads: the data of a source, the module of a step. */
export function fileOf({ kind, config }: GraphNode): string | undefined {
  const path =
    kind === "compute" ? config["module"] : CATALOG.get(kind)?.role === "source" ? config["path"] : undefined;
  return typeof path === "string" && path !== "" ? path : undefined;
}

/** Paths of the files that the graph's nodes read and that it does not carry itself. */
export function outsidePaths(graph: GraphDocument): string[] {
  const paths = graph.nodes.flatMap((node) => {
    const path = fileOf(node);
    return path === undefined || path.startsWith(ATTACHED) ? [] : [path];
  });
  return [...new Set(paths)];
}
