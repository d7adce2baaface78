import { NumberInput, Textarea, TextInput } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { CATALOG, type Problem, type Schema, typeName } from "../../engine/index.ts";
import { inputSchema } from "../document/analysis.ts";
import { inputPorts } from "../document/connections.ts";
import { type GraphNode, nodeName, nodeOf } from "../document/graph.ts";
import { changeNode } from "../document/graph-edits.ts";
import { singleOf } from "../document/selection.ts";
import type { ShownColumn } from "../shared/ColumnList.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";
import { configSchemaOf, setField } from "./field-schema.ts";
import { type FormContext, FormProvider } from "./form-context.ts";
import { NodeLinks } from "./NodeLinks.tsx";
import { ProblemLines } from "./ProblemLines.tsx";
import { SchemaField, SchemaFields } from "./SchemaForm.tsx";

const NONE: readonly Problem[] = [];

/** The node that is selected alone. */
export function useSelectedNode(): GraphNode | undefined {
  const { document, selection } = useWorkbench();
  const id = useStore(selection, (items) => {
    const single = singleOf(items);
    return single?.kind === "node" ? single.id : undefined;
  });
  return useStore(document, (state) => (id === undefined ? undefined : nodeOf(state.graph, id)));
}

export function NodeConfig() {
  const node = useSelectedNode();
  return node === undefined ? null : <ConfigForm key={node.id} node={node} />;
}

function ConfigForm({ node }: { node: GraphNode }) {
  const { document, analysis, editor } = useWorkbench();
  const problems = useStore(analysis, (state) => state.problemsOfNode.get(node.id)) ?? NONE;
  const readOnly = useStore(document, (state) => state.readOnly);
  const columns = useInputColumns(node);
  const columnsOfInput = useColumnsOfInput(node);
  const inputPort = inputPorts(node)[0];
  const input = useStore(analysis, (state) => inputSchema(state.analysis, node.id, inputPort ?? ""));
  const fileColumns = useStore(analysis, (state) => state.fileColumns.get(node.id));
  const spec = CATALOG.get(node.kind);
  useProblemFocus(node.id);
  const form = useMemo(
    (): FormContext => ({
      id: node.id,
      root: "config",
      value: node.config,
      readOnly,
      problems,
      columns,
      columnsOfInput,
      input,
      inputPlace: inputPort === undefined ? undefined : { node: node.id, side: "in", port: inputPort },
      fileColumns,
      change: (path, value) => {
        const name = path.join(".");
        document.edit(
          `edit ${nodeName(node)}`,
          (graph) => {
            const config = nodeOf(graph, node.id)?.config ?? {};
            const schema = spec && configSchemaOf(spec);
            return changeNode(graph, node.id, { config: setField(schema, config, path, value) as GraphNode["config"] });
          },
          `config:${node.id}:${name}`,
        );
      },
      leave: document.seal,
      Field: SchemaField,
      Fields: SchemaFields,
    }),
    [document, node, spec, readOnly, problems, columns, columnsOfInput, input, inputPort, fileColumns],
  );
  const set = (change: Partial<GraphNode>) =>
    document.edit(
      `edit ${nodeName(node)}`,
      (graph) => changeNode(graph, node.id, change),
      `node:${node.id}:${Object.keys(change).join()}`,
    );
  if (spec === undefined) return <p className={styles.section}>There is no kind {node.kind}.</p>;
  const schema = configSchemaOf(spec);
  const other = problems.filter(({ field = "" }) => !field.startsWith("config.") && field !== "parallelism");

  return (
    <div className={styles.form} data-testid="node-config">
      <p className={styles.intro}>{spec.help}</p>
      <ProblemLines problems={other} />
      <div className={styles.field}>
        <TextInput
          label="Name"
          data-testid="field-name"
          value={node.name ?? ""}
          placeholder={node.id}
          readOnly={readOnly}
          onChange={(event) => set({ name: event.currentTarget.value || undefined })}
          onBlur={document.seal}
        />
      </div>
      <div className={styles.field}>
        <NumberInput
          label="Parallelism"
          data-testid="field-parallelism"
          value={node.parallelism}
          min={1}
          allowDecimal={false}
          suffix={node.parallelism === 1 ? " subtask" : " subtasks"}
          readOnly={readOnly}
          error={problems.find(({ field }) => field === "parallelism")?.message}
          onChange={(value) => typeof value === "number" && value >= 1 && set({ parallelism: value })}
          onBlur={document.seal}
        />
      </div>
      <FormProvider value={form}>
        <SchemaFields schema={schema} path={[]} />
      </FormProvider>
      <div className={styles.field}>
        <Textarea
          label="Notes"
          data-testid="field-notes"
          autosize
          minRows={2}
          value={node.notes ?? ""}
          readOnly={readOnly}
          onChange={(event) => set({ notes: event.currentTarget.value || undefined })}
          onBlur={document.seal}
        />
      </div>
      <NodeLinks node={node} onOpen={(edge) => editor.goTo({ edges: new Set([edge]) })} />
    </div>
  );
}

/** Columns that arrive at the node, over all its inputs. A source's own columns are those of its time and the like. */
function useInputColumns(node: GraphNode): readonly ShownColumn[] {
  const { analysis } = useWorkbench();
  const state = useStore(analysis, (each) => each.analysis);
  return useMemo(() => {
    const inputs = CATALOG.get(node.kind)?.inputs ?? [];
    const own = Array.isArray(node.config["schema"]) ? (node.config["schema"] as ShownColumn[]) : [];
    const out = state.schemas.get(node.id)?.outputs["out"];
    const schemas =
      inputs.length === 0
        ? out === undefined
          ? []
          : [out]
        : inputs.map(({ name }) => inputSchema(state, node.id, name));
    const columns = schemas.flatMap(shownColumns);
    const all = inputs.length === 0 ? [...columns, ...own] : columns;
    return [
      ...new Map(
        all.filter((column) => typeof column?.name === "string").map((column) => [column.name, column]),
      ).values(),
    ];
  }, [state, node]);
}

/** Of a node with several inputs. */
function useColumnsOfInput(node: GraphNode): ReadonlyMap<string, readonly ShownColumn[]> | undefined {
  const { analysis } = useWorkbench();
  const state = useStore(analysis, (each) => each.analysis);
  return useMemo(() => {
    const inputs = CATALOG.get(node.kind)?.inputs ?? [];
    if (inputs.length < 2) return undefined;
    return new Map(inputs.map(({ name }) => [name, shownColumns(inputSchema(state, node.id, name))]));
  }, [state, node.kind, node.id]);
}

const shownColumns = (schema: Schema | undefined): readonly ShownColumn[] =>
  schema?.fields.map((field) => ({ ...field, type: typeName(field.type) })) ?? [];

/** When somebody came here from a problem, its field gets the focus. */
function useProblemFocus(node: string): void {
  const { view } = useWorkbench();
  const focus = useStore(view, (state) => state.focus);
  useEffect(() => {
    if (focus?.node !== node) return;
    view.setState({ focus: undefined });
    const field = nearestField(node, focus.field);
    field?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  }, [view, focus, node]);
}

const FIELDS = "input, textarea, button, [contenteditable]";

/** The control of the field, or of what it is part of. */
function nearestField(node: string, field: string): HTMLElement | null {
  for (let name = field; name !== ""; name = name.replace(/(\.[^.[\]]*|\[\d+\]|^[^.[\]]*)$/, "")) {
    const found = document.getElementById(`field:${node}:${name}`);
    if (found !== null) return found.matches(FIELDS) ? found : found.querySelector<HTMLElement>(FIELDS);
  }
  return null;
}
