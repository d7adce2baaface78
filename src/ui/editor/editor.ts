import { createStore, type StoreApi } from "zustand/vanilla";
import { CATALOG } from "../../engine/index.ts";
import type { AnalysisStore } from "../document/analysis.ts";
import { cornerOf, type Fragment, fragmentOf, isEmpty, paste } from "../document/clipboard.ts";
import { judge, outputPorts } from "../document/connections.ts";
import type { DocumentStore, Recipe } from "../document/document-store.ts";
import { type GraphDocument, type GraphNode, nodeOf } from "../document/graph.ts";
import {
  addNode,
  addNote,
  changeNode,
  connect,
  type Items,
  insertOnEdge,
  moveItems,
  newNode,
  notePlace,
  type Place,
  removeItems,
} from "../document/graph-edits.ts";
import { countOf, NOTHING, type SelectionStore } from "../document/selection.ts";
import { type CanvasStore, createCanvasStore } from "./canvas-store.ts";
import { cardRoom } from "./card-room.ts";
import { CARD_WIDTH } from "./edge-geometry.ts";
import {
  type CanvasView,
  createEditorState,
  type EdgePlaces,
  type EditorStateStore,
  type PortRef,
  type Viewport,
} from "./editor-state.ts";
import { firstConfig } from "./first-config.ts";

export interface EditorWorld {
  readonly document: DocumentStore;
  readonly analysis: AnalysisStore;
  readonly selection: SelectionStore;
  /** Tells the person why something was not done. */
  readonly refuse: (reason: string) => void;
}

/** Where a new node goes, and what it is joined to. */
export interface Spot {
  readonly at?: Place | undefined;
  readonly from?: PortRef | undefined;
  readonly onEdge?: string | undefined;
  readonly config?: Record<string, unknown> | undefined;
  readonly name?: string | undefined;
  /** A change that belongs to the same step and comes first. */
  readonly also?: Recipe | undefined;
}

/** Room for what an edge shows in a run. */
const GAP = 120;
const PASTE_STEP = 30;
const NOTE_ROOM = 80;

/** What a person can do on the canvas, each as one step of the history. */
export class Editor {
  readonly state: EditorStateStore = createEditorState();
  readonly canvas: CanvasStore;
  readonly edgePlaces: EdgePlaces = new Map();
  readonly viewport: StoreApi<Viewport> = createStore(() => ({ x: 0, y: 0, zoom: 1 }));
  /** Undefined while the canvas is not there. */
  view: CanvasView | undefined;
  private readonly world: EditorWorld;
  private pastes = 0;

  constructor(world: EditorWorld) {
    this.world = world;
    this.canvas = createCanvasStore(world.document, world.analysis, world.selection);
  }

  get graph(): GraphDocument {
    return this.world.document.getState().graph;
  }

  get selected(): Items {
    return this.world.selection.getState();
  }

  /**
   * Adds a node: into the edge it is dropped on, else with an edge from the given port, else from the one selected node,
   * where the engine allows it.
   */
  add(kind: string, spot: Spot = {}): string | undefined {
    const from = spot.from ?? (spot.at === undefined ? this.openPort() : undefined);
    const made = newNode(this.graph, kind, this.placeFor(spot, from, kind), spot.config ?? firstConfig(kind));
    const node = spot.name === undefined ? made : { ...made, name: spot.name };
    const title = CATALOG.get(kind)?.title ?? kind;
    const done = this.world.document.edit(`add ${title}`, (graph) => {
      const added = addNode(spot.also?.(graph) ?? graph, node);
      const inserted = spot.onEdge === undefined ? undefined : this.inserted(added, node, spot.onEdge);
      return inserted ?? (from === undefined ? added : this.joined(added, from, node));
    });
    if (!done) return undefined;
    this.world.selection.select({ nodes: new Set([node.id]) });
    if (spot.at === undefined && node.ui !== undefined) this.view?.revealPlace(node.ui);
    return node.id;
  }

