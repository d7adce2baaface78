import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, useStore as useFlowStore } from "@xyflow/react";
import { memo, useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { GraphEdge } from "../document/graph.ts";
import { ROUTES, routeText } from "../document/route-text.ts";
import { setRouteKind } from "../document/set-route.ts";
import { useWorkbench } from "../shell/workbench.ts";
import type { CanvasEdge } from "./canvas-items.ts";
import { type EdgeGeometry, edgeGeometry } from "./edge-geometry.ts";
import styles from "./FlowEdge.module.css";

/** An edge and its route. Its geometry is left where overlays find it. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, source, data, selected = false } = props;
  const { editor, analysis } = useWorkbench();
  const mayDrop = data?.mayDrop === true;
  const sourceHeight = useFlowStore((state) => (mayDrop ? state.nodeLookup.get(source)?.measured.height : undefined));
  const inserting = useStore(editor.state, (state) => state.insertEdge === id);
  const problems = useStore(analysis, (state) => state.problemsOfEdge.get(id));
  const geometry = useMemo(
    () => edgeGeometry({ sourceX, sourceY, targetX, targetY, sourceHeight, mayDrop }),
    [sourceX, sourceY, targetX, targetY, sourceHeight, mayDrop],
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
        interactionWidth={22}
        className={styles.path}
        data-state={state}
        data-testid={`edge-${id}`}
      />
      <RouteLabel edge={data.edge} geometry={geometry} selected={selected} state={state} />
    </>
  );
});

interface RouteLabelProps {
  readonly edge: GraphEdge;
  readonly geometry: EdgeGeometry;
  readonly selected: boolean;
  readonly state: string;
}

/** The route, written on the edge; on the selected edge it is a menu. */
function RouteLabel({ edge, geometry: { x, y, drops }, selected, state }: RouteLabelProps) {
  const text = routeText(edge.route);
  const plain = (edge.route?.kind ?? "forward") === "forward";
  const transform = drops
    ? `translate(0, -50%) translate(${x + 10}px, ${y}px)`
    : `translate(-50%, -50%) translate(${x}px, ${y}px)`;
  const className = `${styles.label} nodrag nopan`;
  if (plain && !selected && state === "plain") return null;
  return (
    <EdgeLabelRenderer>
      <div className={styles.anchor} style={{ transform, pointerEvents: selected ? "all" : "none" }}>
        {selected ? (
          <RouteMenu edge={edge} text={text} className={className} />
        ) : (
          <span className={className} data-state={state}>
            {text}
          </span>
        )}
      </div>
    </EdgeLabelRenderer>
  );
}

function RouteMenu({ edge, text, className }: { edge: GraphEdge; text: string; className: string }) {
  const { document, analysis } = useWorkbench();
  const current = edge.route?.kind ?? "forward";
  return (
    <Menu position="bottom">
      <Menu.Target>
        <button
          type="button"
          className={className}
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
