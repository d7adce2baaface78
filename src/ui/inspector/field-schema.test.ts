import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KINDS, settingsSchema } from "../../engine/index.ts";
import {
  configSchemaOf,
  controlOf,
  type FieldSchema,
  fieldSchemaOf,
  isNullable,
  setField,
  startValue,
  tagOf,
  titleOf,
  unwrapped,
  variantOf,
} from "./field-schema.ts";

const shape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("circle"), radius: z.number() }),
  z.strictObject({ kind: z.literal("square"), side: z.int().min(3) }),
]);

describe("the control of a field", () => {
  test.each([
    [z.string(), "text"],
    [z.int(), "number"],
    [z.boolean(), "boolean"],
    [z.enum(["a", "b"]), "choice"],
    [z.strictObject({ a: z.string() }), "object"],
    [shape, "union"],
    [z.array(z.string()), "list"],
    [z.union([z.string(), z.int()]), "literal"],
    [z.union([z.literal("watermark"), z.strictObject({ everyMs: z.int() })]), "union"],
    [z.union([z.literal("a"), z.int()]), "literal"],
    [z.int().nullable(), "number"],
    [z.string().meta({ widget: "column" }), "widget"],
  ])("comes from its type", (schema, control) => {
    expect(controlOf(fieldSchemaOf(schema)).kind).toBe(control);
  });

  test("is known for every field of every kind and of the settings: none is left to raw JSON", () => {
    const raw: string[] = [];
    const visit = (name: string, schema: FieldSchema) => {
      const plain = unwrapped(schema);
      if (plain.const !== undefined || plain.widget !== undefined) return;
      const control = controlOf(plain);
      if (control.kind === "json") raw.push(name);
      for (const [key, field] of Object.entries(plain.properties ?? {})) visit(`${name}.${key}`, field);
      for (const variant of plain.oneOf ?? plain.anyOf ?? []) visit(name, variant);
      if (plain.items) visit(`${name}[]`, plain.items);
    };
    for (const spec of KINDS) visit(spec.kind, configSchemaOf(spec));
    visit("settings", fieldSchemaOf(settingsSchema));
    expect(raw).toEqual([]);
  });
});

describe("unions", () => {
  const { oneOf: variants = [] } = fieldSchemaOf(shape);

  test("are told apart by their constant", () => {
    expect(tagOf(variants)).toBe("kind");
    expect(variantOf(variants, { kind: "square" })).toBe(1);
    expect(variantOf(variants, { kind: "blob" })).toBe(-1);
  });

  test("without a constant, by the fields that they demand", () => {
    const { anyOf: steps = [] } = fieldSchemaOf(
      z.union([z.strictObject({ wait: z.int() }), z.strictObject({ fail: z.string() })]),
    );
    expect(variantOf(steps, { fail: "x" })).toBe(1);
  });
});

test("a union of a word and objects tells both", () => {
  const { anyOf: variants = [] } = fieldSchemaOf(
    z.union([z.literal("watermark"), z.strictObject({ kind: z.literal("processing"), everyMs: z.int() })]),
  );
  expect(variantOf(variants, "watermark")).toBe(0);
  expect(variantOf(variants, { kind: "processing", everyMs: 5 })).toBe(1);
  expect(variants.map(startValue)).toEqual(["watermark", { kind: "processing", everyMs: 0 }]);
});

describe("a start value", () => {
  test("has the shape of its schema", () => {
    expect(startValue(fieldSchemaOf(shape))).toEqual({ kind: "circle", radius: 0 });
    expect(startValue(fieldSchemaOf(z.int().min(3)))).toBe(3);
    expect(
      startValue(fieldSchemaOf(z.strictObject({ a: z.string(), b: z.int().default(4), c: z.string().optional() }))),
    ).toEqual({ a: "" });
  });
});

test("a nullable field is its type, with the words of the whole", () => {
  const schema = fieldSchemaOf(z.int().nullable().default(null).meta({ title: "Idle after", unit: "ms" }));
  expect(isNullable(schema)).toBe(true);
  expect(unwrapped(schema)).toMatchObject({ type: "integer", title: "Idle after", unit: "ms", default: null });
});

test("a field without a title is called by its name, in words", () => {
  expect(titleOf("idleTimeoutMs", {})).toBe("Idle timeout ms");
  expect(titleOf("csv", { title: "csv" })).toBe("Csv");
});

describe("a field that is set", () => {
  const window = KINDS.find(({ kind }) => kind === "window");
  const generator = KINDS.find(({ kind }) => kind === "source.generator");
  if (window === undefined || generator === undefined) throw new Error("the catalog has lost its kinds");

  test("keeps the rest of a default that was left out: a window with another size stays one", () => {
    const schema = configSchemaOf(window);
    const config = setField(schema, {}, ["window", "sizeMs"], 5000);
    expect(config).toEqual({ window: { kind: "tumbling", sizeMs: 5000, offsetMs: 0 } });
    expect(window.config.safeParse(config).success).toBe(true);
    expect(setField(schema, {}, ["aggregates", 0, "name"], "n")).toEqual({ aggregates: [{ name: "n", fn: "count" }] });
  });

  test("keeps the default of a union inside of an object that may be left out", () => {
    const config = setField(configSchemaOf(generator), { time: { column: "at" } }, ["time", "watermark", "delayMs"], 7);
    expect(config).toEqual({ time: { column: "at", watermark: { kind: "bounded", delayMs: 7 } } });
  });

  test("takes out what it empties, and adds nothing for it", () => {
    const schema = configSchemaOf(window);
    expect(setField(schema, {}, ["window", "sizeMs"], undefined)).toEqual({});
    expect(setField(schema, { groupBy: ["a"] }, ["groupBy"], undefined)).toEqual({});
  });
});