  /** Draws an edge, or says why not. */
  connect(from: PortRef, to: PortRef): boolean {
    const verdict = judge(this.graph, from, to);
    if (verdict.kind === "no") {
      this.world.refuse(verdict.reason);
      return false;
    }
    return this.world.document.edit("connect", (graph) => connect(graph, from, to, verdict.route));
  }

  /** Puts a node that has no edges yet into an edge. */
  insert(node: string, edge: string, places: ReadonlyMap<string, Place>): void {
    this.world.document.edit("insert", (graph) => {
      const moved = moveItems(graph, places, new Map());
      const target = nodeOf(moved, node);
      return (target && this.inserted(moved, target, edge)) ?? moved;
    });
  }

  move(nodes: ReadonlyMap<string, Place>, notes: ReadonlyMap<string, Place>, mergeKey?: string): void {
    this.world.document.edit("move", (graph) => moveItems(graph, nodes, notes), mergeKey);
  }

  /** Moves what is selected by a step of the keyboard; steps that follow each other are one gesture. */
  nudge(dx: number, dy: number): void {
    const { nodes, notes } = this.selected;
    const moved = (place: Place | undefined): Place => ({ x: (place?.x ?? 0) + dx, y: (place?.y ?? 0) + dy });
    const nodePlaces = this.graph.nodes
      .filter((node) => nodes.has(node.id))
      .map((node) => [node.id, moved(node.ui)] as const);
    const notePlaces = (this.graph.annotations ?? [])
      .filter((note) => notes.has(note.id))
      .map((note) => [note.id, moved(notePlace(note))] as const);
    this.move(new Map(nodePlaces), new Map(notePlaces), `nudge:${[...nodes, ...notes].join()}`);
  }

  deleteSelected(): void {
    const items = this.selected;
    const count = countOf(items);
    if (count === 0) return;
    this.world.document.edit(`delete ${count === 1 ? "1 item" : `${count} items`}`, (graph) =>
      removeItems(graph, items),
    );
  }

  selectAll(): void {
    const { nodes, edges, annotations = [] } = this.graph;
    const ids = (items: readonly { readonly id: string }[]) => new Set(items.map((item) => item.id));
    this.world.selection.select({ nodes: ids(nodes), edges: ids(edges), notes: ids(annotations) });
  }

  copied(): Fragment | undefined {
    const fragment = fragmentOf(this.graph, this.selected);
    if (isEmpty(fragment)) return undefined;
    this.pastes = 0;
    return fragment;
  }

  /** Pastes beside the original, each time a step further; where the original is out of sight, into the middle. */
  paste(fragment: Fragment): void {
    const corner = cornerOf(fragment);
    const center = this.view?.center();
    const far = center !== undefined && Math.hypot(center.x - corner.x, center.y - corner.y) > 1200;
    this.pastes++;
    const by = far
      ? { x: center.x - corner.x - CARD_WIDTH / 2, y: center.y - corner.y }
      : { x: this.pastes * PASTE_STEP, y: this.pastes * PASTE_STEP };
    this.putIn("paste", fragment, by);
  }

  duplicate(): void {
    const fragment = fragmentOf(this.graph, this.selected);
    if (!isEmpty(fragment)) this.putIn("duplicate", fragment, { x: PASTE_STEP, y: PASTE_STEP });
  }

  /** Adds a note, where no place is given beside the cards in the middle. */
  addNote(at: Place = this.freePlace(snapped(middle(this.view?.center())), NOTE_ROOM)): void {
    let id = "";
    const done = this.world.document.edit("add a note", (graph) => {
      const added = addNote(graph, at, "");
      id = added.id;
      return added.graph;
    });
    if (!done) return;
    this.world.selection.select({ notes: new Set([id]) });
    this.view?.revealPlace(at);
    this.state.setState({ editingNote: id });
  }

