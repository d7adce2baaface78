import { createStore, type StoreApi } from "zustand/vanilla";
import { serializeDocument } from "../../engine/index.ts";
import { Autosave, entryOf, type SaveState } from "./autosave.ts";
import type { DocumentStore } from "./document-store.ts";
import { leaveRescue, takeRescue } from "./emergency.ts";
import { emptyGraph, type GraphDocument, isBlank, UNTITLED } from "./graph.ts";
import type { DocumentEntry, Library } from "./library.ts";
import { readGraph } from "./read-graph.ts";
import type { LockLoss, WriterLock, WriterLocks } from "./writer-lock.ts";

export interface SessionState {
  readonly save: SaveState;
  /** Another tab writes this document. */
  readonly elsewhere: boolean;
  /** Documents of this browser, newest first. */
  readonly documents: readonly DocumentEntry[];
  /** Names of this document's data files that are kept beside it. */
  readonly files: readonly string[];
}

/** Something that the person should know, though nothing was asked. */
export type SessionNotice =
  | { readonly kind: "kept-as-copy"; readonly name: string }
  | { readonly kind: "unreadable"; readonly name: string }
  | { readonly kind: "rescued"; readonly name: string };

export interface SessionWorld {
  readonly library: Library;
  /** False where the browser keeps nothing and the library is only this page's memory. */
  readonly keeps: boolean;
  /** Undefined where the browser has no locks; the library's revisions then keep two tabs apart. */
  readonly locks: WriterLocks | undefined;
  /** Outlives the page. */
  readonly local: Storage | undefined;
  /** Outlives a reload of this tab. */
  readonly tab: Storage | undefined;
  readonly newId: () => string;
  readonly now: () => number;
  readonly later: (run: () => void) => () => void;
  readonly notify: (notice: SessionNotice) => void;
}

type Files = ReadonlyMap<string, Blob>;

const CURRENT = "weir:document";

/** Where the open document lives: loads, saves, and keeps two tabs from losing each other's work. */
export class DocumentSession {
  readonly store: StoreApi<SessionState>;
  private readonly document: DocumentStore;
  private readonly world: SessionWorld;
  private autosave: Autosave | undefined;
  private lock: WriterLock | undefined;
  private opening: Promise<unknown> = Promise.resolve();

  constructor(document: DocumentStore, world: SessionWorld) {
    this.document = document;
    this.world = world;
    this.store = createStore(() => ({ save: this.savedState(), elsewhere: false, documents: [], files: [] }));
    document.subscribe((state, before) => {
      if (state.graph === before.graph || state.id !== before.id) return;
      this.autosave?.change(state.graph);
    });
  }

  /** Goes on where this tab was, else where the person was last, else with an empty graph. */
  async start(): Promise<void> {
    await this.refresh();
    const mine = this.world.tab?.getItem(CURRENT) ?? undefined;
    const last = this.world.local?.getItem(CURRENT) ?? undefined;
    if (mine !== undefined && (await this.openStored(mine))) return;
    // A tab that had an empty graph has it again.
    if (mine === undefined && last !== undefined && (await this.openStored(last, "only-if-free"))) return;
    await this.openGraph(emptyGraph());
  }

  /** Opens a graph as a new document, once its files are there. */
  openGraph(graph: GraphDocument, files: Files | Promise<Files> = new Map()): Promise<void> {
    const opening = this.openNew(graph, files);
    this.opening = opening.catch(() => undefined);
    return opening;
  }

  /** Resolves when no graph is on its way any more: what is done to "the graph" until then is meant for that one. */
  async opened(): Promise<void> {
    await this.opening;
  }

  private async openNew(graph: GraphDocument, files: Files | Promise<Files>): Promise<void> {
    const id = this.world.newId();
    for (const [name, blob] of await files) await this.world.library.putFile({ document: id, name, blob });
    await this.activate(id, graph, 0);
    if (!isBlank(graph)) this.autosave?.change(graph);
  }

  /** False when there is no such document, it cannot be read, or another tab has it and it was to be opened only if free. */
  async openStored(id: string, when: "always" | "only-if-free" = "always"): Promise<boolean> {
    const stored = await this.world.library.read(id);
    const rescue = this.world.local && takeRescue(this.world.local, id);
    const revision = stored?.revision ?? 0;
    const rescued = rescue?.follows.includes(revision) === true ? rescue.text : undefined;
    const text = rescued ?? stored?.text;
    if (text === undefined) return false;
    const read = readGraph(text);
    if (read.kind === "refused") {
      this.world.notify({ kind: "unreadable", name: stored?.name ?? id });
      return false;
    }
    if (!(await this.activate(id, read.graph, revision, when))) return false;
    if (rescued !== undefined && rescued !== stored?.text) {
      this.autosave?.change(read.graph);
      this.world.notify({ kind: "rescued", name: read.graph.name });
    }
    return true;
  }

