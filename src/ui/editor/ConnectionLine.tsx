import type { ConnectionLineComponentProps } from "@xyflow/react";
import { judge } from "../document/connections.ts";
import { routeText } from "../document/route-text.ts";
import { useWorkbench } from "../shell/workbench.ts";
import type { CanvasNode } from "./canvas-items.ts";
import { edgeGeometry } from "./edge-geometry.ts";
import styles from "./FlowEdge.module.css";

/** The edge that is being drawn. Over a port it says what would come of it: the route, or why it cannot be. */
export function ConnectionLine({
  fromX,
  fromY,
  toX,
  toY,
  fromHandle,
  toHandle,
  connectionStatus,
}: ConnectionLineComponentProps<CanvasNode>) {
  const { editor } = useWorkbench();
  const forwards = fromHandle.type === "source";
  const [start, end] = forwards
    ? [
        { x: fromX, y: fromY },
        { x: toX, y: toY },
      ]
    : [
        { x: toX, y: toY },
        { x: fromX, y: fromY },
      ];
  const { path } = edgeGeometry({
    sourceX: start.x,
    sourceY: start.y,
    targetX: end.x,
    targetY: end.y,
    drop: undefined,
  });
  const mine = { node: fromHandle.nodeId, port: fromHandle.id ?? "" };
  const other = toHandle && { node: toHandle.nodeId, port: toHandle.id ?? "" };
  const verdict =
    other &&
    (toHandle.type !== fromHandle.type
      ? judge(editor.graph, forwards ? mine : other, forwards ? other : mine)
      : undefined);
  const isSelf = toHandle?.nodeId === fromHandle.nodeId && toHandle.id === fromHandle.id;

  return (
    <g>
      <path d={path} className={styles.line} data-valid={connectionStatus !== "invalid"} />
      {verdict && !isSelf && (
        <foreignObject x={toX + 14} y={toY + 14} width={240} height={120} overflow="visible">
          <div
            className={styles.reason}
            role="status"
            data-testid="connection-verdict"
            data-valid={verdict.kind === "yes"}
          >
            {verdict.kind === "no" ? verdict.reason : routeText(verdict.route)}
          </div>
        </foreignObject>
      )}
    </g>
  );
}
