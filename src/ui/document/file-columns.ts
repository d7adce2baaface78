import {
  CATALOG,
  type ColumnsAnswer,
  type ColumnsRequest,
  type Problem,
  serializeDocument,
} from "../../engine/index.ts";
import { type AnalysisStore, sameMeaning } from "./analysis.ts";
import { outsidePaths } from "./data-files.ts";
import type { DocumentStore } from "./document-store.ts";
import { emptyGraph, type GraphDocument, type GraphNode } from "./graph.ts";
import type { DocumentSession } from "./session.ts";

/** Columns of a source as its configuration writes them. */
export type Columns = ColumnsAnswer["columns"] extends ReadonlyMap<string, infer C> ? C : never;
type Reader = (request: ColumnsRequest) => Promise<ColumnsAnswer>;

interface Found {
  readonly columns: Columns | undefined;
  readonly problems: readonly Problem[];
}

const NOTHING: Found = { columns: undefined, problems: [] };

/**
 * Reads the columns of files whose sources leave them out, in the engine's worker, and hands them to the analysis. The document
 * itself is not changed: that is for the person to do.
 */
export class FileColumns {
  private readonly document: DocumentStore;
  private readonly session: DocumentSession;
  private readonly analysis: AnalysisStore;
  private readonly found = new Map<string, Found>();
  private readonly contents = new WeakMap<object, number>();
  private lastContent = 0;
  private read: Reader | undefined = undefined;
  private running: Promise<void> | undefined = undefined;
  private again = false;

  constructor(document: DocumentStore, session: DocumentSession, analysis: AnalysisStore) {
    this.document = document;
    this.session = session;
    this.analysis = analysis;
  }

  /** Without an engine no columns are read. */
  connect(read: Reader): void {
    if (this.read === undefined) {
      this.document.subscribe((state, before) => {
        if (state.id !== before.id || !sameMeaning(state.graph, before.graph)) this.follow();
      });
      this.session.store.subscribe((state, before) => {
        if (state.files !== before.files) this.follow();
      });
    }
    this.read = read;
    this.follow();
  }

  /** Resolves when everything that can be known about the open graph is known. */
  async settled(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  /** The columns of one file that is not in the document yet; undefined when they cannot be read. */
  async of(config: Record<string, unknown>, file: Blob): Promise<Columns | undefined> {
    const path = "file";
    const node: GraphNode = { id: "file", kind: "source.file", parallelism: 1, config: { ...config, path } };
    const document = serializeDocument({ ...emptyGraph(), nodes: [node] });
    try {
      const answer = await this.read?.({ document, files: new Map([[path, file]]) });
      return answer?.columns.get("file");
    } catch {
      return undefined;
    }
  }

  private follow(): void {
    this.again = true;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
    });
  }

  private async work(): Promise<void> {
    while (this.again) {
      this.again = false;
      const { graph } = this.document.getState();
      const wanted = graph.nodes.flatMap((node) => {
        const key = this.keyOf(node, graph);
        return key === undefined ? [] : [{ node, key }];
      });
      const missing = wanted.filter(({ key }) => !this.found.has(key));
      if (missing.length > 0) await this.ask(missing, graph);
      const known = wanted.map(({ node, key }) => ({ node, ...(this.found.get(key) ?? NOTHING) }));
      this.analysis.setFileColumns(
        new Map(known.flatMap(({ node, columns }) => (columns === undefined ? [] : [[node.id, columns] as const]))),
        known.flatMap(({ problems }) => problems),
      );
    }
  }

  private async ask(
    missing: readonly { readonly node: GraphNode; readonly key: string }[],
    graph: GraphDocument,
  ): Promise<void> {
    const nodes = missing.map(({ node }) => node);
    const answer = await this.answer({ ...graph, nodes, edges: [] });
    for (const { node, key } of missing) {
      const problems = answer?.problems.filter((problem) => problem.node === node.id) ?? [];
      this.found.set(key, { columns: answer?.columns.get(node.id), problems });
    }
  }

  private async answer(graph: GraphDocument): Promise<ColumnsAnswer | undefined> {
    const files = new Map<string, Blob>();
    for (const path of outsidePaths(graph)) {
      const blob = await this.session.file(path);
      if (blob !== undefined) files.set(path, blob);
    }
    try {
      return await this.read?.({ document: serializeDocument(graph), files });
    } catch {
      return undefined;
    }
  }

  /** Tells one reading of a file from another; undefined for a node of which nothing is to be read. */
  private keyOf({ id, kind, config }: GraphNode, graph: GraphDocument): string | undefined {
    const spec = CATALOG.get(kind);
    const parsed = spec?.guess === undefined ? undefined : spec.config.safeParse(config);
    const request = parsed?.success === true ? spec?.guess?.(parsed.data) : undefined;
    if (request === undefined) return undefined;
    const attached = Object.entries(graph.data ?? {}).find(([name]) => request.path === `attached:${name}`)?.[1];
    const content =
      attached === undefined
        ? [this.document.getState().id, this.session.store.getState().files.includes(request.path)]
        : this.contentId(attached);
    // Problems name the node, so what was found belongs to it.
    return JSON.stringify([id, request, content]);
  }

  private contentId(content: object): number {
    const known = this.contents.get(content) ?? ++this.lastContent;
    this.contents.set(content, known);
    return known;
  }
}
