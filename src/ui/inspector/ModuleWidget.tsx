import { Autocomplete, Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useStore } from "zustand";
import { attachedPath, MODULE_ENDINGS } from "../document/data-files.ts";
import { chooseFiles, takeModule } from "../shell/file-actions.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";

const isModule = (path: string): boolean => MODULE_ENDINGS.some((ending) => path.endsWith(ending));

/** A WebAssembly module: one that the document has, or another from this machine. */
export function ModuleWidget(props: FieldProps) {
  const workbench = useWorkbench();
  const { document, session } = workbench;
  const { form, attributes } = useControl(props);
  const attached = useStore(document, (state) => state.graph.data);
  const beside = useStore(session.store, (state) => state.files);
  const data = [...Object.keys(attached ?? {}).map(attachedPath), ...beside].filter(isModule);
  const choose = () =>
    chooseFiles(MODULE_ENDINGS, ([file]) => {
      if (file !== undefined) void takeModule(workbench, form.id, file);
    });
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <div className={styles.fileRow}>
        <Autocomplete
          {...attributes}
          size="xs"
          data={data}
          value={typeof props.value === "string" ? props.value : ""}
          placeholder={props.schema.placeholder ?? ""}
          readOnly={form.readOnly}
          spellCheck={false}
          onChange={(value) => form.change(props.path, value)}
          onBlur={form.leave}
        />
        <Button
          leftSection={<IconUpload size={14} />}
          disabled={form.readOnly}
          data-testid="choose-module"
          onClick={choose}
        >
          File
        </Button>
      </div>
    </Frame>
  );
}
