import type { Connection, Edge, IsValidConnection, OnConnectEnd, OnNodeDrag, OnReconnect } from "@xyflow/react";
import { type PointerEvent as ReactPointerEvent, useMemo, useRef } from "react";
import { judge, type Verdict } from "../document/connections.ts";
import type { Place } from "../document/graph-edits.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { type CanvasEdge, type CanvasNode, noteIdOf } from "./canvas-items.ts";
import type { Editor } from "./editor.ts";
import type { PortRef } from "./editor-state.ts";

/** The two ends of what is being drawn. */
export function endsOf(connection: Connection | Edge): { from: PortRef; to: PortRef } {
  return {
    from: { node: connection.source, port: connection.sourceHandle ?? "out" },
    to: { node: connection.target, port: connection.targetHandle ?? "in" },
  };
}

/** What the pointer does on the canvas, as React Flow reports it. */
export function useCanvasGestures() {
  const { editor, document } = useWorkbench();
  const verdicts = useRef(new Map<string, Verdict>());
  const reconnecting = useRef<string | undefined>(undefined);

  return useMemo(() => {
    const judged = (connection: Connection | Edge): Verdict => {
      const { from, to } = endsOf(connection);
      const key = JSON.stringify([from, to]);
      const known = verdicts.current.get(key);
      if (known !== undefined) return known;
      const graph = editor.graph;
      const edges = graph.edges.filter((edge) => edge.id !== reconnecting.current);
      const verdict = judge(edges.length === graph.edges.length ? graph : { ...graph, edges }, from, to);
      verdicts.current.set(key, verdict);
      return verdict;
    };
    const forget = () => verdicts.current.clear();
    const end = connectEnd(editor);
    const onReconnect: OnReconnect<CanvasEdge> = (edge, connection) => {
      const verdict = judged(connection);
      if (verdict.kind === "no") return;
      const { from, to } = endsOf(connection);
      document.edit("reconnect", (graph) => ({
        ...graph,
        edges: graph.edges.map((each) => (each.id === edge.id ? { ...each, from, to, route: verdict.route } : each)),
      }));
    };
    const isValidConnection: IsValidConnection<CanvasEdge> = (connection) => judged(connection).kind === "yes";
    return {
      isValidConnection,
      onConnectStart: forget,
      onConnect: (connection: Connection) => {
        const { from, to } = endsOf(connection);
        editor.connect(from, to);
      },
      // React Flow reports the moving of an edge's end as a connection as well, within that gesture.
      onConnectEnd: ((event, state) => {
        if (reconnecting.current === undefined) end(event, state);
      }) satisfies OnConnectEnd,
      onReconnectStart: (_: unknown, edge: CanvasEdge) => {
        reconnecting.current = edge.id;
      },
      onReconnect,
      onReconnectEnd: () => {
        reconnecting.current = undefined;
      },
      ...dragGestures(editor),
    };
  }, [editor, document]);
}

/** An edge that is let go over a card leads to its first fitting port; over the bare canvas it asks for a new node. */
function connectEnd(editor: Editor): OnConnectEnd {
  return (event, { isValid, fromNode, fromHandle, toHandle }) => {
    if (isValid === true || toHandle !== null || fromNode === null || fromHandle === null) return;
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    if (point === undefined) return;
    const at = { x: point.clientX, y: point.clientY };
    const mine: PortRef = { node: fromNode.id, port: fromHandle.id ?? "out" };
    const card = window.document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>("[data-node]")?.dataset["node"];
    if (card === undefined) {
      const opens = fromHandle.type === "source" && editor.view?.covers(at);
      if (opens) editor.state.setState({ adding: { at: editor.view?.toGraph(at), from: mine } });
      return;
    }
    const ports = editor.canvas.getState().nodes.find((node) => node.id === card);
    if (ports?.type !== "card") return;
    const forwards = fromHandle.type === "source";
    const names = forwards ? ports.data.ports.inputs : ports.data.ports.outputs;
    const pairs = names.map((port) =>
      forwards ? { from: mine, to: { node: card, port } } : { from: { node: card, port }, to: mine },
    );
    const pair = pairs.find(({ from, to }) => judge(editor.graph, from, to).kind === "yes") ?? pairs[0];
    if (pair !== undefined) editor.connect(pair.from, pair.to);
  };
}

/** A drag is one step of the history, made when it ends; a single node without edges may end in an edge. */
function dragGestures(editor: Editor) {
  const lone = (nodes: readonly CanvasNode[]) => {
    const [node] = nodes;
    const isLone =
      nodes.length === 1 &&
      node?.type === "card" &&
      !editor.graph.edges.some((edge) => edge.from.node === node.id || edge.to.node === node.id);
    return isLone ? node : undefined;
  };
  const windowPlace = (event: MouseEvent | TouchEvent): Place => {
    const point = "clientX" in event ? event : event.changedTouches[0];
    return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
  };
  let pressed: PointerEvent | undefined;
  const onPointerDownCapture = ({ nativeEvent }: ReactPointerEvent) => {
    pressed = nativeEvent;
  };
  // The browser then need not search through all cards for the one that the pointer is over, with every move.
  const onNodeDragStart = () => {
    if (pressed?.pointerType !== "mouse" || !(pressed.target instanceof Element)) return;
    pressed.target.closest(".react-flow__node")?.setPointerCapture(pressed.pointerId);
  };
  const onNodeDrag: OnNodeDrag<CanvasNode> = (event, _, nodes) => {
    const insertEdge = lone(nodes) && editor.view?.edgeAt(windowPlace(event));
    if (insertEdge !== editor.state.getState().insertEdge) editor.state.setState({ insertEdge });
  };
  const stop = (nodes: readonly CanvasNode[]) => {
    const { insertEdge } = editor.state.getState();
    editor.state.setState({ insertEdge: undefined });
    const places = new Map<string, Place>();
    const notes = new Map<string, Place>();
    for (const { id, position } of nodes) {
      const note = noteIdOf(id);
      if (note === undefined) places.set(id, position);
      else notes.set(note, position);
    }
    const node = insertEdge === undefined ? undefined : lone(nodes);
    if (node !== undefined && insertEdge !== undefined) editor.insert(node.id, insertEdge, places);
    else editor.move(places, notes);
  };
  return {
    onPointerDownCapture,
    onNodeDragStart,
    onNodeDrag,
    onNodeDragStop: ((_, __, nodes) => stop(nodes)) satisfies OnNodeDrag<CanvasNode>,
    onSelectionDragStop: (_: unknown, nodes: CanvasNode[]) => stop(nodes),
  };
}
