import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { closest, type ErrorData, type GraphDocument } from "../engine/index.ts";
import { type Arguments, Refusal, seconds, usageError } from "./arguments.ts";
import { openCheckpoints, type RunCheckpoints } from "./checkpoints.ts";
import { type LoadedGraph, loadGraph, reasonOf } from "./load-graph.ts";

/** A graph and what the person wants of its run. */
export interface Job {
  readonly graph: LoadedGraph;
  /** Sink whose rows go to standard output; undefined where the graph has no table. */
  readonly sink: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly reportPath: string | undefined;
  /** Where its checkpoints are kept, if they are. */
  readonly checkpoints: RunCheckpoints | undefined;
}

/**
 * Reads the graph and the options that every run has. Nothing is run or written yet.
 * @throws Refusal with every problem
 */
export async function readJob(args: Arguments): Promise<Job> {
  const timeoutSeconds = seconds(args, "timeout");
  const graph = await loadGraph(args.operand ?? "");
  return {
    graph,
    sink: chooseSink(graph.document, args.options.get("sink")),
    timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    reportPath: await writablePath(args, "report"),
    checkpoints: await openCheckpoints(args, graph),
  };
}

/**
 * The path of an option that names a file to write; looked at before the run, so that a slip of the pen does not cost it.
 * @throws Refusal when it is a folder, or the folder it is in is not there or may not be written to
 */
export async function writablePath({ options }: Arguments, name: string): Promise<string | undefined> {
  const path = options.get(name);
  if (path === undefined) return undefined;
  const reason = await whyNotWritable(resolve(path));
  if (reason === undefined) return path;
  const message = `--${name} ${JSON.stringify(path)} cannot be written: ${reason}`;
  throw new Refusal([usageError(message, "give a file in a folder that is there")]);
}

async function whyNotWritable(path: string): Promise<string | undefined> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) return "it is a folder";
  try {
    await access(there === undefined ? dirname(path) : path, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

const listOf = (nodes: GraphDocument["nodes"]): string => nodes.map(({ id }) => id).join(", ");

/**
 * The sink to print: the one asked for, else the only table. A log prints to standard error by itself.
 * @throws Refusal when several could be meant, or the one asked for shows no rows
 */
export function chooseSink({ nodes }: GraphDocument, asked: string | undefined): string | undefined {
  const tables = nodes.filter(({ kind }) => kind === "sink.table");
  if (asked !== undefined) {
    const shows = nodes.filter(({ kind }) => kind === "sink.table" || kind === "sink.log");
    if (shows.some(({ id }) => id === asked)) return asked;
    throw new Refusal([unknownSink(nodes, shows, asked)]);
  }
  if (tables.length <= 1) return tables[0]?.id;
  throw new Refusal([
    usageError(`the graph has ${tables.length} tables: ${listOf(tables)}`, "choose one with --sink ID"),
  ]);
}

function unknownSink(nodes: GraphDocument["nodes"], shows: GraphDocument["nodes"], asked: string): ErrorData {
  const node = nodes.find(({ id }) => id === asked);
  const message =
    node === undefined
      ? `--sink: there is no node ${JSON.stringify(asked)}`
      : `--sink: ${JSON.stringify(asked)} is ${node.kind}, which has no rows to print`;
  const near = closest(
    asked,
    shows.map(({ id }) => id),
  );
  if (near !== undefined) return usageError(message, `did you mean ${near}?`);
  return usageError(message, shows.length === 0 ? "the graph has no table" : `the tables are ${listOf(shows)}`);
}
