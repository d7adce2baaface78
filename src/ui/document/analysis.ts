import { createStore, type StoreApi } from "zustand/vanilla";
import { type Analysis, analyse, type ColumnsAnswer, type Problem, type Schema } from "../../engine/index.ts";
import type { DocumentStore } from "./document-store.ts";
import type { GraphDocument, GraphNode } from "./graph.ts";

type FileColumnsOf = ColumnsAnswer["columns"];

/** What the engine says about the open graph. */
export interface AnalysisState {
  readonly analysis: Analysis;
  readonly problemsOfNode: ReadonlyMap<string, readonly Problem[]>;
  readonly problemsOfEdge: ReadonlyMap<string, readonly Problem[]>;
  /** By source: columns that its file has and its configuration leaves out, as a configuration would write them. */
  readonly fileColumns: FileColumnsOf;
}

export interface AnalysisStore extends StoreApi<AnalysisState> {
  /** Problems that a run found; they stay until they are set anew. */
  setKnown(problems: readonly Problem[]): void;
  /** What reading the files of sources told. */
  setFileColumns(columns: FileColumnsOf, problems: readonly Problem[]): void;
}

/** Graphs above this size are analysed after a pause in editing, so that typing stays fluent. */
const LARGE = 200;
const PAUSE_MS = 120;

/** What is known beyond the document itself. */
interface Beyond {
  readonly run: readonly Problem[];
  readonly files: readonly Problem[];
  readonly columns: FileColumnsOf;
}

/** Follows the document. */
export function createAnalysisStore(document: DocumentStore): AnalysisStore {
  let beyond: Beyond = { run: [], files: [], columns: new Map() };
  const store = createStore<AnalysisState>(() => stateOf(document.getState().graph, beyond));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    clearTimeout(timer);
    store.setState(stateOf(document.getState().graph, beyond));
  };
  document.subscribe((state, before) => {
    if (sameMeaning(state.graph, before.graph)) return;
    clearTimeout(timer);
    if (state.graph.nodes.length <= LARGE || state.id !== before.id) run();
    else timer = setTimeout(run, PAUSE_MS);
  });
  return Object.assign(store, {
    setKnown: (problems: readonly Problem[]) => {
      if (problems.length === 0 && beyond.run.length === 0) return;
      beyond = { ...beyond, run: problems };
      run();
    },
    setFileColumns: (columns: FileColumnsOf, files: readonly Problem[]) => {
      if (columns.size + beyond.columns.size + files.length + beyond.files.length === 0) return;
      beyond = { ...beyond, files, columns };
      run();
    },
  });
}

function stateOf(graph: GraphDocument, { run, files, columns }: Beyond): AnalysisState {
  const there = new Set(graph.nodes.map((node) => node.id));
  const known = [...files, ...run].filter(({ node }) => node === undefined || there.has(node));
  const analysis = analyse(withFileColumns(graph, columns), { known: distinct(known) });
  const problems = distinct(analysis.problems);
  return {
    analysis: { ...analysis, problems },
    problemsOfNode: byKey(problems, (problem) => (problem.edge === undefined ? problem.node : undefined)),
    problemsOfEdge: byKey(problems, (problem) => problem.edge),
    fileColumns: columns,
  };
}

/** The graph as it will run: where a configuration leaves the columns out, with those of the file. */
function withFileColumns(graph: GraphDocument, columns: FileColumnsOf): GraphDocument {
  if (columns.size === 0) return graph;
  const nodes = graph.nodes.map((node) => {
    const schema = columns.get(node.id);
    return schema === undefined || node.config["schema"] !== undefined
      ? node
      : { ...node, config: { ...node.config, schema } };
  });
  return { ...graph, nodes };
}

/** What a run found may be what the analysis finds as well. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [
    ...new Map(
      problems.map((problem) => [
        JSON.stringify([problem.code, problem.node, problem.edge, problem.field, problem.message]),
        problem,
      ]),
    ).values(),
  ];
}

function byKey(problems: readonly Problem[], keyOf: (problem: Problem) => string | undefined): Map<string, Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = keyOf(problem);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return groups;
}

/** Whether two graphs differ at most in where things stand, what they are called and what is noted about them. */
export function sameMeaning(a: GraphDocument, b: GraphDocument): boolean {
  if (a === b) return true;
  return (
    a.edges === b.edges &&
    a.settings === b.settings &&
    a.data === b.data &&
    a.nodes.length === b.nodes.length &&
    a.nodes.every((node, index) => sameNode(node, b.nodes[index] as GraphNode))
  );
}

function sameNode(a: GraphNode, b: GraphNode): boolean {
  return a === b || (a.id === b.id && a.kind === b.kind && a.parallelism === b.parallelism && a.config === b.config);
}

export function outputSchema(analysis: Analysis, node: string, port: string): Schema | undefined {
  return analysis.schemas.get(node)?.outputs[port];
}

/** Columns that arrive at a port, as far as its edges tell. */
export function inputSchema(analysis: Analysis, node: string, port: string): Schema | undefined {
  const known = analysis.schemas.get(node)?.inputs[port];
  if (known !== undefined) return known;
  const link = analysis.links.find(({ to }) => to.info.node.id === node && to.port === port);
  return link && outputSchema(analysis, link.from.info.node.id, link.from.port);
}
