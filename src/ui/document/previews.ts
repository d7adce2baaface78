import {
  documentBefore,
  type GraphPlace,
  type PreviewAnswer,
  type PreviewRequest,
  serializeDocument,
} from "../../engine/index.ts";
import { outsidePaths } from "./data-files.ts";
import type { DocumentStore } from "./document-store.ts";
import { unknownModules } from "./foreign-modules.ts";
import type { GraphDocument } from "./graph.ts";
import type { DocumentSession } from "./session.ts";

/** Rows at a place, or why there are none. */
export type Preview =
  | PreviewAnswer
  /** A step before the place runs code that the person has not agreed to. */
  | { readonly kind: "foreign-code" };

/** Whether the same rows come of two graphs: what things are called, where they stand and how they run makes no difference. */
export function sameRows(a: GraphDocument, b: GraphDocument): boolean {
  return (
    a.data === b.data &&
    a.nodes.length === b.nodes.length &&
    a.edges.length === b.edges.length &&
    a.nodes.every(({ id, kind, config }, index) => {
      const other = b.nodes[index];
      return id === other?.id && kind === other.kind && config === other.config;
    }) &&
    a.edges.every(({ from, to }, index) => {
      const other = b.edges[index];
      const ports = [from.node, from.port, to.node, to.port];
      return ports.join() === [other?.from.node, other?.from.port, other?.to.node, other?.to.port].join();
    })
  );
}

/** First rows at places of the open graph, made in the engine's worker. */
export class Previews {
  private readonly document: DocumentStore;
  private readonly session: DocumentSession;
  private read: ((request: PreviewRequest) => Promise<PreviewAnswer>) | undefined = undefined;

  constructor(document: DocumentStore, session: DocumentSession) {
    this.document = document;
    this.session = session;
  }

  connect(read: (request: PreviewRequest) => Promise<PreviewAnswer>): void {
    this.read = read;
  }

  /** What the rows at a place are made of; undefined where nothing is. */
  before(place: GraphPlace): GraphDocument | undefined {
    return documentBefore(this.document.getState().graph, place)?.document;
  }

  /** Without an engine, and where nothing lies before the place, there is nothing to show. Never rejects. */
  async of(place: GraphPlace, rows: number): Promise<Preview> {
    const nothing: Preview = { kind: "refused", problems: [] };
    const before = this.before(place);
    if (this.read === undefined || before === undefined) return nothing;
    const files = await this.files(before);
    if ((await unknownModules(before, files)).length > 0) return { kind: "foreign-code" };
    return this.read({ document: serializeDocument(this.document.getState().graph), files, place, rows });
  }

  private async files(graph: GraphDocument): Promise<Map<string, Blob>> {
    const files = new Map<string, Blob>();
    for (const path of outsidePaths(graph)) {
      const blob = await this.session.file(path);
      if (blob !== undefined) files.set(path, blob);
    }
    return files;
  }
}
