import { ActionIcon, Button, Select, Switch } from "@mantine/core";
import { IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { ShownColumn } from "../shared/ColumnList.tsx";
import { placed, setIn } from "../shared/deep.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import { type FieldSchema, isWord, startValue, tagOf, titleOf, variantOf } from "./field-schema.ts";
import type { FieldProps } from "./form-context.ts";
import { controlId, problemsAt, useForm } from "./form-context.ts";

/** An object; one that may be left out has a switch. */
export function ObjectControl({ name, path, schema, value, required }: FieldProps) {
  const form = useForm();
  const { Fields } = form;
  const optional = !required && schema.default === undefined;
  const there = value !== undefined || !optional;
  const toggle = (on: boolean) => {
    form.change(path, on ? withTimeColumn(startValue(schema), schema, form.columns) : undefined);
    form.leave();
  };
  return (
    <Frame
      title={fieldTitle({ name, schema })}
      path={path}
      help={schema.description}
      group="fields"
      aside={
        optional && (
          <Switch
            checked={there}
            disabled={form.readOnly}
            aria-label={fieldTitle({ name, schema })}
            data-testid={`field-${path.join(".")}`}
            onChange={(event) => toggle(event.currentTarget.checked)}
          />
        )
      }
    >
      {there && (
        <div className={styles.group}>
          <Fields schema={schema} path={path} />
        </div>
      )}
    </Frame>
  );
}

/** What is switched on names a column of times, where there is one: that is what a switch with a column is for. */
function withTimeColumn(start: unknown, schema: FieldSchema, columns: readonly ShownColumn[]): unknown {
  const field = schema.required?.find((name) => schema.properties?.[name]?.widget === "column");
  const column = columns.find(({ type }) => type.startsWith("timestamp"));
  return field === undefined || column === undefined ? start : setIn(start, [field], column.name);
}

/** One of several shapes. What the shapes share is kept when another is chosen. */
export function UnionControl({ variants, ...props }: FieldProps & { variants: readonly FieldSchema[] }) {
  const { form, attributes } = useControl(props);
  const { Fields } = form;
  const { path, schema, value, required } = props;
  const current = value === undefined ? schema.default : value;
  const index = variantOf(variants, current);
  const variant = variants[index];
  const optional = !required && schema.default === undefined;
  const data = variants.map((each, at) => ({ value: String(at), label: variantTitle(variants, at, each) }));
  const choose = (next: string | null) => {
    form.change(path, next === null ? undefined : switchedTo(variants, Number(next), current));
    form.leave();
  };
  return (
    <Frame title={fieldTitle(props)} path={path} help={schema.description}>
      <Select
        {...attributes}
        data={data}
        value={index < 0 ? null : String(index)}
        placeholder={optional ? "None" : "Choose"}
        readOnly={form.readOnly}
        clearable={optional}
        allowDeselect={false}
        onChange={choose}
      />
      {variant?.description !== undefined && <p className={styles.about}>{variant.description}</p>}
      {variant !== undefined && hasFields(variants, variant) && (
        <div className={styles.group}>
          <Fields schema={variant} path={path} />
        </div>
      )}
    </Frame>
  );
}

const hasFields = (variants: readonly FieldSchema[], variant: FieldSchema): boolean => {
  const tag = tagOf(variants);
  return Object.entries(variant.properties ?? {}).some(([key, field]) => key !== tag && field.const === undefined);
};

function variantTitle(variants: readonly FieldSchema[], index: number, variant: FieldSchema): string {
  const tag = tagOf(variants);
  if (isWord(variant)) return titleOf(String(variant.const), variant);
  return titleOf(String(tag === undefined ? `choice ${index + 1}` : variant.properties?.[tag]?.const), variant);
}

/** The value as another variant: its own start, with the fields that both have as they were. */
function switchedTo(variants: readonly FieldSchema[], index: number, value: unknown): unknown {
  const variant = variants[index] as FieldSchema;
  const start = startValue(variant);
  if (typeof value !== "object" || value === null || typeof start !== "object" || start === null) return start;
  const tag = tagOf(variants);
  const kept = Object.entries(value).filter(
    ([key]) => key !== tag && variant.properties?.[key]?.const === undefined && variant.properties?.[key] !== undefined,
  );
  return { ...start, ...Object.fromEntries(kept) };
}

/** A list; each entry can be folded away, moved out, or added to. */
export function ListControl({ item, ...props }: FieldProps & { item: FieldSchema }) {
  const form = useForm();
  const { path, schema, value } = props;
  const given = value === undefined ? schema.default : value;
  const entries = Array.isArray(given) ? given : [];
  const add = () => {
    form.change(path, [...entries, startValue(item)]);
    form.leave();
  };
  const remove = (index: number) => {
    form.change(path, entries.toSpliced(index, 1));
    form.leave();
  };
  return (
    <Frame
      title={fieldTitle(props)}
      path={path}
      help={schema.description}
      group="fields"
      aside={
        <Button
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          disabled={form.readOnly}
          data-testid={`add-${path.join(".")}`}
          onClick={add}
        >
          Add
        </Button>
      }
    >
      {entries.length > 0 && (
        <ol className={styles.entries}>
          {placed<unknown>(entries).map(({ key, index, value: entry }) => (
            <Entry
              key={key}
              item={item}
              path={[...path, index]}
              value={entry}
              onRemove={() => remove(index)}
              startOpen={index === entries.length - 1}
            />
          ))}
        </ol>
      )}
    </Frame>
  );
}

interface EntryProps {
  readonly item: FieldSchema;
  readonly path: FieldProps["path"];
  readonly value: unknown;
  readonly startOpen: boolean;
  readonly onRemove: () => void;
}

function Entry({ item, path, value, startOpen, onRemove }: EntryProps) {
  const form = useForm();
  const { Field, Fields } = form;
  const [asked, setAsked] = useState(startOpen);
  const wrong = problemsAt(form, path, true).length > 0;
  const number = Number(path.at(-1)) + 1;
  const simple = item.type === "string" || item.type === "number" || item.type === "integer";
  const open = asked || simple;
  const bodyId = `${controlId(form, path)}-body`;
  const title = item.oneOf || item.anyOf ? "Kind" : `Entry ${number}`;
  return (
    <li className={styles.entry} data-problem={wrong}>
      <div className={styles.entryHead}>
        {simple ? (
          <span className={styles.entryNumber}>{number}</span>
        ) : (
          <button
            type="button"
            className={styles.more}
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={() => setAsked(!asked)}
          >
            <IconChevronRight size={13} data-open={open} />
            {entryTitle(value) ?? `${number}`}
          </button>
        )}
        <ActionIcon size={22} aria-label={`Remove entry ${number}`} disabled={form.readOnly} onClick={onRemove}>
          <IconTrash size={14} />
        </ActionIcon>
      </div>
      {open && (
        <div id={bodyId} className={styles.entryBody}>
          {item.properties === undefined ? (
            <Field name={title} path={path} schema={{ ...item, title }} value={value} required />
          ) : (
            <Fields schema={item} path={path} value={value} />
          )}
        </div>
      )}
    </li>
  );
}

/** `customer · zipf`: enough to find an entry that is folded away. */
function entryTitle(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, kind, column, fn } = value as Record<string, unknown>;
  const words = [name, kind, fn, column].filter((word) => typeof word === "string" && word !== "");
  if (words.length > 0) return words.join(" · ");
  const [key, first] = Object.entries(value)[0] ?? [];
  if (key === undefined || first === "") return undefined;
  return Array.isArray(first) ? `${key} · ${first.length}` : `${key} · ${String(first)}`;
}
