import { serializeDocument } from "../../engine/index.ts";
import type { GraphDocument } from "./graph.ts";
import type { Library, SaveResult } from "./library.ts";

export type SaveState =
  | { readonly kind: "saved" }
  /** Changed, about to be saved. */
  | { readonly kind: "pending" }
  | { readonly kind: "failed"; readonly message: string }
  /** Nothing is kept: the browser has no storage for this page. */
  | { readonly kind: "off" };

export interface AutosaveHooks {
  readonly onState: (state: SaveState) => void;
  /** Somebody else saved the document meanwhile: what is here has to be kept under another id. */
  readonly onConflict: (graph: GraphDocument) => void;
  readonly now: () => number;
  /** Calls back after a short while; returns how to call that off. */
  readonly later: (run: () => void) => () => void;
}

/** Saves one document a little after each change, and one save at a time. */
export class Autosave {
  private readonly library: Library;
  private readonly id: string;
  private readonly hooks: AutosaveHooks;
  private revision: number;
  private unsaved: GraphDocument | undefined;
  private cancelTimer: (() => void) | undefined;
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(library: Library, id: string, revision: number, hooks: AutosaveHooks) {
    this.library = library;
    this.id = id;
    this.revision = revision;
    this.hooks = hooks;
  }

  change(graph: GraphDocument): void {
    if (this.closed) return;
    this.unsaved = graph;
    this.hooks.onState({ kind: "pending" });
    this.cancelTimer ??= this.hooks.later(() => {
      this.cancelTimer = undefined;
      void this.flush();
    });
  }

  /** What was changed and is not in the library yet, and the saves that it can follow on: a save under way may come through. */
  pending(): { readonly graph: GraphDocument; readonly follows: readonly number[] } | undefined {
    if (this.unsaved === undefined) return undefined;
    const follows = this.running === undefined ? [this.revision] : [this.revision, this.revision + 1];
    return { graph: this.unsaved, follows };
  }

  /** Resolves when everything up to now is in the library, or could not be put there. */
  async flush(): Promise<void> {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    while (this.running !== undefined) await this.running;
    if (this.unsaved === undefined || this.closed) return;
    this.running = this.save(this.unsaved).finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  /** Ends saving; what is pending is dropped, unless it was flushed before. */
  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private async save(graph: GraphDocument): Promise<void> {
    let result: SaveResult;
    try {
      result = await this.library.save(entryOf(this.id, graph, this.hooks.now()), this.revision);
    } catch (error) {
      this.hooks.onState({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (result.kind === "conflict") {
      this.closed = true;
      this.hooks.onConflict(this.unsaved ?? graph);
      return;
    }
    this.revision = result.revision;
    if (this.unsaved !== graph) return;
    this.unsaved = undefined;
    this.hooks.onState({ kind: "saved" });
  }
}

export function entryOf(id: string, graph: GraphDocument, modified: number) {
  return { id, name: graph.name, nodes: graph.nodes.length, modified, text: serializeDocument(graph) };
}
