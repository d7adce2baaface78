import type { Edge, Node } from "@xyflow/react";
import type { Analysis } from "../../engine/index.ts";
import { inputPorts, outputPorts, portOf } from "../document/connections.ts";
import type { GraphAnnotation, GraphDocument, GraphEdge, GraphNode } from "../document/graph.ts";
import { type Items, notePlace } from "../document/graph-edits.ts";

export interface Ports {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export type CardNode = Node<{ readonly node: GraphNode; readonly ports: Ports }, "card">;
export type NoteNode = Node<{ readonly note: GraphAnnotation }, "note">;
export type CanvasNode = CardNode | NoteNode;
/** `mayDrop`: from the main output to an only input, the edge may leave a card from below. */
export type CanvasEdge = Edge<{ readonly edge: GraphEdge; readonly mayDrop: boolean }, "flow">;

/** React Flow has one name space for what the document keeps in two lists; a node's id cannot hold a colon. */
const NOTE = "note:";
export const noteFlowId = (id: string): string => NOTE + id;
export const noteIdOf = (flowId: string): string | undefined =>
  flowId.startsWith(NOTE) ? flowId.slice(NOTE.length) : undefined;

/**
 * The nodes as React Flow wants them. What did not change keeps its object, so that only what changed is drawn again; sizes
 * that React Flow measured are kept.
 */
export function canvasNodes(
  before: readonly CanvasNode[],
  graph: GraphDocument,
  analysis: Analysis,
  selected: Items,
): CanvasNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  const used = usedPorts(graph);
  const cards = graph.nodes.map((node) => cardOf(old.get(node.id), node, analysis, used, selected.nodes.has(node.id)));
  const notes = (graph.annotations ?? []).map((note) =>
    noteOf(old.get(noteFlowId(note.id)), note, selected.notes.has(note.id)),
  );
  return [...notes, ...cards];
}

function cardOf(
  old: CanvasNode | undefined,
  node: GraphNode,
  analysis: Analysis,
  used: ReadonlyMap<string, UsedPorts>,
  selected: boolean,
): CardNode {
  const ports = portsOf(node, analysis, used.get(node.id));
  const before = old?.type === "card" ? old : undefined;
  const samePorts =
    before !== undefined &&
    String(before.data.ports.inputs) === String(ports.inputs) &&
    String(before.data.ports.outputs) === String(ports.outputs);
  const place = node.ui ?? ORIGIN;
  if (
    before !== undefined &&
    samePorts &&
    before.data.node === node &&
    before.selected === selected &&
    isAt(before, place)
  )
    return before;
  const data =
    samePorts && before.data.node === node ? before.data : { node, ports: samePorts ? before.data.ports : ports };
  return { ...before, id: node.id, type: "card", position: { x: place.x, y: place.y }, selected, data };
}

const ORIGIN = { x: 0, y: 0 };

function noteOf(old: CanvasNode | undefined, note: GraphAnnotation, selected: boolean): NoteNode {
  const place = notePlace(note);
  const before = old?.type === "note" ? old : undefined;
  if (before !== undefined && before.data.note === note && before.selected === selected && isAt(before, place))
    return before;
  return {
    ...before,
    id: noteFlowId(note.id),
    type: "note",
    position: { x: place.x, y: place.y },
    width: place.w,
    height: place.h,
    zIndex: -1,
    selected,
    data: { note },
  };
}

const isAt = (node: CanvasNode, place: { x: number; y: number }): boolean =>
  node.position.x === place.x && node.position.y === place.y;

interface UsedPorts {
  readonly inputs: Set<string>;
  readonly outputs: Set<string>;
}

/** Ports that edges name: those that a node no longer has are drawn all the same, so that the edge stays in sight. */
function usedPorts(graph: GraphDocument): Map<string, UsedPorts> {
  const used = new Map<string, UsedPorts>();
  const of = (id: string): UsedPorts => {
    const there = used.get(id);
    if (there !== undefined) return there;
    const fresh = { inputs: new Set<string>(), outputs: new Set<string>() };
    used.set(id, fresh);
    return fresh;
  };
  for (const { from, to } of graph.edges) {
    if (from.port !== undefined) of(from.node).outputs.add(from.port);
    if (to.port !== undefined) of(to.node).inputs.add(to.port);
  }
  return used;
}

function portsOf(node: GraphNode, analysis: Analysis, used: UsedPorts | undefined): Ports {
  return {
    inputs: [...new Set([...inputPorts(node), ...(used?.inputs ?? [])])],
    outputs: [...new Set([...outputPorts(analysis, node), ...(used?.outputs ?? [])])],
  };
}

export function canvasEdges(
  before: readonly CanvasEdge[],
  graph: GraphDocument,
  nodes: readonly CanvasNode[],
  selected: Items,
): CanvasEdge[] {
  const old = new Map(before.map((edge) => [edge.id, edge]));
  const cards = new Map(nodes.flatMap((node) => (node.type === "card" ? [[node.id, node.data] as const] : [])));
  return graph.edges.flatMap((edge) => {
    const source = cards.get(edge.from.node);
    const target = cards.get(edge.to.node);
    if (source === undefined || target === undefined) return [];
    const main = portOf(edge.from, "from", source.node) === source.ports.outputs[0];
    const mayDrop = main && target.ports.inputs.length === 1;
    const there = old.get(edge.id);
    const isSelected = selected.edges.has(edge.id);
    if (there?.data?.edge === edge && there.selected === isSelected && there.data.mayDrop === mayDrop) return [there];
    return [
      {
        id: edge.id,
        type: "flow" as const,
        source: edge.from.node,
        target: edge.to.node,
        sourceHandle: portOf(edge.from, "from", source.node),
        targetHandle: portOf(edge.to, "to", target.node),
        selected: isSelected,
        data: { edge, mayDrop },
      },
    ];
  });
}
