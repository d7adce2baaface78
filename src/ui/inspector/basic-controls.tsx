import { SegmentedControl, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { parseJson, writeJson } from "../../engine/index.ts";
import { literalOf, literalText } from "./cell-values.ts";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import { isNullable } from "./field-schema.ts";
import type { FieldProps } from "./form-context.ts";

const placeholderOf = ({ schema }: FieldProps): string | undefined =>
  schema.placeholder ??
  (schema.default === undefined || schema.default === null || schema.default === ""
    ? undefined
    : String(schema.default));

/** Emptied, an optional field is left out, so that its default holds again. */
const emptied = ({ schema, required }: FieldProps, empty: unknown): unknown => {
  if (!required) return undefined;
  return isNullable(schema) ? null : empty;
};

export function TextControl(props: FieldProps) {
  const { form, attributes } = useControl(props);
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <TextInput
        {...attributes}
        value={typeof props.value === "string" ? props.value : ""}
        placeholder={placeholderOf(props)}
        readOnly={form.readOnly}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => form.change(props.path, value === "" ? emptied(props, "") : value)}
        onBlur={form.leave}
      />
    </Frame>
  );
}

/** Text that is no number yet stays in the field, with a word about it; the graph keeps its last number. */
export function NumberControl({ whole, ...props }: FieldProps & { whole: boolean }) {
  const { form, attributes } = useControl(props);
  const { value, schema, path } = props;
  const stored = typeof value === "number" || typeof value === "bigint" ? String(value) : "";
  const [draft, setDraft] = useState({ text: stored, of: stored });
  // An undo, or a change from elsewhere, overrules what was typed.
  const text = draft.of === stored ? draft.text : stored;
  const number = numberOf(text, whole);
  const wrong = text.trim() !== "" && number === undefined;
  const type = (next: string) => {
    const parsed = numberOf(next, whole);
    const changes = next.trim() === "" ? emptied(props, undefined) : parsed;
    const isNumber = next.trim() === "" || parsed !== undefined;
    setDraft({
      text: next,
      of: isNumber ? (changes === undefined || changes === null ? "" : String(changes)) : stored,
    });
    if (isNumber) form.change(path, changes);
  };
  return (
    <Frame title={fieldTitle(props)} path={path} help={schema.description} wrong={wrong}>
      <TextInput
        {...attributes}
        classNames={{ input: styles.number ?? "" }}
        inputMode={whole ? "numeric" : "decimal"}
        value={text}
        placeholder={placeholderOf(props)}
        readOnly={form.readOnly}
        autoComplete="off"
        rightSection={schema.unit === undefined ? undefined : <span className={styles.unit}>{schema.unit}</span>}
        rightSectionWidth={schema.unit === undefined ? undefined : schema.unit.length * 7 + 16}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => {
          setDraft({ text: stored, of: stored });
          form.leave();
        }}
      />
      {wrong && (
        <p className={styles.problem} role="alert">
          {whole ? "a whole number is wanted" : "a number is wanted"}
        </p>
      )}
    </Frame>
  );
}

function numberOf(text: string, whole: boolean): number | undefined {
  const plain = text.trim().replaceAll(/[_\u202f\u00a0]/g, "");
  if (!/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) && (!whole || Number.isInteger(value)) ? value : undefined;
}

export function BooleanControl(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const checked = typeof props.value === "boolean" ? props.value : props.schema.default === true;
  return (
    <Frame
      title={fieldTitle(props)}
      path={props.path}
      help={props.schema.description}
      aside={
        <Switch
          {...attributes}
          checked={checked}
          disabled={form.readOnly}
          onChange={(event) => {
            form.change(props.path, event.currentTarget.checked);
            form.leave();
          }}
        />
      }
    >
      {null}
    </Frame>
  );
}

/** A few short words stand side by side, more are a list. */
export function ChoiceControl({ options, ...props }: FieldProps & { options: readonly string[] }) {
  const { form, attributes } = useControl(props);
  const current =
    typeof props.value === "string"
      ? props.value
      : typeof props.schema.default === "string"
        ? props.schema.default
        : null;
  const choose = (value: string | null) => {
    form.change(props.path, value ?? undefined);
    form.leave();
  };
  const short = options.length <= 4 && options.join("").length <= 30 && current !== null;
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description} group={short}>
      {short ? (
        <SegmentedControl
          fullWidth
          data={[...options]}
          value={current}
          readOnly={form.readOnly}
          onChange={choose}
          data-testid={attributes["data-testid"]}
          aria-label={fieldTitle(props)}
        />
      ) : (
        <Select
          {...attributes}
          data={[...options]}
          value={current}
          placeholder="Choose"
          readOnly={form.readOnly}
          allowDeselect={false}
          onChange={choose}
        />
      )}
    </Frame>
  );
}

/** Text, a number, true or false, as it looks; text that looks like one of the others stands in quotes. */
export function LiteralControl(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const stored = literalText(props.value);
  const [draft, setDraft] = useState({ text: stored, of: stored });
  const text = draft.of === stored ? draft.text : stored;
  const type = (next: string) => {
    const value = literalOf(next);
    setDraft({ text: next, of: literalText(value) });
    form.change(props.path, value);
  };
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <TextInput
        {...attributes}
        classNames={{ input: styles.number ?? "" }}
        value={text}
        readOnly={form.readOnly}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={form.leave}
      />
    </Frame>
  );
}

/** For values that the page has no better control for. */
export function JsonControl(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const stored = props.value === undefined ? "" : writeJson(props.value).trimEnd();
  const [draft, setDraft] = useState({ text: stored, of: stored });
  const text = draft.of === stored ? draft.text : stored;
  const parsed = parsedJson(text);
  const type = (next: string) => {
    const value = parsedJson(next);
    const sound = value !== "wrong";
    setDraft({ text: next, of: sound ? (value.value === undefined ? "" : writeJson(value.value).trimEnd()) : stored });
    if (sound) form.change(props.path, value.value);
  };
  return (
    <Frame title={fieldTitle(props)} path={props.path} help={props.schema.description}>
      <Textarea
        {...attributes}
        classNames={{ input: styles.code ?? "" }}
        autosize
        minRows={1}
        maxRows={14}
        value={text}
        placeholder={placeholderOf(props)}
        readOnly={form.readOnly}
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={form.leave}
      />
      {parsed === "wrong" && (
        <p className={styles.problem} role="alert">
          this is not JSON
        </p>
      )}
    </Frame>
  );
}

function parsedJson(text: string): { readonly value: unknown } | "wrong" {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: parseJson(text) };
  } catch {
    return "wrong";
  }
}