  /** The same graph, with its data files, as a document of its own. */
  async duplicate(): Promise<void> {
    const { id, graph } = this.document.getState();
    await this.autosave?.flush();
    const copy = this.world.newId();
    await this.world.library.copyFiles(id, copy);
    const renamed = { ...graph, name: `${graph.name || UNTITLED} (copy)` };
    await this.activate(copy, renamed, 0);
    this.autosave?.change(renamed);
  }

  async remove(id: string): Promise<void> {
    if (id === this.document.getState().id) {
      this.autosave?.close();
      this.autosave = undefined;
      await this.openGraph(emptyGraph());
    }
    await this.world.library.remove(id);
    await this.refresh();
  }

  /** Becomes the writer of the document that another tab has; what that tab saved last is shown. */
  async takeOver(): Promise<void> {
    const { id } = this.document.getState();
    if (this.world.locks === undefined) return;
    this.lock = await this.world.locks.takeOver(id, (loss) => this.lost(id, loss));
    const stored = await this.world.library.read(id);
    const read = stored && readGraph(stored.text);
    const graph = read?.kind === "graph" ? read.graph : this.document.getState().graph;
    this.document.load(id, graph);
    this.beginWriting(id, stored?.revision ?? 0);
  }

  /** Saves now; resolves when that is done. */
  async flush(): Promise<void> {
    await this.autosave?.flush();
  }

  /** For the moment before the page goes away: leaves behind what is not saved, and tries to save it. */
  leave(): void {
    const pending = this.autosave?.pending();
    if (pending === undefined) return;
    const { id } = this.document.getState();
    if (this.world.local)
      leaveRescue(this.world.local, { id, follows: pending.follows, text: serializeDocument(pending.graph) });
    void this.autosave?.flush();
  }

  async putFile(name: string, blob: Blob): Promise<void> {
    const { id } = this.document.getState();
    await this.world.library.putFile({ document: id, name, blob });
    await this.refreshFiles(id);
  }

  async file(name: string): Promise<Blob | undefined> {
    return this.world.library.file(this.document.getState().id, name);
  }

  /** Reads the list of documents again. */
  async refresh(): Promise<void> {
    this.store.setState({ documents: await this.world.library.list() });
  }

  private savedState(): SaveState {
    return { kind: this.world.keeps ? "saved" : "off" };
  }

  private async refreshFiles(id: string): Promise<void> {
    this.store.setState({ files: await this.world.library.fileNames(id) });
  }

  private async activate(
    id: string,
    graph: GraphDocument,
    revision: number,
    when: "always" | "only-if-free" = "always",
  ): Promise<boolean> {
    const lock = await this.world.locks?.acquire(id, (loss) => this.lost(id, loss));
    const taken = this.world.locks !== undefined && lock === undefined;
    if (taken && when === "only-if-free") return false;
    await this.autosave?.flush();
    this.autosave?.close();
    this.autosave = undefined;
    this.lock?.release();
    this.lock = lock;
    this.document.load(id, graph);
    this.rememberCurrent(id);
    await this.refreshFiles(id);
    if (taken) this.showElsewhere();
    else this.beginWriting(id, revision);
    return true;
  }

  private beginWriting(id: string, revision: number): void {
    const { library, now, later } = this.world;
    this.document.setReadOnly(false);
    this.store.setState({ elsewhere: false, save: this.savedState() });
    this.autosave = new Autosave(library, id, revision, {
      now,
      later,
      onState: (save) => this.store.setState({ save: save.kind === "saved" ? this.savedState() : save }),
      onConflict: (graph) => void this.continueAsCopy(graph),
    });
  }

  private showElsewhere(): void {
    this.document.setReadOnly(true);
    this.store.setState({ elsewhere: true });
  }

  private async lost(id: string, loss: LockLoss): Promise<void> {
    if (this.document.getState().id !== id) return;
    this.lock = undefined;
    if (loss === "asked") {
      this.document.setReadOnly(true);
      await this.autosave?.flush();
    }
    const pending = this.autosave?.pending();
    this.autosave?.close();
    this.autosave = undefined;
    if (pending === undefined) this.showElsewhere();
    else await this.continueAsCopy(pending.graph);
  }

  /** What was done here can no longer be saved where it was: it goes on as a document of its own, history and all. */
  private async continueAsCopy(graph: GraphDocument): Promise<void> {
    const before = this.document.getState().id;
    const id = this.world.newId();
    const name = `${graph.name || UNTITLED} (copy)`;
    await this.world.library.copyFiles(before, id);
    await this.world.library.save(entryOf(id, { ...graph, name }, this.world.now()), 0);
    this.lock?.release();
    this.lock = await this.world.locks?.acquire(id, (loss) => this.lost(id, loss));
    this.document.setState({ id, graph: { ...this.document.getState().graph, name } });
    this.rememberCurrent(id);
    this.beginWriting(id, 1);
    this.autosave?.change(this.document.getState().graph);
    this.world.notify({ kind: "kept-as-copy", name });
  }

  private rememberCurrent(id: string): void {
    try {
      this.world.tab?.setItem(CURRENT, id);
      this.world.local?.setItem(CURRENT, id);
    } catch {
      // The next visit starts with an empty graph; the library still has the document.
    }
  }
}
