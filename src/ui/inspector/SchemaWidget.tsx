import { ActionIcon, Autocomplete, Button, Checkbox, TextInput, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { TYPE_NAMES } from "../../engine/index.ts";
import { ColumnList, type ShownColumn } from "../shared/ColumnList.tsx";
import { placed } from "../shared/deep.ts";
import { Frame, fieldTitle } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";
import { useForm } from "./form-context.ts";

const TYPES = [...TYPE_NAMES, "decimal(18,2)"];

/** The columns of a source: name, type, whether it may be NULL. */
export function SchemaWidget(props: FieldProps) {
  const form = useForm();
  const { path, value } = props;
  const columns = columnsOf(value);
  const add = () => {
    form.change(path, [...columns, { name: freeName(columns), type: "utf8" }]);
    form.leave();
  };
  const { fileColumns } = form;
  const fromFile = props.value === undefined && fileColumns !== undefined;
  const remove = (index: number) => {
    const left = columns.toSpliced(index, 1);
    form.change(path, left.length === 0 && !props.required ? undefined : left);
    form.leave();
  };
  return (
    <Frame
      title={fieldTitle({ name: props.name, schema: { title: "Columns", ...props.schema } })}
      path={path}
      help={props.schema.description}
      deep
      group="fields"
      aside={
        <Button
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          disabled={form.readOnly || fromFile}
          data-testid={`add-${path.join(".")}`}
          onClick={add}
        >
          Add
        </Button>
      }
    >
      {fromFile && (
        <div className={styles.guessed} data-testid="file-columns">
          <ColumnList columns={fileColumns} />
          <p>
            Read from the file.{" "}
            <button
              type="button"
              className={styles.fix}
              disabled={form.readOnly}
              onClick={() => {
                form.change(path, fileColumns);
                form.leave();
              }}
            >
              Keep and edit them
            </button>
          </p>
        </div>
      )}
      {columns.length > 0 && (
        <div className={styles.columns}>
          {placed(columns).map(({ key, index, value: column }) => (
            <ColumnRow key={key} column={column} path={[...path, index]} onRemove={() => remove(index)} />
          ))}
        </div>
      )}
    </Frame>
  );
}

function ColumnRow({
  column,
  path,
  onRemove,
}: {
  column: Partial<ShownColumn>;
  path: FieldProps["path"];
  onRemove: () => void;
}) {
  const form = useForm();
  const name = column.name ?? "";
  const nullable = column.nullable ?? true;
  return (
    <div className={styles.column}>
      <TextInput
        aria-label={`Name of column ${Number(path.at(-1)) + 1}`}
        data-testid={`field-${[...path, "name"].join(".")}`}
        value={name}
        readOnly={form.readOnly}
        spellCheck={false}
        onChange={(event) => form.change([...path, "name"], event.currentTarget.value)}
        onBlur={form.leave}
      />
      <Autocomplete
        size="xs"
        classNames={{ input: styles.code ?? "" }}
        aria-label={`Type of ${name}`}
        data={TYPES}
        value={column.type ?? ""}
        readOnly={form.readOnly}
        maxDropdownHeight={260}
        // What is there already narrows nothing: opened, the list shows every type.
        filter={({ options, search }) =>
          TYPES.includes(search)
            ? options
            : options.filter((option) => "label" in option && option.label.includes(search))
        }
        onChange={(type) => form.change([...path, "type"], type)}
        onBlur={form.leave}
      />
      <Tooltip label="May be NULL">
        <Checkbox
          aria-label={`${name} may be NULL`}
          checked={nullable}
          disabled={form.readOnly}
          onChange={(event) => {
            form.change([...path, "nullable"], event.currentTarget.checked ? undefined : false);
            form.leave();
          }}
        />
      </Tooltip>
      <ActionIcon size={22} aria-label={`Remove ${name}`} disabled={form.readOnly} onClick={onRemove}>
        <IconTrash size={14} />
      </ActionIcon>
    </div>
  );
}

/** The columns as far as they can be read. */
export function columnsOf(value: unknown): Partial<ShownColumn>[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

function freeName(columns: readonly Partial<ShownColumn>[]): string {
  for (let n = columns.length + 1; ; n++) if (!columns.some(({ name }) => name === `column_${n}`)) return `column_${n}`;
}
