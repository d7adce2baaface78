import { type Field, Schema } from "../data/schema.ts";
import { sameType, typeName } from "../data/types.ts";
import { type Link, type Links, linksTo, type NodeInfo, reportConfig } from "./links.ts";
import { quoted, type Report } from "./report.ts";

/** Schemas of a node by port. */
export interface NodeSchemas {
  readonly inputs: Readonly<Record<string, Schema>>;
  readonly outputs: Readonly<Record<string, Schema>>;
}

/**
 * Propagates schemas along `order` (topological). A node whose inputs are not all known has no entry, and nothing is
 * reported about it: what keeps them from being known is reported where it is.
 */
export function flowSchemas(
  { nodes, links }: Links,
  order: readonly string[],
  report: Report,
): ReadonlyMap<string, NodeSchemas> {
  const schemas = new Map<string, NodeSchemas>();
  const into = linksTo(links);
  for (const id of order) {
    const info = nodes.get(id);
    if (info === undefined) continue;
    const flow = nodeSchemas(info, into.get(id) ?? [], schemas, report);
    if (flow !== undefined) schemas.set(id, flow);
  }
  return schemas;
}

function nodeSchemas(
  info: NodeInfo,
  links: readonly Link[],
  known: ReadonlyMap<string, NodeSchemas>,
  report: Report,
): NodeSchemas | undefined {
  const inputs: Record<string, Schema> = {};
  for (const { name } of info.spec?.inputs ?? []) {
    const schema = portSchema(
      links.filter((link) => link.to.port === name),
      known,
      report,
    );
    if (schema === undefined) return undefined;
    inputs[name] = schema;
  }
  if (info.spec === undefined || info.config === undefined) return undefined;
  const flow = info.spec.schemaFlow(info.config.value, inputs);
  if (flow.kind === "ok") return { inputs, outputs: flow.outputs };
  for (const problem of flow.problems) reportConfig(info, problem, report);
  return undefined;
}

/** Schema that a link carries; `undefined` when it is not known. */
export const carried = (link: Link, known: ReadonlyMap<string, NodeSchemas>): Schema | undefined =>
  known.get(link.from.info.node.id)?.outputs[link.from.port];

/**
 * The one schema of a port: the columns of all its edges, nullable where one of them is. A batch keeps the schema of the
 * edge that it came on, which may differ from the port's in that.
 */
function portSchema(
  links: readonly Link[],
  known: ReadonlyMap<string, NodeSchemas>,
  report: Report,
): Schema | undefined {
  const [first, ...others] = links;
  let merged = first === undefined ? undefined : carried(first, known);
  let whole = merged !== undefined;
  for (const link of others) {
    const schema = carried(link, known);
    if (schema === undefined) whole = false;
    else if (merged === undefined) merged = schema;
    else {
      const difference = differenceOf(merged, schema);
      if (difference === undefined) merged = eitherNullable(merged, schema);
      else {
        whole = false;
        reportMismatch(link, first as Link, difference, report);
      }
    }
  }
  return whole ? merged : undefined;
}

/** What the second has other than the first, in words; `undefined` when names, types and order are the same. */
function differenceOf(a: Schema, b: Schema): string | undefined {
  const more = b.fields.find((field) => a.indexOf(field.name) < 0);
  if (more !== undefined) return `column ${quoted(more.name)} is only in the second`;
  const less = a.fields.find((field) => b.indexOf(field.name) < 0);
  if (less !== undefined) return `column ${quoted(less.name)} is missing in the second`;
  for (const field of b.fields) {
    const type = (a.field(field.name) as Field).type;
    if (!sameType(type, field.type)) {
      return `column ${quoted(field.name)} is ${typeName(type)} in the first and ${typeName(field.type)} in the second`;
    }
  }
  const moved = b.fields.find((field, index) => a.fields[index]?.name !== field.name);
  return moved === undefined ? undefined : "the order of the columns differs";
}

function eitherNullable(a: Schema, b: Schema): Schema {
  if (a.equals(b)) return a;
  return new Schema(
    a.fields.map((field, index) => ({ ...field, nullable: field.nullable || (b.fields[index] as Field).nullable })),
  );
}

function reportMismatch(link: Link, first: Link, difference: string, report: Report): void {
  report.add({
    code: "schema-mismatch",
    node: link.to.info.node.id,
    edge: link.edge.id,
    field: link.to.port,
    message: `edges ${quoted(first.edge.id)} and ${quoted(link.edge.id)} bring different columns: ${difference}`,
    hint: "make them equal with select or rename",
  });
}
