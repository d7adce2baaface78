import { EXPRESSION_FUNCTIONS } from "../expressions/functions.ts";
import { CATALOG, type Catalog, type KindSpec } from "../operators/catalog.ts";
import { graphJsonSchema } from "./json-schema.ts";

/** What is read of a JSON Schema here. */
interface Shape {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly oneOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
}

/** A field as the table of its kind lists it. */
interface Row {
  readonly path: string;
  readonly type: string;
  readonly preset: string;
  readonly description: string;
}

/** The text of `docs/reference.md`: every kind with its ports and fields, the settings of a graph, every function of expressions. */
export function referenceText(catalog: Catalog = CATALOG): string {
  const { properties = {} } = graphJsonSchema(catalog) as Shape;
  const node = properties["nodes"]?.items as Shape & { readonly allOf: readonly { readonly then: Shape }[] };
  const kinds = [...catalog.values()];
  const configs = node.allOf.map((each) => each.then.properties?.["config"] as Shape);
  return `${[
    "# Reference",
    "Every kind of node with its fields, the settings of a graph, and every function of expressions, as the engine knows them: `npm run schema` writes this page. [JSON Schema](../public/graph.schema.json) says the same to editors.",
    "## Kinds",
    ...kinds.flatMap((spec, k) => kindText(spec, configs[k] as Shape)),
    "## Settings of a graph",
    tableOf(fieldsOf(properties["settings"] as Shape, "")),
    "## Functions",
    "How expressions are written, with operators, `CASE`, `LIKE`, `IN` and the rest: [expressions](expressions.md).",
    functionTable(),
  ].join("\n\n")}\n`;
}

function kindText(spec: KindSpec, config: Shape): string[] {
  const rows = fieldsOf(config, "");
  const inputs = spec.inputs.map(({ name, many }) => `\`${name}\`${many ? "" : " (one edge)"}`);
  const ports = inputs.length === 0 ? "" : ` Inputs: ${inputs.join(", ")}.`;
  return [`### \`${spec.kind}\`: ${spec.title}`, `${spec.help}${ports}`, ...(rows.length === 0 ? [] : [tableOf(rows)])];
}

/** The fields of an object, each followed by those inside of it. */
function fieldsOf(shape: Shape, prefix: string): Row[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    if (name === "kind" && field.const !== undefined) return [];
    const needed = shape.required?.includes(name) === true;
    return [rowOf(path, field, needed), ...partsOf(field, path)];
  });
}

/** What is inside of a field: of an object, of the things in a list, or of each of several forms. */
function partsOf(field: Shape, path: string): Row[] {
  if (field.properties !== undefined) return fieldsOf(field, `${path}.`);
  if (field.items !== undefined) return partsOf(field.items, `${path}[]`);
  return formsOf(field).flatMap((form) => {
    if (form.properties === undefined) return partsOf(form, path);
    const kind = form.properties["kind"]?.const;
    const inside = fieldsOf(form, `${path}${kind === undefined ? "" : ` (${String(kind)})`}.`);
    if (kind === undefined)
      return inside.map((row) => ({ ...row, preset: row.preset === "needed" ? "one of these" : row.preset }));
    return [
      { path: `${path}.kind`, type: `\`${String(kind)}\``, preset: "", description: form.description ?? "" },
      ...inside,
    ];
  });
}

const formsOf = ({ oneOf, anyOf }: Shape): readonly Shape[] => oneOf ?? anyOf ?? [];

function rowOf(path: string, field: Shape, needed: boolean): Row {
  const preset = needed ? "needed" : field.default === undefined ? "" : `\`${JSON.stringify(field.default)}\``;
  return { path, type: typeOf(field), preset, description: field.description ?? field.title ?? "" };
}

function typeOf(field: Shape): string {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`${String(value)}\``).join(", ");
  const forms = formsOf(field);
  if (forms.length > 0) return [...new Set(forms.map(typeOf))].join(" or ");
  if (typeof field.type !== "string") return (field.type ?? ["any"]).map(word).join(" or ");
  const least = field.minimum !== undefined && field.minimum > Number.MIN_SAFE_INTEGER ? ` ≥ ${field.minimum}` : "";
  if (field.type === "integer") return `whole number${least}`;
  return word(field.type) + least;
}

const WORDS: Readonly<Record<string, string>> = { string: "text", array: "list" };
const word = (type: string): string => WORDS[type] ?? type;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ path, type, preset, description }) => `| \`${path}\` | ${cell(type)} | ${cell(preset)} | ${cell(description)} |`,
  );
  return ["| field | is | when left out | |", "|---|---|---|---|", ...lines].join("\n");
}

function functionTable(): string {
  const lines = EXPRESSION_FUNCTIONS.map(
    ({ signature, help, example }) => `| \`${cell(signature)}\` | ${cell(help)} | \`${cell(example)}\` |`,
  );
  return ["| function | gives | for example |", "|---|---|---|", ...lines].join("\n");
}
