import { Autocomplete, Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useStore } from "zustand";
import { attachedPath, DATA_ENDINGS, formatOf } from "../document/data-files.ts";
import { chooseFiles, keepFile, pointSourceAt } from "../shell/file-actions.ts";
import { tell } from "../shell/notify.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";

/** A data file: one that the document has, or another from this machine, where it stays. */
export function FileWidget(props: FieldProps) {
  const workbench = useWorkbench();
  const { document, session } = workbench;
  const { form, attributes } = useControl(props);
  const attached = useStore(document, (state) => state.graph.data);
  const beside = useStore(session.store, (state) => state.files);
  const data = [...Object.keys(attached ?? {}).map(attachedPath), ...beside];
  const choose = () =>
    chooseFiles(DATA_ENDINGS, ([file]) => {
      const format = file && formatOf(file.name);
      if (file === undefined) return;
      if (format === undefined) tell(`${file.name} is no data that Weir reads (${DATA_ENDINGS.join(", ")})`, "warning");
      else void keepFile(workbench, file, format).then((kept) => pointSourceAt(workbench, form.id, kept));
    });
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <div className={styles.fileRow}>
        <Autocomplete
          {...attributes}
          size="xs"
          data={data}
          value={typeof props.value === "string" ? props.value : ""}
          placeholder="data/orders.csv"
          readOnly={form.readOnly}
          spellCheck={false}
          onChange={(value) => form.change(props.path, value)}
          onBlur={form.leave}
        />
        <Button
          leftSection={<IconUpload size={14} />}
          disabled={form.readOnly}
          data-testid="choose-file"
          onClick={choose}
        >
          File
        </Button>
      </div>
    </Frame>
  );
}
