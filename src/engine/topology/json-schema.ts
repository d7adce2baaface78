import { z } from "../operators/catalog/zod.ts";
import { CATALOG, type Catalog } from "../operators/catalog.ts";
import { GRAPH_FORMAT, graphDocumentSchema } from "./graph-document.ts";
import { writeJson } from "./json-write.ts";

/** The keyword; written out as a property it would make the object look like a promise. */
const THEN = "then";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * JSON Schema (2020-12) of `weir.graph/v1` as a person writes it, for editors that complete and check JSON: the document, and
 * for each kind its config. Where it allows more than `validate` does, the document's own checks decide.
 */
export function graphJsonSchema(catalog: Catalog = CATALOG): JsonSchema {
  const document = jsonSchemaOf(graphDocumentSchema);
  const nodes = document.properties?.["nodes"];
  const node = typeof nodes === "object" ? (nodes.items as JsonSchema) : {};
  const kinds = [...catalog.values()];
  const properties = {
    ...node.properties,
    kind: { enum: kinds.map(({ kind }) => kind), description: "What the node does." },
  };
  const allOf = kinds.map((spec): JsonSchema => {
    const { $schema: _, ...config } = jsonSchemaOf(spec.config);
    const needed = config.required === undefined ? {} : { required: ["config"] };
    const then = { properties: { config: { title: spec.title, description: spec.summary, ...config } }, ...needed };
    const when = { properties: { kind: { const: spec.kind } }, required: ["kind"] };
    return Object.fromEntries(Object.entries({ if: when, [THEN]: then }));
  });
  return {
    ...document,
    $id: `urn:weir:${GRAPH_FORMAT.replace("/", ":")}`,
    title: `Weir graph document, ${GRAPH_FORMAT}`,
    properties: { ...document.properties, nodes: { type: "array", items: { ...node, properties, allOf } } },
  };
}

/** What `meta` says for forms only; it is no JSON Schema. */
const FORM_ONLY = ["widget", "unit", "placeholder", "advanced"];

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      for (const key of FORM_ONLY) delete jsonSchema[key];
    },
  });
}

/** The text of `public/graph.schema.json`. */
export const graphJsonSchemaText = (): string => writeJson(graphJsonSchema());
