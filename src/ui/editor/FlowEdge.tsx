import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { BaseEdge, type EdgeProps, type InternalNode, useStore as useFlowStore } from "@xyflow/react";
import { memo, type ReactNode, useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import type { GraphEdge } from "../document/graph.ts";
import { ROUTES, routeText } from "../document/route-text.ts";
import { singleOf } from "../document/selection.ts";
import { setRouteKind } from "../document/set-route.ts";
import { useWorkbench } from "../shell/workbench.ts";
import type { CanvasEdge } from "./canvas-items.ts";
import { type EdgeEnds, type EdgeGeometry, edgeGeometry, INTERACTION_WIDTH } from "./edge-geometry.ts";
import styles from "./FlowEdge.module.css";

/** An edge and its route. Its geometry is left where overlays find it. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, source, target, data, selected = false } = props;
  const { editor, analysis } = useWorkbench();
  const mayDrop = data?.mayDrop === true;
  const drop = useFlowStore(
    ({ nodeLookup }) => (mayDrop ? dropOf(nodeLookup.get(source), nodeLookup.get(target)) : undefined),
    sameDrop,
  );
  const inserting = useStore(editor.state, (state) => state.insertEdge === id);
  const problems = useStore(analysis, (state) => state.problemsOfEdge.get(id));
  const geometry = useMemo(
    () => edgeGeometry({ sourceX, sourceY, targetX, targetY, drop }),
    [sourceX, sourceY, targetX, targetY, drop],
  );
  useEffect(() => {
    editor.edgePlaces.set(id, geometry);
    return () => void editor.edgePlaces.delete(id);
  }, [editor, id, geometry]);

  if (data === undefined) return null;
  const state = inserting ? "inserting" : problems !== undefined ? "problem" : selected ? "selected" : "plain";
  return (
    <>
      <BaseEdge
        path={geometry.path}
        interactionWidth={INTERACTION_WIDTH}
        className={styles.path}
        data-state={state}
        data-testid={`edge-${id}`}
      />
      <RouteLabel edge={data.edge} geometry={geometry} selected={selected} state={state} />
    </>
  );
});

type Drop = EdgeEnds["drop"];

function dropOf(source: InternalNode | undefined, target: InternalNode | undefined): Drop {
  const height = source?.measured.height;
  if (source === undefined || target === undefined || height === undefined) return undefined;
  return { from: source.internals.positionAbsolute.y + height, to: target.internals.positionAbsolute.y };
}

const sameDrop = (a: Drop, b: Drop): boolean => a?.from === b?.from && a?.to === b?.to;

/** In the layer of edge labels, which is looked for once: React Flow's own portal looks for it with every change of the canvas. */
function EdgeLabel({ children }: { children: ReactNode }) {
  const canvas = useFlowStore(({ domNode }) => domNode);
  const layer = useMemo(() => canvas?.querySelector(".react-flow__edgelabel-renderer"), [canvas]);
  return layer ? createPortal(children, layer) : null;
}

interface RouteLabelProps {
  readonly edge: GraphEdge;
  readonly geometry: EdgeGeometry;
  readonly selected: boolean;
  readonly state: string;
}

/** The route, written on the edge; a click selects the edge and offers the other routes. */
function RouteLabel({ edge, geometry: { x, y, drops }, selected, state }: RouteLabelProps) {
  const { selection } = useWorkbench();
  const alone = useStore(selection, (items) => selected && singleOf(items) !== undefined);
  const [asked, setAsked] = useState(false);
  const text = routeText(edge.route);
  const plain = (edge.route?.kind ?? "forward") === "forward";
  if (plain && !alone && state !== "problem") return null;
  const transform = drops
    ? `translate(0, -50%) translate(${x + 10}px, ${y}px)`
    : `translate(-50%, -50%) translate(${x}px, ${y}px)`;
  const choose = () => {
    selection.select({ edges: new Set([edge.id]) });
    setAsked(true);
  };
  return (
    <EdgeLabel>
      <div className={styles.anchor} data-drops={drops} style={{ transform }}>
        {alone ? (
          <RouteMenu edge={edge} text={text} startOpen={asked} onClose={() => setAsked(false)} />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            className={`${styles.label} nodrag nopan`}
            data-state={state}
            data-testid={`route-${edge.id}`}
            onClick={choose}
          >
            {text}
          </button>
        )}
      </div>
    </EdgeLabel>
  );
}

interface RouteMenuProps {
  readonly edge: GraphEdge;
  readonly text: string;
  readonly startOpen: boolean;
  readonly onClose: () => void;
}

function RouteMenu({ edge, text, startOpen, onClose }: RouteMenuProps) {
  const { document, analysis } = useWorkbench();
  const readOnly = useStore(document, (state) => state.readOnly);
  const current = edge.route?.kind ?? "forward";
  return (
    <Menu position="bottom" defaultOpened={startOpen} onClose={onClose} disabled={readOnly}>
      <Menu.Target>
        <button
          type="button"
          className={`${styles.label} nodrag nopan`}
          data-state="selected"
          data-testid={`route-${edge.id}`}
          aria-label={`Route: ${text}`}
        >
          {text}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {ROUTES.map(({ kind, title, meaning }) => (
          <Menu.Item
            key={kind}
            data-testid={`route-option-${kind}`}
            rightSection={kind === current ? <IconCheck size={14} /> : undefined}
            onClick={() => setRouteKind(document, analysis, edge, kind)}
          >
            {title}
            <small className={styles.meaning}>{meaning}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
