import { useMemo } from "react";
import { useStore } from "zustand";
import { settingsSchema } from "../../engine/index.ts";
import type { GraphSettings } from "../document/graph.ts";
import { changeSettings } from "../document/graph-edits.ts";
import { setIn } from "../shared/deep.ts";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";
import { fieldSchemaOf } from "./field-schema.ts";
import { type FormContext, FormProvider } from "./form-context.ts";
import { HostsWidget } from "./HostsWidget.tsx";
import { ProblemLines } from "./ProblemLines.tsx";
import { SchemaField, SchemaFields } from "./SchemaForm.tsx";

const SCHEMA = fieldSchemaOf(settingsSchema);
const { hosts: HOSTS, ...PROPERTIES } = SCHEMA.properties ?? {};

/** How the graph runs. */
export function GraphSettingsPanel() {
  const { document, analysis } = useWorkbench();
  const settings = useStore(document, (state) => state.graph.settings);
  const readOnly = useStore(document, (state) => state.readOnly);
  const all = useStore(analysis, (state) => state.analysis.problems);
  const blank = useStore(document, (state) => state.graph.nodes.length === 0);
  const problems = useMemo(
    () => all.filter((problem) => problem.node === undefined && problem.edge === undefined),
    [all],
  );
  const form = useMemo(
    (): FormContext => ({
      id: "settings",
      root: "settings",
      value: settings,
      readOnly,
      problems,
      columns: [],
      change: (path, value) => {
        // The document keeps every setting, so one that is emptied takes its default.
        const given = value === undefined ? SCHEMA.properties?.[String(path[0])]?.default : value;
        document.edit(
          "change the settings",
          (graph) => changeSettings(graph, setIn<GraphSettings>(graph.settings, path, given)),
          `settings:${path.join(".")}`,
        );
      },
      leave: document.seal,
      Field: SchemaField,
      Fields: SchemaFields,
    }),
    [document, settings, readOnly, problems],
  );
  return (
    <div className={styles.form} data-testid="graph-settings">
      {!blank && <ProblemLines problems={problems.filter(({ field = "" }) => !field.startsWith("settings."))} />}
      <FormProvider value={form}>
        {HOSTS && <HostsWidget name="hosts" path={["hosts"]} schema={HOSTS} value={settings.hosts} required={false} />}
        <SchemaFields schema={{ ...SCHEMA, properties: PROPERTIES }} path={[]} />
      </FormProvider>
    </div>
  );
}