  rename(id: string, name: string): void {
    const trimmed = name.trim();
    const stored = trimmed === "" || trimmed === id ? undefined : trimmed;
    this.world.document.edit("rename", (graph) => changeNode(graph, id, { name: stored }));
  }

  /** Selects nodes and brings them into sight. */
  goTo(items: Partial<Items>): void {
    this.world.selection.select({ ...NOTHING, ...items });
    const edge = this.graph.edges.find((each) => items.edges?.has(each.id));
    const nodes = edge === undefined ? [...(items.nodes ?? [])] : [edge.from.node, edge.to.node];
    if (nodes.length > 0) this.view?.reveal(nodes);
  }

  private putIn(label: string, fragment: Fragment, by: Place): void {
    let added = NOTHING;
    const done = this.world.document.edit(label, (graph) => {
      const pasted = paste(graph, fragment, by);
      added = pasted.added;
      return pasted.graph;
    });
    if (done) this.world.selection.select(added);
  }

  /** The output of the one selected node, from which a new node goes on. */
  private openPort(): PortRef | undefined {
    const [id] = this.selected.nodes;
    const node = id === undefined || this.selected.nodes.size > 1 ? undefined : nodeOf(this.graph, id);
    if (node === undefined) return undefined;
    const port = outputPorts(this.world.analysis.getState().analysis, node)[0];
    return port === undefined ? undefined : { node: node.id, port };
  }

  private joined(graph: GraphDocument, from: PortRef, node: GraphNode): GraphDocument {
    const port = CATALOG.get(node.kind)?.inputs[0]?.name;
    if (port === undefined) return graph;
    const to = { node: node.id, port };
    const verdict = judge(graph, from, to);
    return verdict.kind === "yes" ? connect(graph, from, to, verdict.route) : graph;
  }

  private inserted(graph: GraphDocument, node: GraphNode, edge: string): GraphDocument | undefined {
    const spec = CATALOG.get(node.kind);
    const input = spec?.inputs[0]?.name;
    const old = graph.edges.find((each) => each.id === edge);
    if (input === undefined || spec?.role !== "operator" || old === undefined) return undefined;
    const through = { in: { node: node.id, port: input }, out: { node: node.id, port: "out" } };
    const without = { ...graph, edges: graph.edges.filter((each) => each !== old) };
    const verdict = judge(without, { node: old.from.node, port: old.from.port ?? "out" }, through.in);
    return verdict.kind === "yes" ? insertOnEdge(graph, edge, through, verdict.route) : undefined;
  }

  private placeFor({ at, onEdge }: Spot, from: PortRef | undefined, kind: string): Place {
    if (at !== undefined) return snapped(onEdge === undefined ? at : { x: at.x, y: at.y });
    const before = from && nodeOf(this.graph, from.node);
    const start =
      before?.ui !== undefined ? { x: before.ui.x + CARD_WIDTH + GAP, y: before.ui.y } : middle(this.view?.center());
    return this.freePlace(snapped(start), cardRoom({ kind, parallelism: 1 }));
  }

  /** The first place downwards where no card lies, nor will lie in a run. */
  private freePlace(start: Place, room: number): Place {
    const covered = (place: Place) =>
      this.graph.nodes.some(
        ({ ui, ...node }) =>
          ui !== undefined &&
          Math.abs(ui.x - place.x) < CARD_WIDTH + 20 &&
          place.y < ui.y + cardRoom(node) + 20 &&
          ui.y < place.y + room + 20,
      );
    let place = start;
    for (let tries = 0; tries < 50 && covered(place); tries++) place = { x: place.x, y: place.y + 30 };
    return place;
  }
}

const snapped = ({ x, y }: Place): Place => ({ x: Math.round(x / 10) * 10, y: Math.round(y / 10) * 10 });
const middle = (center: Place | undefined): Place =>
  center === undefined ? { x: 0, y: 0 } : { x: center.x - CARD_WIDTH / 2, y: center.y - 30 };
