import { Autocomplete, Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useStore } from "zustand";
import { attachedPath } from "../document/data-files.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";

interface PathFieldProps {
  readonly field: FieldProps;
  /** Paths to propose. */
  readonly known: readonly string[];
  readonly placeholder: string;
  readonly chooseId: string;
  /** Asks for a file of this machine. */
  readonly choose: () => void;
}

/** A path, written, picked from what is known, or that of a file from this machine. */
export function PathField({ field, known, placeholder, chooseId, choose }: PathFieldProps) {
  const { form, attributes } = useControl(field);
  return (
    <Frame title={fieldTitle(field)} path={field.path} help={field.schema.description}>
      <div className={styles.fileRow}>
        <Autocomplete
          {...attributes}
          size="xs"
          data={[...known]}
          value={typeof field.value === "string" ? field.value : ""}
          placeholder={placeholder}
          readOnly={form.readOnly}
          spellCheck={false}
          onChange={(value) => form.change(field.path, value)}
          onBlur={form.leave}
        />
        <Button leftSection={<IconUpload size={14} />} disabled={form.readOnly} data-testid={chooseId} onClick={choose}>
          File
        </Button>
      </div>
    </Frame>
  );
}

/** What the document carries and what lies beside it, as paths. */
export function useKnownFiles(): readonly string[] {
  const { document, session } = useWorkbench();
  const attached = useStore(document, (state) => state.graph.data);
  const beside = useStore(session.store, (state) => state.files);
  return [...Object.keys(attached ?? {}).map(attachedPath), ...beside];
}
