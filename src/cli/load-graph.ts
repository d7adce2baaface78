import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type GraphDocument, type Plan, prepare } from "../engine/index.ts";
import { type NodeFiles, openFiles } from "../workers/node/files.ts";
import { Refusal, usageError } from "./arguments.ts";

/** A graph that can run. */
export interface LoadedGraph {
  readonly document: GraphDocument;
  readonly plan: Plan;
  /** What opens its files, here and in every worker. */
  readonly files: NodeFiles;
}

/** Operand that means standard input; paths in that document are relative to the current folder. */
const STDIN = "-";

/**
 * Reads, checks and plans a document.
 * @throws Refusal with every problem of it
 */
export async function loadGraph(path: string): Promise<LoadedGraph> {
  const text = await readText(path, "the graph");
  const folder = path === STDIN ? process.cwd() : dirname(resolve(path));
  const filesOf = (document: GraphDocument): NodeFiles => ({ folder, attached: document.data ?? {} });
  const prepared = await prepare(text, (document) => openFiles(filesOf(document)));
  if (prepared.kind === "problems") throw new Refusal(prepared.problems);
  return { ...prepared, files: filesOf(prepared.document) };
}

/**
 * The text of a file that the person named.
 * @throws Refusal when there is none, or it is not UTF-8
 */
export async function readText(path: string, what: string): Promise<string> {
  const bytes = path === STDIN ? await readStdin() : await readBytes(path, what);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal([usageError(`${what} ${JSON.stringify(path)} is not UTF-8 text`, "save it as UTF-8")]);
  }
}

async function readBytes(path: string, what: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Refusal([
      usageError(`${what} ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}`, "check the path"),
    ]);
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

const REASONS = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read"],
  ["ENOTDIR", "part of the path is not a folder"],
]);

/** An error of the file system in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? "") ?? message;
}
