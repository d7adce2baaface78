import { z } from "zod";
import type { KindSpec } from "../../engine/index.ts";
import { getIn, type Path, type PathPart, setIn } from "../shared/deep.ts";

/** A zod schema as plain data: JSON Schema with the catalog's own words (unit, widget, …), which is all that a form needs. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly unit?: string | undefined;
  readonly widget?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly advanced?: boolean | undefined;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: FieldSchema | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly oneOf?: readonly FieldSchema[] | undefined;
}

export function fieldSchemaOf(schema: z.ZodType): FieldSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldSchema;
}

const ofKinds = new WeakMap<KindSpec, FieldSchema>();

/** The form of a kind's configuration. */
export function configSchemaOf(spec: KindSpec): FieldSchema {
  const known = ofKinds.get(spec);
  if (known !== undefined) return known;
  const made = fieldSchemaOf(spec.config);
  ofKinds.set(spec, made);
  return made;
}

/** How a field is asked for. */
export type Control =
  | { readonly kind: "widget"; readonly widget: string }
  | { readonly kind: "text" }
  | { readonly kind: "number"; readonly whole: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "object" }
  | { readonly kind: "union"; readonly variants: readonly FieldSchema[] }
  /** Text, a number or a boolean, whichever it looks like. */
  | { readonly kind: "literal" }
  | { readonly kind: "list"; readonly item: FieldSchema }
  /** A value that the page has no control for is written as JSON. */
  | { readonly kind: "json" };

const PRIMITIVES = new Set(["string", "number", "integer", "boolean"]);

/** One fixed text: a variant that has nothing more to say. */
export const isWord = (schema: FieldSchema): boolean => typeof schema.const === "string";

export function controlOf(schema: FieldSchema): Control {
  if (schema.widget !== undefined) return { kind: "widget", widget: schema.widget };
  const variants = (schema.oneOf ?? schema.anyOf)?.filter((variant) => variant.type !== "null");
  if (variants !== undefined) {
    const [only] = variants;
    if (variants.length === 1 && only !== undefined) return controlOf(only);
    if (variants.every((variant) => variant.type === "object" || isWord(variant))) return { kind: "union", variants };
    return variants.every((variant) => PRIMITIVES.has(String(variant.type))) ? { kind: "literal" } : { kind: "json" };
  }
  if (schema.enum !== undefined) return { kind: "choice", options: schema.enum.map(String) };
  switch (schema.type) {
    case "string":
      return { kind: "text" };
    case "integer":
    case "number":
      return { kind: "number", whole: schema.type === "integer" };
    case "boolean":
      return { kind: "boolean" };
    case "object":
      return schema.properties === undefined ? { kind: "json" } : { kind: "object" };
    case "array":
      return schema.items === undefined ? { kind: "json" } : { kind: "list", item: schema.items };
    default:
      return { kind: "json" };
  }
}

/** Where a nullable schema wraps another, the other, with the words of both. */
export function unwrapped(schema: FieldSchema): FieldSchema {
  const [only, ...more] = (schema.oneOf ?? schema.anyOf ?? []).filter((variant) => variant.type !== "null");
  if (only === undefined || more.length > 0) return schema;
  const { anyOf: _, oneOf: __, ...words } = schema;
  return { ...only, ...words };
}

/** `null` is one of its values. */
export const isNullable = (schema: FieldSchema): boolean =>
  (schema.anyOf ?? schema.oneOf ?? []).some((variant) => variant.type === "null");

/** `idleTimeoutMs` reads as `Idle timeout ms` where the catalog gives no title. */
export function titleOf(name: string, schema: FieldSchema): string {
  if (schema.title !== undefined) return schema.title.charAt(0).toUpperCase() + schema.title.slice(1);
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The property by which the variants of a union tell themselves apart, if it is one constant in each. */
export function tagOf(variants: readonly FieldSchema[]): string | undefined {
  const objects = variants.filter((variant) => !isWord(variant));
  return Object.keys(objects[0]?.properties ?? {}).find((key) =>
    objects.every((variant) => variant.properties?.[key]?.const !== undefined),
  );
}

/** Which variant a value is; -1 when it is none. */
export function variantOf(variants: readonly FieldSchema[], value: unknown): number {
  if (typeof value === "string") return variants.findIndex((variant) => variant.const === value);
  if (typeof value !== "object" || value === null) return -1;
  const tag = tagOf(variants);
  const record = value as Record<string, unknown>;
  if (tag !== undefined) return variants.findIndex((variant) => variant.properties?.[tag]?.const === record[tag]);
  return variants.findIndex(
    (variant) => !isWord(variant) && (variant.required ?? []).every((key) => Object.hasOwn(record, key)),
  );
}

/** The smallest value that has the shape of the schema, as a start for the person to go on from. */
export function startValue(schema: FieldSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants?.[0] !== undefined) return startValue(variants[0]);
  switch (schema.type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 0, 0);
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, startValue(schema.properties?.[key] ?? {})]),
      );
    default:
      return null;
  }
}

/**
 * `target` with `value` at `path`, as `setIn` has it, but what is left out on the way starts from its default: a window that is
 * given another size stays a tumbling one.
 */
export function setField(schema: FieldSchema | undefined, target: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (target === undefined && value === undefined) return undefined;
  const base = target === undefined ? (schema?.default ?? undefined) : target;
  return setIn(base, [part], setField(partOf(schema, base, part), getIn(base, [part]), rest, value));
}

/** The schema of a part of the value. */
function partOf(schema: FieldSchema | undefined, value: unknown, part: PathPart): FieldSchema | undefined {
  if (schema === undefined) return undefined;
  const plain = unwrapped(schema);
  const variants = (plain.oneOf ?? plain.anyOf)?.filter((variant) => variant.type !== "null");
  const shape = variants === undefined ? plain : variants[variantOf(variants, value)];
  return typeof part === "number" ? shape?.items : shape?.properties?.[part];
}
