import { type InternalNode, useStore as useFlowStore, useStoreApi } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { useWorkbench } from "../shell/workbench.ts";
import type { CanvasEdge } from "./canvas-items.ts";
import { DistantPlaces, type EdgePlace, type MeasuredPorts } from "./distant-places.ts";
import { INTERACTION_WIDTH } from "./edge-geometry.ts";
import styles from "./FlowEdge.module.css";

/**
 * The edges of a large graph from so far that no word on them can be read, in one drawing. As React Flow draws them each has a layer
 * of its own and hears of every change of the canvas: with a thousand of them that takes longer than all else together.
 */
export function DistantEdges({ edges }: { edges: readonly CanvasEdge[] }) {
  const { editor, selection } = useWorkbench();
  const store = useStoreApi();
  const canvas = useFlowStore(({ domNode }) => domNode);
  const layer = useMemo(() => canvas?.querySelector(".react-flow__edges"), [canvas]);
  const nodes = useStore(editor.canvas, (state) => state.nodes);
  const [places] = useState(() => new DistantPlaces());
  const drawn = places.of(edges, nodes, portsOf(store.getState().nodeLookup));
  useEffect(() => {
    for (const { edge, geometry } of drawn) editor.edgePlaces.set(edge.id, geometry);
    return () => {
      for (const { edge } of drawn) editor.edgePlaces.delete(edge.id);
    };
  }, [editor, drawn]);

  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const choose = ({ target }: Event) => {
      if (!(target instanceof Element) || svg.current?.contains(target) !== true) return;
      const id = target.closest<SVGElement>(".react-flow__edge")?.dataset["id"];
      if (id === undefined) return;
      const also = store.getState().multiSelectionActive ? selection.getState().edges : [];
      selection.select({ edges: new Set([...also, id]) });
    };
    layer?.addEventListener("click", choose);
    return () => layer?.removeEventListener("click", choose);
  }, [store, selection, layer]);

  const drawing = useMemo(
    () => (
      <svg ref={svg} aria-hidden="true">
        {drawn.map((place) => (
          <DistantEdge key={place.edge.id} place={place} />
        ))}
      </svg>
    ),
    [drawn],
  );
  return layer ? createPortal(drawing, layer) : null;
}

function DistantEdge({ place: { edge, geometry } }: { place: EdgePlace }) {
  return (
    <g className="react-flow__edge" data-id={edge.id}>
      <path d={geometry.path} className={styles.path} data-state="plain" data-testid={`edge-${edge.id}`} />
      <path d={geometry.path} className={styles.reach} strokeWidth={INTERACTION_WIDTH} />
    </g>
  );
}

function portsOf(nodes: ReadonlyMap<string, InternalNode>): MeasuredPorts {
  return (node, side, port) => {
    const ports = nodes.get(node)?.internals.handleBounds?.[side];
    return ports?.find(({ id }) => id === port) ?? undefined;
  };
}
