import { useMemo } from "react";
import { useStore } from "zustand";
import { CATALOG, KINDS } from "../../engine/index.ts";
import { inputPorts, judge, outputPorts } from "../document/connections.ts";
import { type GraphNode, nodeName, nodeOf } from "../document/graph.ts";
import { routeText } from "../document/route-text.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import { Picker, type PickerItem } from "../shared/Picker.tsx";
import { useWorkbench, type Workbench } from "../shell/workbench.ts";
import styles from "./Canvas.module.css";
import { nodeSummary } from "./node-summary.ts";
import { GROUPS } from "./Palette.tsx";

/** What the editor asks the person, and the card that is carried from the palette. */
export function EditorDialogs() {
  return (
    <>
      <AddNode />
      <ConnectNode />
      <FindNode />
      <Carried />
    </>
  );
}

function AddNode() {
  const { editor } = useWorkbench();
  const adding = useStore(editor.state, (state) => state.adding);
  const items = useMemo(
    () =>
      GROUPS.flatMap(({ group, title }) =>
        KINDS.filter((spec) => spec.group === group).map((spec) => ({
          id: spec.kind,
          label: spec.title,
          group: title,
          detail: spec.summary,
          icon: <KindIcon kind={spec.kind} />,
          keywords: spec.kind,
        })),
      ),
    [],
  );
  const fitting = adding?.from === undefined ? items : items.filter((item) => CATALOG.get(item.id)?.role !== "source");
  return (
    <Picker
      opened={adding !== undefined}
      title="Add a node"
      placeholder={adding?.from === undefined ? "Add a node" : "Go on with"}
      items={fitting}
      nothing="No kind of node has such a name"
      testId="add-node-dialog"
      onClose={() => editor.state.setState({ adding: undefined })}
      onPick={(kind) => {
        editor.add(kind, { at: adding?.at, from: adding?.from });
        editor.view?.focus();
      }}
    />
  );
}

/** Draws an edge by keyboard: every port that the node could lead to, and why not where it cannot. */
function ConnectNode() {
  const workbench = useWorkbench();
  const { editor } = workbench;
  const id = useStore(editor.state, (state) => state.connecting);
  const node = id === undefined ? undefined : nodeOf(editor.graph, id);
  const items = node === undefined ? [] : targetsOf(workbench, node);
  return (
    <Picker
      opened={node !== undefined}
      title={node === undefined ? "Connect" : `Connect ${nodeName(node)} to`}
      placeholder={node === undefined ? "" : `Connect ${nodeName(node)} to`}
      items={items}
      nothing="There is nothing to connect to"
      testId="connect-dialog"
      onClose={() => editor.state.setState({ connecting: undefined })}
      onPick={(key) => {
        const [from, port, to, toPort] = JSON.parse(key) as [string, string, string, string];
        editor.connect({ node: from, port }, { node: to, port: toPort });
        editor.view?.focus();
      }}
    />
  );
}

function targetsOf({ editor, analysis }: Workbench, node: GraphNode): PickerItem[] {
  const { graph } = editor;
  const outputs = outputPorts(analysis.getState().analysis, node);
  return outputs.flatMap((port) =>
    graph.nodes
      .filter((each) => each.id !== node.id)
      .flatMap((target) =>
        inputPorts(target).map((toPort) => {
          const verdict = judge(graph, { node: node.id, port }, { node: target.id, port: toPort });
          const many = inputPorts(target).length > 1;
          return {
            id: JSON.stringify([node.id, port, target.id, toPort]),
            label: many ? `${nodeName(target)} · ${toPort}` : nodeName(target),
            group: outputs.length > 1 ? `from ${port}` : undefined,
            detail: verdict.kind === "yes" ? routeText(verdict.route) : undefined,
            refused: verdict.kind === "no" ? verdict.reason : undefined,
            icon: <KindIcon kind={target.kind} />,
          };
        }),
      ),
  );
}

function FindNode() {
  const { editor, document, view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "find");
  const nodes = useStore(document, (state) => state.graph.nodes);
  const items = opened
    ? nodes.map((node) => ({
        id: node.id,
        label: nodeName(node),
        detail: nodeSummary(node),
        icon: <KindIcon kind={node.kind} />,
        keywords: `${node.id} ${node.kind} ${node.notes ?? ""}`,
      }))
    : [];
  return (
    <Picker
      opened={opened}
      title="Find a node"
      placeholder="Find a node by name, kind or note"
      items={items}
      nothing="No node is called so"
      testId="find-dialog"
      onClose={view.close}
      onPick={(id) => {
        editor.goTo({ nodes: new Set([id]) });
        editor.view?.focus();
      }}
    />
  );
}

function Carried() {
  const { editor } = useWorkbench();
  const carrying = useStore(editor.state, (state) => state.carrying);
  if (carrying === undefined) return null;
  return (
    <div className={styles.ghost} style={{ left: carrying.x - 100, top: carrying.y - 22 }}>
      <KindIcon kind={carrying.kind} />
      {CATALOG.get(carrying.kind)?.title}
    </div>
  );
}
