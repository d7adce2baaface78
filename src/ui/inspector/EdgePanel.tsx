import { MultiSelect, NumberInput, Select } from "@mantine/core";
import { useStore } from "zustand";
import { outputSchema } from "../document/analysis.ts";
import { portOf } from "../document/connections.ts";
import { type GraphEdge, nodeName, nodeOf } from "../document/graph.ts";
import { changeEdge } from "../document/graph-edits.ts";
import { ROUTES } from "../document/route-text.ts";
import { singleOf } from "../document/selection.ts";
import { setRouteKind } from "../document/set-route.ts";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";
import { ProblemLines } from "./ProblemLines.tsx";
import { PortSchema } from "./SchemaPanel.tsx";

export function EdgePanel() {
  const { document, selection } = useWorkbench();
  const id = useStore(selection, (items) => singleOf(items)?.id);
  const edge = useStore(document, (state) => state.graph.edges.find((each) => each.id === id));
  return edge === undefined ? null : <EdgeForm key={edge.id} edge={edge} />;
}

/** Route and capacity of an edge, and the columns that it carries. */
function EdgeForm({ edge }: { edge: GraphEdge }) {
  const workbench = useWorkbench();
  const { document, analysis, editor } = workbench;
  const readOnly = useStore(document, (state) => state.readOnly);
  const graph = useStore(document, (state) => state.graph);
  const problems = useStore(analysis, (state) => state.problemsOfEdge.get(edge.id)) ?? [];
  const state = useStore(analysis, (each) => each.analysis);
  const kind = edge.route?.kind ?? "forward";
  const port = portOf(edge.from, "from", nodeOf(graph, edge.from.node));
  const schema = outputSchema(state, edge.from.node, port);
  const columns = edge.route?.kind === "shuffle" ? edge.route.columns : [];
  const end = (node: string, label: string) => {
    const found = nodeOf(graph, node);
    return (
      <button type="button" className={styles.link} onClick={() => editor.goTo({ nodes: new Set([node]) })}>
        {label}
        <small>{found === undefined ? node : nodeName(found)}</small>
      </button>
    );
  };
  return (
    <>
      <div className={styles.form} data-testid="edge-config">
        <ProblemLines problems={problems} />
        <div className={styles.field}>
          <Select
            label="Route"
            data-testid="field-route"
            data={ROUTES.map(({ kind: value, title }) => ({ value, label: title }))}
            value={kind}
            description={ROUTES.find((route) => route.kind === kind)?.meaning}
            inputWrapperOrder={["label", "input", "description", "error"]}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(next) => {
              const chosen = ROUTES.find((route) => route.kind === next);
              if (chosen) setRouteKind(document, analysis, edge, chosen.kind);
            }}
          />
        </div>
        {kind === "shuffle" && (
          <div className={styles.field}>
            <MultiSelect
              label="By the hash of"
              data-testid="field-route-columns"
              data={[...new Set([...(schema?.names ?? []), ...columns])]}
              value={[...columns]}
              placeholder={columns.length === 0 ? "All rows to subtask 0" : undefined}
              searchable
              readOnly={readOnly}
              onChange={(next) =>
                document.edit("change the route", (current) =>
                  changeEdge(current, edge.id, { route: { kind: "shuffle", columns: next } }),
                )
              }
            />
          </div>
        )}
        <div className={styles.field}>
          <NumberInput
            label="Capacity"
            data-testid="field-capacity"
            value={edge.capacity ?? ""}
            placeholder={`${graph.settings.edgeCapacity}, as the graph's settings say`}
            suffix=" messages"
            min={1}
            max={65_536}
            allowDecimal={false}
            readOnly={readOnly}
            onChange={(value) =>
              document.edit(
                "change the capacity",
                (current) =>
                  changeEdge(current, edge.id, {
                    capacity: typeof value === "number" && value >= 1 ? value : undefined,
                  }),
                `capacity:${edge.id}`,
              )
            }
            onBlur={document.seal}
          />
        </div>
        <div className={styles.field}>
          {end(edge.from.node, "From")}
          {end(edge.to.node, "To")}
        </div>
      </div>
      <PortSchema title="Carries" schema={schema} missing="The columns are not known yet." />
    </>
  );
}
