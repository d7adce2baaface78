import { recall, remember } from "../shared/remembered.ts";
import { attachedPath, fileOf } from "./data-files.ts";
import type { AttachedFile, GraphDocument } from "./graph.ts";

/** A module of WebAssembly that steps of a graph would run. */
export interface ForeignModule {
  /** As the nodes name it. */
  readonly path: string;
  /** Ids of the nodes. */
  readonly nodes: readonly string[];
  readonly bytes: number;
  /** Of what it holds, in hexadecimal; undefined where the page has no secure context and cannot know. */
  readonly sha256: string | undefined;
}

const TRUSTED = "trusted-modules";
const KEPT = 500;

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/**
 * The modules of a graph that the person has not agreed to run. Whoever sends a link or a file can put code into it, so what a module
 * holds is agreed to, once in this browser, and not the graph in which it came.
 */
export async function unknownModules(
  graph: GraphDocument,
  files: ReadonlyMap<string, Blob>,
): Promise<readonly ForeignModule[]> {
  const nodes = new Map<string, string[]>();
  for (const node of graph.nodes) {
    const path = node.kind === "compute" ? fileOf(node) : undefined;
    if (path !== undefined) nodes.set(path, [...(nodes.get(path) ?? []), node.id]);
  }
  const known = new Set(recall(TRUSTED, [], isList));
  const found: ForeignModule[] = [];
  for (const [path, ids] of nodes) {
    const content = files.get(path) ?? attachedBlob(path, graph.data ?? {});
    // One that is not there is told of by the start.
    if (content === undefined) continue;
    const sha256 = await hashOf(content);
    if (sha256 === undefined || !known.has(sha256)) found.push({ path, nodes: ids, bytes: content.size, sha256 });
  }
  return found;
}

/** The person agrees to run them, now and later. */
export function trustModules(modules: readonly Pick<ForeignModule, "sha256">[]): void {
  const fresh = modules.flatMap(({ sha256 }) => sha256 ?? []);
  remember(TRUSTED, [...new Set([...recall(TRUSTED, [], isList), ...fresh])].slice(-KEPT));
}

/** The person chose the file, or it came with this page. */
export async function trustFile(file: Blob): Promise<void> {
  trustModules([{ sha256: await hashOf(file) }]);
}

function attachedBlob(path: string, data: Readonly<Record<string, AttachedFile>>): Blob | undefined {
  const file = Object.entries(data).find(([name]) => attachedPath(name) === path)?.[1];
  if (file === undefined) return undefined;
  if (file.encoding === "text") return new Blob([file.content]);
  try {
    return new Blob([Uint8Array.from(atob(file.content.replaceAll(/\s+/g, "")), (c) => c.charCodeAt(0))]);
  } catch {
    // No base64: it cannot be read, and so not be run.
    return undefined;
  }
}

async function hashOf(file: Blob): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
