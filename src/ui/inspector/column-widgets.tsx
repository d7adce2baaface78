import { ActionIcon, Autocomplete, Button, MultiSelect, TagsInput, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { placed } from "../shared/deep.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";
import { columnsFor, useForm } from "./form-context.ts";

/** A column by name: those that come in are offered, any other may be typed. */
export function ColumnWidget(props: FieldProps) {
  const { form, attributes } = useControl(props);
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <Autocomplete
        {...attributes}
        size="xs"
        data={columnsFor(form, props.path).map((column) => column.name)}
        value={typeof props.value === "string" ? props.value : ""}
        placeholder={props.schema.placeholder ?? "Column"}
        readOnly={form.readOnly}
        spellCheck={false}
        onChange={(value) => form.change(props.path, value === "" && !props.required ? undefined : value)}
        onBlur={form.leave}
      />
    </Frame>
  );
}

/** A list of columns, in the order in which they were chosen. */
export function ColumnsWidget(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const value = textsOf(props.value);
  const known = columnsFor(form, props.path).map((column) => column.name);
  const change = (next: string[]) => {
    form.change(props.path, next.length === 0 && !props.required ? undefined : next);
    form.leave();
  };
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description} deep>
      {known.length > 0 ? (
        <MultiSelect
          {...attributes}
          // Names that no column has stay in sight, so that they can be taken out.
          data={[...new Set([...known, ...value])]}
          value={value}
          placeholder={value.length === 0 ? "Choose columns" : undefined}
          readOnly={form.readOnly}
          searchable
          hidePickedOptions
          nothingFoundMessage="No such column"
          onChange={change}
        />
      ) : (
        <TagsInput
          {...attributes}
          value={value}
          placeholder={value.length === 0 ? "Name, Enter" : undefined}
          readOnly={form.readOnly}
          onChange={change}
        />
      )}
    </Frame>
  );
}

export function TextListWidget(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const value = textsOf(props.value);
  const change = (next: string[]) => {
    form.change(props.path, next.length === 0 && !props.required ? undefined : next);
    form.leave();
  };
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description} deep>
      <TagsInput
        {...attributes}
        value={value}
        placeholder={value.length === 0 ? "Text, Enter" : undefined}
        readOnly={form.readOnly}
        onChange={change}
      />
    </Frame>
  );
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** Old names to new ones. */
export function ColumnMapWidget(props: FieldProps) {
  const form = useForm();
  const { path, value } = props;
  const entries = Object.entries(typeof value === "object" && value !== null ? value : {}) as [string, unknown][];
  const free = form.columns.find((column) => !entries.some(([name]) => name === column.name))?.name;
  const put = (next: readonly (readonly [string, unknown])[]) => form.change(path, Object.fromEntries(next));
  const change = (index: number, entry: readonly [string, unknown]) => put(entries.with(index, [...entry]));
  const leaveAfter = (act: () => void) => () => {
    act();
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
        <Button
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          disabled={form.readOnly}
          data-testid={`add-${path.join(".")}`}
          onClick={leaveAfter(() => put([...entries, [free ?? `column_${entries.length + 1}`, free ?? "name"]]))}
        >
          Add
        </Button>
      }
    >
      {placed(entries).map(({ key, index, value: [from, to] }) => (
        <div key={key} className={styles.pair}>
          <Autocomplete
            size="xs"
            aria-label={`Old name ${index + 1}`}
            data={form.columns.map((column) => column.name)}
            value={from}
            readOnly={form.readOnly}
            onChange={(name) => change(index, [name, to])}
            onBlur={form.leave}
          />
          <span aria-hidden="true">→</span>
          <TextInput
            aria-label={`New name of ${from}`}
            value={String(to)}
            readOnly={form.readOnly}
            onChange={(event) => change(index, [from, event.currentTarget.value])}
            onBlur={form.leave}
          />
          <ActionIcon
            size={22}
            aria-label={`Remove ${from}`}
            disabled={form.readOnly}
            onClick={leaveAfter(() => put(entries.toSpliced(index, 1)))}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </div>
      ))}
    </Frame>
  );
}
