import { ActionIcon, Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { getIn, placed } from "../shared/deep.ts";
import { JsonControl } from "./basic-controls.tsx";
import { cellText, valueOfText } from "./cell-values.ts";
import { Frame, fieldTitle } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";
import { useForm } from "./form-context.ts";
import { columnsOf } from "./SchemaWidget.tsx";

/** More rows than this are written as text. */
const MOST = 60;

/** Rows of a document, in a small table; or as JSON. */
export function RowsWidget(props: FieldProps) {
  const form = useForm();
  const [asText, setAsText] = useState(false);
  const { path, value } = props;
  const rows = Array.isArray(value) ? (value as unknown[]) : [];
  const columns = columnsOf(getIn(form.value, ["schema"])).map(({ name = "", type = "utf8" }) => ({ name, type }));
  const tabular =
    rows.every((row) => typeof row === "object" && row !== null) && rows.length <= MOST && columns.length > 0;
  const text = asText || !tabular;
  const swap = tabular && (
    <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsText(!asText)}>
      {asText ? "As a table" : "As text"}
    </Button>
  );
  if (text) {
    return (
      <div className={styles.swapped}>
        <JsonControl {...props} />
        <div className={styles.swap}>{swap}</div>
      </div>
    );
  }
  const put = (next: unknown[]) => {
    form.change(path, next);
    form.leave();
  };
  return (
    <Frame
      title={fieldTitle(props)}
      path={path}
      help={props.schema.description}
      deep
      group="fields"
      aside={
        <>
          {swap}
          <Button
            size="compact-xs"
            leftSection={<IconPlus size={12} />}
            disabled={form.readOnly}
            data-testid={`add-${path.join(".")}`}
            onClick={() => put([...rows, columns.map(() => null)])}
          >
            Row
          </Button>
        </>
      }
    >
      {rows.length > 0 && (
        <div className={styles.tableFrame}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.name} scope="col">
                    {column.name}
                  </th>
                ))}
                <th aria-label="Remove" />
              </tr>
            </thead>
            <tbody>
              {placed(rows).map(({ key, index, value: row }) => (
                <tr key={key}>
                  {columns.map((column, at) => (
                    <td key={column.name}>
                      <Cell
                        path={[...path, index, Array.isArray(row) ? at : column.name]}
                        value={getIn(row, [Array.isArray(row) ? at : column.name])}
                        type={column.type}
                        label={`${column.name} of row ${index + 1}`}
                      />
                    </td>
                  ))}
                  <td>
                    <ActionIcon
                      size={20}
                      aria-label={`Remove row ${index + 1}`}
                      disabled={form.readOnly}
                      onClick={() => put(rows.toSpliced(index, 1))}
                    >
                      <IconTrash size={13} />
                    </ActionIcon>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Frame>
  );
}

function Cell({ path, value, type, label }: { path: FieldProps["path"]; value: unknown; type: string; label: string }) {
  const form = useForm();
  const stored = cellText(value);
  const [draft, setDraft] = useState({ text: stored, of: stored });
  const text = draft.of === stored ? draft.text : stored;
  return (
    <input
      aria-label={label}
      data-testid={`field-${path.join(".")}`}
      value={text}
      size={Math.min(28, Math.max(5, text.length))}
      placeholder={value === null || value === undefined ? "NULL" : undefined}
      readOnly={form.readOnly}
      spellCheck={false}
      onChange={({ currentTarget }) => {
        const next = valueOfText(currentTarget.value, type);
        setDraft({ text: currentTarget.value, of: cellText(next) });
        form.change(path, next);
      }}
      onBlur={() => {
        setDraft({ text: stored, of: stored });
        form.leave();
      }}
    />
  );
}
