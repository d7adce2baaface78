import {
  Background,
  BackgroundVariant,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useNodesInitialized,
  useReactFlow,
  useStoreApi,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type MouseEvent, useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { isBlank } from "../document/graph.ts";
import { Slot } from "../shell/parts.tsx";
import { Welcome } from "../shell/Welcome.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Canvas.module.css";
import { CanvasToolbar, ZoomControls } from "./CanvasToolbar.tsx";
import { ConnectionLine } from "./ConnectionLine.tsx";
import type { CanvasEdge, CanvasNode } from "./canvas-items.ts";
import { createCanvasView, FAR, SPECK } from "./canvas-view.ts";
import { DistantEdges } from "./DistantEdges.tsx";
import { FlowEdge } from "./FlowEdge.tsx";
import { GraphMap } from "./GraphMap.tsx";
import { FromAfar, NodeCard } from "./NodeCard.tsx";
import { NoteCard } from "./NoteCard.tsx";
import { PortTooltip } from "./PortTooltip.tsx";
import { useCanvasGestures } from "./use-canvas-gestures.ts";

const nodeTypes = { card: NodeCard, note: NoteCard };
const edgeTypes = { flow: FlowEdge };
/** Larger graphs get a map. */
const MAP_FROM = 14;
/** Of a larger graph only what is in sight is in the page: a browser's hit test goes through all that is (P-66). */
const LARGE = 150;

export function Canvas() {
  return (
    <ReactFlowProvider>
      <CanvasBody />
    </ReactFlowProvider>
  );
}

function CanvasBody() {
  const { document, editor } = useWorkbench();
  const frame = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  const store = useStoreApi();
  const nodes = useStore(editor.canvas, (state) => state.nodes);
  const edges = useStore(editor.canvas, (state) => state.edges);
  const documentId = useStore(document, (state) => state.id);
  const readOnly = useStore(document, (state) => state.readOnly);
  const blank = useStore(document, (state) => isBlank(state.graph));
  const far = useStore(editor.viewport, (viewport) => viewport.zoom < FAR);
  const speck = useStore(editor.viewport, (viewport) => viewport.zoom < SPECK);
  const large = nodes.length > LARGE;
  const distant = large && speck;
  const { near, far: farEdges } = useNearEdges(edges, distant);
  const gestures = useCanvasGestures();

  useEffect(() => {
    editor.view = createCanvasView(flow, store, () => frame.current);
    return () => {
      editor.view = undefined;
    };
  }, [editor, flow, store]);

  useFitOnOpen(documentId, nodes);
  useFitKept();
  useViewportFollowed();

  const doubleClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains("react-flow__pane") || readOnly) return;
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    editor.state.setState({ adding: { at, from: undefined } });
  };

  return (
    <div className={styles.canvas} data-region="canvas" data-far={far} data-speck={speck}>
      <span id="canvas-help" className="visually-hidden">
        Tab searches for a node to add, C connects the selected node, Alt and the arrow keys go from node to node, F6
        leaves the canvas, Shift and question mark lists all keys.
      </span>
      <FromAfar value={distant}>
        <ReactFlow
          ref={frame}
          tabIndex={0}
          aria-label="Graph canvas"
          aria-describedby="canvas-help"
          data-testid="canvas"
          onDoubleClick={doubleClick}
          nodes={nodes}
          edges={near}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onNodesChange={editor.canvas.changeNodes}
          onEdgesChange={editor.canvas.changeEdges}
          {...gestures}
          onMoveStart={(event) => event !== null && editor.view?.loosen()}
          connectionLineComponent={ConnectionLine}
          nodesDraggable={!readOnly}
          nodesConnectable={!readOnly}
          edgesReconnectable={!readOnly}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={["Shift", "Meta", "Control"]}
          selectionMode={SelectionMode.Partial}
          // Edges, their labels, cards: in this order whatever is selected.
          zIndexMode="manual"
          onlyRenderVisibleElements={large}
          connectionRadius={26}
          snapToGrid
          snapGrid={[10, 10]}
          minZoom={0.1}
          maxZoom={2}
          zoomOnDoubleClick={false}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.4} color="var(--dot)" bgColor="transparent" />
          {distant && <DistantEdges edges={farEdges} />}
          {nodes.length >= MAP_FROM && <GraphMap />}
        </ReactFlow>
      </FromAfar>
      <CanvasToolbar />
      <ZoomControls />
      <PortTooltip />
      {blank && <Welcome />}
      <Slot name="CanvasOverlay" />
    </div>
  );
}

/** From afar React Flow draws those edges only that look or move otherwise than the rest. */
function useNearEdges(edges: CanvasEdge[], distant: boolean): { near: CanvasEdge[]; far: CanvasEdge[] } {
  const { analysis, selection } = useWorkbench();
  const problems = useStore(analysis, (state) => state.problemsOfEdge);
  const chosen = useStore(selection, (items) => items.nodes);
  return useMemo(() => {
    if (!distant) return { near: edges, far: [] };
    const isNear = ({ id, selected, source, target }: CanvasEdge) =>
      selected === true || problems.has(id) || chosen.has(source) || chosen.has(target);
    return { near: edges.filter(isNear), far: edges.filter((edge) => !isNear(edge)) };
  }, [edges, distant, problems, chosen]);
}

/** Overlays that draw in window coordinates follow the viewport without drawing the canvas again. */
function useViewportFollowed(): void {
  const { editor } = useWorkbench();
  const flow = useStoreApi();
  useEffect(() => {
    const tell = ({ transform: [x, y, zoom] }: { transform: [number, number, number] }) => {
      const before = editor.viewport.getState();
      if (before.x !== x || before.y !== y || before.zoom !== zoom) editor.viewport.setState({ x, y, zoom });
    };
    tell(flow.getState());
    return flow.subscribe(tell);
  }, [editor, flow]);
}

/** Another document is shown whole, once all its cards have a size; within one document nothing moves unasked. */
function useFitOnOpen(documentId: string, nodes: readonly CanvasNode[]): void {
  const { editor } = useWorkbench();
  const flow = useReactFlow();
  const store = useStoreApi();
  const measured = useNodesInitialized();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === documentId) return;
    // What was drawn last may still be the document before, or this one before its cards were measured.
    if (nodes.length > 0 && !(measured && store.getState().nodesInitialized)) return;
    shown.current = documentId;
    if (nodes.length > 0) editor.view?.fit("at once");
    else void flow.setViewport({ x: 0, y: 0, zoom: 1 });
  }, [flow, store, editor, documentId, nodes, measured]);
}

/** A graph that was fitted is so still when the canvas gets another size: a banner or a panel then covers nothing of it. */
function useFitKept(): void {
  const { editor } = useWorkbench();
  const store = useStoreApi();
  useEffect(() => {
    let handle: number | undefined;
    // A frame later: what changed the size may have changed cards as well.
    const again = () => {
      handle = undefined;
      if (editor.view?.isFitted === true) editor.view.fit("at once");
    };
    const stop = store.subscribe(({ width, height }, before) => {
      if (before.width !== 0 && (width !== before.width || height !== before.height))
        handle ??= requestAnimationFrame(again);
    });
    return () => {
      stop();
      if (handle !== undefined) cancelAnimationFrame(handle);
    };
  }, [editor, store]);
}
