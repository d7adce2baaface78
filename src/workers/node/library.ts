import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  Graph as CheckedGraph,
  Lab as EngineLab,
  errorText,
  type GraphDocument,
  type GraphDocumentInput,
  GraphError,
  type LabOptions,
  type RunOptions,
  ThreadsExecutor,
  type ThreadsRun,
} from "../../engine/index.ts";
import { openFiles } from "./files.ts";
import { interrupter } from "./interrupter.ts";
import { cores, spawnHost } from "./spawn-host.ts";

/** The library in Node: `import { Graph, runThreads, openLab } from "weir"`, beside everything of the engine's own door. */
export * from "../../engine/index.ts";

/** A graph together with the folder that its relative paths start from. */
export class Graph {
  readonly document: GraphDocument;
  readonly plan: CheckedGraph["plan"];
  readonly folder: string;

  private constructor(checked: CheckedGraph, folder: string) {
    this.document = checked.document;
    this.plan = checked.plan;
    this.folder = folder;
  }

  /** Reads a document from a file. @throws GraphError naming every problem at once, or that the file cannot be read */
  static async open(path: string): Promise<Graph> {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      const message = `the graph ${JSON.stringify(path)} cannot be read: ${errorText(error)}`;
      throw new GraphError([{ code: "unreadable-graph", domain: "graph", message, hint: "check the path" }]);
    });
    return Graph.from(text, dirname(resolve(path)));
  }

  /** A document as text or as a value. @throws GraphError naming every problem at once */
  static async from(source: string | GraphDocumentInput, folder = "."): Promise<Graph> {
    return new Graph(await CheckedGraph.load(source, (document) => openFiles(filesOf(document, folder))), folder);
  }
}

/** Rings are kept from run to run, so all runs of a process share one executor. */
const executor = new ThreadsExecutor({ spawn: spawnHost, cores: cores() });

/** Runs a graph on worker threads. */
export function runThreads(graph: Graph, options: Omit<RunOptions, "files"> = {}): ThreadsRun {
  return executor.start(graph.plan, { ...options, files: filesOf(graph.document, graph.folder) });
}

/** A graph in the lab, before its first move. */
export function openLab(graph: Graph, options: Omit<LabOptions, "files">): Promise<EngineLab> {
  const files = openFiles(filesOf(graph.document, graph.folder));
  return EngineLab.create(graph.plan, { interrupter, ...options, files });
}

function filesOf(document: GraphDocument, folder: string) {
  return { folder, attached: document.data ?? {} };
}
