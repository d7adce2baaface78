import { applyNodeChanges, type EdgeChange, type NodeChange } from "@xyflow/react";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AnalysisStore } from "../document/analysis.ts";
import type { DocumentStore } from "../document/document-store.ts";
import type { SelectionStore } from "../document/selection.ts";
import { type CanvasEdge, type CanvasNode, canvasEdges, canvasNodes, noteIdOf } from "./canvas-items.ts";

export interface CanvasState {
  readonly nodes: CanvasNode[];
  readonly edges: CanvasEdge[];
}

export interface CanvasStore extends StoreApi<CanvasState> {
  changeNodes(changes: NodeChange<CanvasNode>[]): void;
  changeEdges(changes: EdgeChange<CanvasEdge>[]): void;
}

/**
 * What React Flow draws: the document, with sizes and with places in mid-drag, which are no part of it. Removal is not taken
 * from React Flow: it reports a node and its edges one after the other, and a deletion is one step (P-59).
 */
export function createCanvasStore(
  document: DocumentStore,
  analysis: AnalysisStore,
  selection: SelectionStore,
): CanvasStore {
  const build = (before: CanvasState): CanvasState => {
    const { graph } = document.getState();
    const selected = selection.getState();
    const nodes = canvasNodes(before.nodes, graph, analysis.getState().analysis, selected);
    const edges = canvasEdges(before.edges, graph, nodes, selected);
    const same = sameItems(nodes, before.nodes) && sameItems(edges, before.edges);
    return same ? before : { nodes, edges };
  };
  const store = createStore<CanvasState>(() => build({ nodes: [], edges: [] }));
  const rebuild = () => store.setState(build, true);
  document.subscribe((state, before) => {
    if (state.graph === before.graph) return;
    selection.prune(state.graph);
    rebuild();
  });
  analysis.subscribe(rebuild);
  selection.subscribe(rebuild);

  return Object.assign(store, {
    changeNodes: (changes: NodeChange<CanvasNode>[]) => {
      const own = changes.filter((change) => change.type === "position" || change.type === "dimensions");
      if (own.length > 0) store.setState(({ nodes }) => ({ nodes: applyNodeChanges(own, nodes) }));
      const chosen = changes.flatMap((change) => (change.type === "select" ? [change] : []));
      if (chosen.length === 0) return;
      const { nodes, notes } = selection.getState();
      selection.setState({
        nodes: withChanges(
          nodes,
          chosen.filter(({ id }) => noteIdOf(id) === undefined),
        ),
        notes: withChanges(
          notes,
          chosen.flatMap(({ id, selected }) => {
            const note = noteIdOf(id);
            return note === undefined ? [] : [{ id: note, selected }];
          }),
        ),
      });
    },
    changeEdges: (changes: EdgeChange<CanvasEdge>[]) => {
      const chosen = changes.flatMap((change) => (change.type === "select" ? [change] : []));
      if (chosen.length > 0) selection.setState({ edges: withChanges(selection.getState().edges, chosen) });
    },
  });
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function withChanges(
  ids: ReadonlySet<string>,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): ReadonlySet<string> {
  if (changes.every(({ id, selected }) => ids.has(id) === selected)) return ids;
  const next = new Set(ids);
  for (const { id, selected } of changes) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  return next;
}
