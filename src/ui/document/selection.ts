import { createStore, type StoreApi } from "zustand/vanilla";
import type { GraphDocument } from "./graph.ts";
import type { Items } from "./graph-edits.ts";

/** What is selected. No part of the document and none of its history (P-59). */
export interface SelectionStore extends StoreApi<Items> {
  select(items: Partial<Items>): void;
  clear(): void;
  /** Forgets what the graph no longer has. */
  prune(graph: GraphDocument): void;
}

const NONE: ReadonlySet<string> = new Set();
export const NOTHING: Items = { nodes: NONE, edges: NONE, notes: NONE };

export function createSelectionStore(): SelectionStore {
  const store = createStore<Items>(() => NOTHING);
  return Object.assign(store, {
    select: (items: Partial<Items>) => store.setState({ ...NOTHING, ...items }),
    clear: () => store.setState(NOTHING),
    prune: (graph: GraphDocument) => {
      const { nodes, edges, notes } = store.getState();
      const left = {
        nodes: kept(nodes, graph.nodes),
        edges: kept(edges, graph.edges),
        notes: kept(notes, graph.annotations ?? []),
      };
      if (left.nodes !== nodes || left.edges !== edges || left.notes !== notes) store.setState(left);
    },
  });
}

function kept(ids: ReadonlySet<string>, items: readonly { readonly id: string }[]): ReadonlySet<string> {
  if (ids.size === 0) return ids;
  const there = new Set(items.map((item) => item.id));
  const left = [...ids].filter((id) => there.has(id));
  return left.length === ids.size ? ids : new Set(left);
}

export const countOf = (items: Items): number => items.nodes.size + items.edges.size + items.notes.size;

/** The one selected item, when there is exactly one. */
export function singleOf(items: Items): { readonly kind: "node" | "edge" | "note"; readonly id: string } | undefined {
  if (countOf(items) !== 1) return undefined;
  const [node] = items.nodes;
  if (node !== undefined) return { kind: "node", id: node };
  const [edge] = items.edges;
  if (edge !== undefined) return { kind: "edge", id: edge };
  const [note] = items.notes;
  return note === undefined ? undefined : { kind: "note", id: note };
}
