import { createStore, type StoreApi } from "zustand/vanilla";
import type { GraphDocument } from "./graph.ts";
import { type History, NO_HISTORY, record, seal, stepBack, stepForward } from "./history.ts";

export interface DocumentState {
  /** Id in the library of this browser; a document that was opened anew has a new one. */
  readonly id: string;
  readonly graph: GraphDocument;
  readonly history: History<GraphDocument>;
  /** Another tab writes this document; edits are refused here. */
  readonly readOnly: boolean;
}

/** Returns the graph as it shall be; the same object means that there is nothing to do. */
export type Recipe = (graph: GraphDocument) => GraphDocument;

export interface DocumentStore extends StoreApi<DocumentState> {
  /**
   * One step of the history. Edits with the same `mergeKey` that follow each other are one gesture: typing into a field,
   * nudging with the arrow keys. False when the document is read-only.
   */
  edit(label: string, recipe: Recipe, mergeKey?: string): boolean;
  /** Ends a merged gesture: the field was left. */
  seal(): void;
  undo(): void;
  redo(): void;
  /** Shows another document, with no history. */
  load(id: string, graph: GraphDocument): void;
  setReadOnly(readOnly: boolean): void;
}

export function createDocumentStore(id: string, graph: GraphDocument): DocumentStore {
  const store = createStore<DocumentState>(() => ({ id, graph, history: NO_HISTORY, readOnly: false }));

  const move = (step: typeof stepBack | typeof stepForward) => {
    const { history, readOnly } = store.getState();
    const moved = readOnly ? undefined : step(history);
    if (moved !== undefined) store.setState({ history: moved.history, graph: moved.value });
  };

  return Object.assign(store, {
    edit: (label: string, recipe: Recipe, mergeKey?: string) => {
      const { graph: before, history, readOnly } = store.getState();
      if (readOnly) return false;
      const after = recipe(before);
      if (after !== before)
        store.setState({ graph: after, history: record(history, { label, before, after, mergeKey }) });
      return true;
    },
    seal: () => {
      const { history } = store.getState();
      const sealed = seal(history);
      if (sealed !== history) store.setState({ history: sealed });
    },
    undo: () => move(stepBack),
    redo: () => move(stepForward),
    load: (newId: string, newGraph: GraphDocument) =>
      store.setState({ id: newId, graph: newGraph, history: NO_HISTORY, readOnly: false }),
    setReadOnly: (readOnly: boolean) => store.setState({ readOnly }),
  });
}
