import { IconAlertTriangleFilled } from "@tabler/icons-react";
import { Handle, type NodeProps, Position, useUpdateNodeInternals } from "@xyflow/react";
import { createContext, type KeyboardEvent, memo, useContext, useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { GraphNode } from "../document/graph.ts";
import { nodeName } from "../document/graph.ts";
import { focusOnMount } from "../shared/focus.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import { useParts } from "../shell/parts.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import type { CardNode, Ports } from "./canvas-items.ts";
import styles from "./NodeCard.module.css";
import { nodeSummary } from "./node-summary.ts";

/** A node of the graph. What a run shows on it comes from the parts' lanes. */
export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<CardNode>) {
  const { node, ports } = data;
  const { analysis, editor } = useWorkbench();
  const parts = useParts();
  const afar = useContext(AfarContext);
  const problems = useStore(analysis, (state) => state.problemsOfNode.get(node.id));
  const renaming = useStore(editor.state, (state) => state.renaming === node.id);
  // A single port on a side lies in the head; several have a row each.
  const inputs = ports.inputs.length > 1 ? ports.inputs : [];
  const outputs = ports.outputs.length > 1 ? ports.outputs : [];
  const rows = Math.max(inputs.length, outputs.length);
  const name = nodeName(node);
  const count = problems?.length ?? 0;
  const summary = nodeSummary(node);
  useHandleUpdates(node.id, ports);

  return (
    <article
      aria-label={`${name}, ${summary}${count > 0 ? `, ${count} ${count === 1 ? "problem" : "problems"}` : ""}`}
      className={styles.card}
      data-node={node.id}
      data-testid={`node-${node.id}`}
      data-kind={node.kind}
      data-selected={selected}
      data-problems={count > 0}
      onDoubleClick={() => editor.state.setState({ renaming: node.id })}
    >
      <div className={styles.head}>
        {(!afar || renaming) && (
          <>
            <span className={styles.icon}>
              <KindIcon kind={node.kind} />
            </span>
            <div className={styles.titles}>
              {renaming ? <NameField node={node} /> : <b>{name}</b>}
              <small>{summary}</small>
            </div>
          </>
        )}
        {count > 0 && (
          <span className={styles.badge} title={problems?.map((problem) => problem.message).join("\n")}>
            <IconAlertTriangleFilled size={11} />
            {count}
          </span>
        )}
        {inputs.length === 0 && <PortHandle node={node.id} side="in" port={ports.inputs[0]} />}
        {outputs.length === 0 && <PortHandle node={node.id} side="out" port={ports.outputs[0]} />}
      </div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={`${inputs[row]} ${outputs[row]}`} className={styles.ports}>
          <span>{inputs[row]}</span>
          <span>{outputs[row]}</span>
          <PortHandle node={node.id} side="in" port={inputs[row]} />
          <PortHandle node={node.id} side="out" port={outputs[row]} />
        </div>
      ))}
      {parts.map(({ id, NodeLane }) => NodeLane && <NodeLane key={id} nodeId={node.id} />)}
    </article>
  );
});

const AfarContext = createContext(false);

/**
 * In here a card has no words, which nobody could read, and its ports are only the places that edges come from: of a thousand cards
 * each port would otherwise hear of every change of the canvas, to find out each time that nobody draws an edge from it.
 */
export const FromAfar = AfarContext.Provider;

interface PortProps {
  readonly node: string;
  readonly side: "in" | "out";
  readonly port: string | undefined;
}

function PortHandle({ node, side, port }: PortProps) {
  const afar = useContext(AfarContext);
  if (port === undefined) return null;
  const type = side === "in" ? "target" : "source";
  const position = side === "in" ? Position.Left : Position.Right;
  const about = { "data-port": port, "data-side": side, "data-testid": `port-${node}-${side}-${port}` };
  if (!afar) return <Handle type={type} id={port} position={position} className={styles.handle} {...about} />;
  // What React Flow measures of a handle.
  return (
    <div
      className={`react-flow__handle react-flow__handle-${position} nodrag nopan ${type} ${styles.handle}`}
      data-handleid={port}
      data-nodeid={node}
      data-handlepos={position}
      {...about}
    />
  );
}

/** React Flow measures the places of ports when a card is first drawn, and has to be told when there are others. */
function useHandleUpdates(node: string, ports: Ports): void {
  const update = useUpdateNodeInternals();
  const measured = useRef(ports);
  useEffect(() => {
    if (measured.current === ports) return;
    measured.current = ports;
    update(node);
  }, [node, ports, update]);
}

function NameField({ node }: { node: GraphNode }) {
  const { editor } = useWorkbench();
  const close = () => {
    editor.state.setState({ renaming: undefined });
    editor.view?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.key === "Enter") event.currentTarget.blur();
    if (event.key !== "Escape") return;
    event.currentTarget.value = nodeName(node);
    event.currentTarget.blur();
  };
  return (
    <input
      ref={focusOnMount}
      className={`${styles.name} nodrag nopan`}
      aria-label={`Name of ${node.id}`}
      data-testid="rename"
      defaultValue={nodeName(node)}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={press}
      onBlur={(event) => {
        editor.rename(node.id, event.currentTarget.value);
        close();
      }}
    />
  );
}
