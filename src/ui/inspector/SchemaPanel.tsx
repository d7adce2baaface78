import { useStore } from "zustand";
import { type Schema, typeName } from "../../engine/index.ts";
import { inputSchema, outputSchema } from "../document/analysis.ts";
import { inputPorts, outputPorts } from "../document/connections.ts";
import { ColumnList } from "../shared/ColumnList.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";
import { useSelectedNode } from "./NodePanel.tsx";

/** The columns at every port of the node. */
export function NodeSchema() {
  const { analysis } = useWorkbench();
  const state = useStore(analysis, (each) => each.analysis);
  const node = useSelectedNode();
  if (node === undefined) return null;
  const inputs = inputPorts(node);
  const outputs = outputPorts(state, node);
  return (
    <>
      {inputs.map((port) => (
        <PortSchema
          key={`in ${port}`}
          title={inputs.length > 1 ? `Comes in at ${port}` : "Comes in"}
          schema={inputSchema(state, node.id, port)}
          missing="Nothing comes in yet."
        />
      ))}
      {outputs.map((port) => (
        <PortSchema
          key={`out ${port}`}
          title={outputs.length > 1 ? `Goes out at ${port}` : "Goes out"}
          schema={outputSchema(state, node.id, port)}
          missing="Not known yet."
        />
      ))}
    </>
  );
}

export function PortSchema({ title, schema, missing }: { title: string; schema: Schema | undefined; missing: string }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {schema === undefined ? (
        <p>{missing}</p>
      ) : (
        <ColumnList columns={schema.fields.map((field) => ({ ...field, type: typeName(field.type) }))} />
      )}
    </section>
  );
}
