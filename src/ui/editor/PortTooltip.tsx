import { useEffect, useRef, useState } from "react";
import { typeName } from "../../engine/index.ts";
import { inputSchema, outputSchema } from "../document/analysis.ts";
import { nodeName, nodeOf } from "../document/graph.ts";
import { ColumnList } from "../shared/ColumnList.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Canvas.module.css";

interface Hovered {
  readonly node: string;
  readonly port: string;
  readonly side: "in" | "out";
  readonly x: number;
  readonly y: number;
}

const DELAY_MS = 250;
const MOST = 14;

/** The columns of the port under the pointer. One for all ports; the schema tab of the inspector shows the same to the keyboard. */
export function PortTooltip() {
  const { document: graphDocument, analysis } = useWorkbench();
  const anchor = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<Hovered>();

  useEffect(() => {
    const canvas = anchor.current?.parentElement;
    if (!canvas) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = (event: MouseEvent) => {
      const handle = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-port]") : null;
      clearTimeout(timer);
      setHovered(undefined);
      if (handle === null || event.buttons !== 0) return;
      timer = setTimeout(() => setHovered(hoveredPort(handle, canvas)), DELAY_MS);
    };
    const hide = () => over(new MouseEvent("mouseover"));
    canvas.addEventListener("mouseover", over);
    canvas.addEventListener("mousedown", hide, true);
    canvas.addEventListener("mouseleave", hide);
    document.addEventListener("keydown", hide);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("mouseover", over);
      canvas.removeEventListener("mousedown", hide, true);
      canvas.removeEventListener("mouseleave", hide);
      document.removeEventListener("keydown", hide);
    };
  }, []);

  const node = hovered && nodeOf(graphDocument.getState().graph, hovered.node);
  if (hovered === undefined || node === undefined) return <div ref={anchor} hidden />;
  const state = analysis.getState().analysis;
  const schema =
    hovered.side === "in" ? inputSchema(state, node.id, hovered.port) : outputSchema(state, node.id, hovered.port);
  return (
    <>
      <div ref={anchor} hidden />
      <div
        role="tooltip"
        className={styles.tooltip}
        style={{ left: hovered.x, top: hovered.y }}
        data-testid="port-tooltip"
      >
        <h3>
          {nodeName(node)} · {hovered.port}
        </h3>
        {schema === undefined ? (
          <p>{hovered.side === "in" ? "Nothing comes in yet." : "The columns are not known yet."}</p>
        ) : (
          <ColumnList columns={schema.fields.map((field) => ({ ...field, type: typeName(field.type) }))} most={MOST} />
        )}
      </div>
    </>
  );
}

function hoveredPort(handle: HTMLElement, canvas: HTMLElement): Hovered | undefined {
  const { port, side } = handle.dataset;
  const node = handle.closest<HTMLElement>("[data-node]")?.dataset["node"];
  if (port === undefined || node === undefined) return undefined;
  const at = handle.getBoundingClientRect();
  const frame = canvas.getBoundingClientRect();
  return {
    node,
    port,
    side: side === "in" ? "in" : "out",
    x: Math.min(at.right - frame.left + 8, frame.width - 290),
    y: at.bottom - frame.top + 4,
  };
}
