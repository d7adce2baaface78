import { type ComponentType, createContext, useContext } from "react";
import type { GraphPlace, Problem, Schema } from "../../engine/index.ts";
import type { ShownColumn } from "../shared/ColumnList.tsx";
import { fieldName, type Path } from "../shared/deep.ts";
import type { FieldSchema } from "./field-schema.ts";

export interface FieldProps {
  readonly name: string;
  readonly path: Path;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly required: boolean;
}

export interface FieldsProps {
  readonly schema: FieldSchema;
  readonly path: Path;
  /** What holds where the form's value says nothing: an entry of a default list. */
  readonly value?: unknown;
}

/** What the controls of a form share. */
export interface FormContext {
  /** Tells forms apart: the node's id, or `settings`. */
  readonly id: string;
  /** Prefix of field names in problems: `config`. */
  readonly root: string;
  readonly value: unknown;
  readonly readOnly: boolean;
  readonly problems: readonly Problem[];
  /** Columns that the form's subject gets, for controls that name columns. */
  readonly columns: readonly ShownColumn[];
  /** The same by input, where there are several. */
  readonly columnsOfInput?: ReadonlyMap<string, readonly ShownColumn[]> | undefined;
  /** The same, of the subject's first input, as expressions see them; undefined while they are not known. */
  readonly input?: Schema | undefined;
  /** Where rows come to the subject, for controls that show what becomes of the first of them. */
  readonly inputPlace?: GraphPlace | undefined;
  /** Columns that the subject's file has and its configuration leaves out. */
  readonly fileColumns?: readonly ShownColumn[] | undefined;
  /** Sets the value at the path, undefined removes it. Changes of one path that follow each other are one step. */
  readonly change: (path: Path, value: unknown) => void;
  /** The field was left. */
  readonly leave: () => void;
  /** How a form draws one field, and all fields of an object: controls that hold others use them. */
  readonly Field: ComponentType<FieldProps>;
  readonly Fields: ComponentType<FieldsProps>;
}

const Context = createContext<FormContext | undefined>(undefined);

export const FormProvider = Context.Provider;

export function useForm(): FormContext {
  const form = useContext(Context);
  if (form === undefined) throw new Error("a field stands in a form");
  return form;
}

/** Columns that a field may name: `leftKey` those of the input `left`, others all. */
export function columnsFor(form: FormContext, [field]: Path): readonly ShownColumn[] {
  const inputs = [...(form.columnsOfInput ?? [])];
  return inputs.find(([input]) => String(field).startsWith(input))?.[1] ?? form.columns;
}

/** Problems of a field itself, or of it and everything in it. */
export function problemsAt(form: FormContext, path: Path, deep: boolean): readonly Problem[] {
  const name = fieldName([form.root, ...path]);
  return form.problems.filter(
    ({ field = "" }) => field === name || (deep && (field.startsWith(`${name}.`) || field.startsWith(`${name}[`))),
  );
}

/** The id of a field's control, by which a problem finds it. */
export const controlId = (form: FormContext, path: Path): string =>
  `field:${form.id}:${fieldName([form.root, ...path])}`;
