import { createStore, type StoreApi } from "zustand/vanilla";
import type { Place } from "../document/graph-edits.ts";
import type { EdgeGeometry } from "./edge-geometry.ts";

export interface PortRef {
  readonly node: string;
  readonly port: string;
}

export interface EditorState {
  /** The node whose name is being typed on its card. */
  readonly renaming: string | undefined;
  readonly editingNote: string | undefined;
  /** The search for a node to add is open: where the node goes, and from which port an edge shall lead to it. */
  readonly adding: { readonly at: Place | undefined; readonly from: PortRef | undefined } | undefined;
  /** The list of targets is open for this node. */
  readonly connecting: string | undefined;
  /** A kind on its way from the palette, in window coordinates. */
  readonly carrying: { readonly kind: string; readonly x: number; readonly y: number } | undefined;
  /** The edge that a dragged node would be put into. */
  readonly insertEdge: string | undefined;
}

export type EditorStateStore = StoreApi<EditorState>;

export function createEditorState(): EditorStateStore {
  return createStore<EditorState>(() => ({
    renaming: undefined,
    editingNote: undefined,
    adding: undefined,
    connecting: undefined,
    carrying: undefined,
    insertEdge: undefined,
  }));
}

/** What the rest of the page may ask of the canvas; the canvas fills it in when it is there. */
export interface CanvasView {
  /** Middle of what is seen, in graph coordinates. */
  center(): Place;
  toGraph(windowPlace: Place): Place;
  /** The edge under a place of the window. */
  edgeAt(windowPlace: Place): string | undefined;
  /** Whether a place of the window is on the canvas. */
  covers(windowPlace: Place): boolean;
  /** Measured size of a card. */
  sizeOf(node: string): { readonly width: number; readonly height: number };
  /** Whether the graph was fitted last, and nobody has moved the view since. */
  readonly isFitted: boolean;
  fit(how?: "calmly" | "at once"): void;
  /** The view was moved by hand. */
  loosen(): void;
  zoom(by: "in" | "out"): void;
  /** What is seen, without what lies over the canvas at its edges; in graph coordinates. */
  sight(): { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  /** Whether nodes are wholly in sight. */
  shows(nodes: readonly string[]): boolean;
  /** Brings nodes into sight. */
  reveal(nodes: readonly string[]): void;
  /** Moves the view no further than it takes to see a card at the place. */
  revealPlace(at: Place): void;
  focus(): void;
}

/** A place of the graph is drawn at place × zoom + (x, y) of the canvas. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Where the edges run, as last drawn; overlays that follow them read it each frame. */
export type EdgePlaces = Map<string, EdgeGeometry>;
