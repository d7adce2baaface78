import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KINDS } from "../operators/catalog.ts";
import { graphJsonSchemaText } from "./json-schema.ts";

const published = readFileSync(new URL("../../../public/graph.schema.json", import.meta.url), "utf8");

test("the published JSON Schema is what the zod schemas say (npm run schema writes it)", () => {
  expect(published).toBe(graphJsonSchemaText());
});

test("the JSON Schema names every kind with its config, and nothing that is only for forms", () => {
  const { properties } = JSON.parse(published);
  const node = properties.nodes.items;
  expect(node.properties.kind.enum).toEqual(KINDS.map(({ kind }) => kind));
  const configs = new Map(
    node.allOf.map(
      (each: { if: { properties: { kind: { const: string } } }; then: { properties: { config: unknown } } }) => [
        each.if.properties.kind.const,
        each.then.properties.config,
      ],
    ),
  );
  expect(configs.get("select")).toMatchObject({
    type: "object",
    required: ["columns"],
    additionalProperties: false,
    properties: { columns: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 } },
  });
  expect(configs.get("rename")).toMatchObject({ properties: { names: { additionalProperties: { type: "string" } } } });
  expect(published).not.toContain(`"widget"`);
  expect(configs.get("source.rows")).toMatchObject({
    properties: { time: { properties: { unit: { enum: ["s", "ms", "us", "ns"] } } } },
  });
});
