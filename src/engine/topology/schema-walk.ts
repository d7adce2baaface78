import { z } from "../operators/catalog/zod.ts";

type Path = readonly PropertyKey[];

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (current, part) =>
      typeof current === "object" && current !== null && Object.hasOwn(current, part)
        ? (current as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}

/** Names of the fields that the object at `path` may have. */
export function allowedKeys(schema: z.core.$ZodType, value: unknown, path: Path): Set<string> {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  const [part, ...rest] = path;
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "nullable":
      return allowedKeys(def.innerType, value, path);
    case "pipe":
      return allowedKeys(def.in, value, path);
    case "array":
      return part === undefined ? new Set() : allowedKeys(def.element, valueAt(value, [part]), rest);
    case "object": {
      if (part === undefined) return new Set(Object.keys(def.shape));
      const field = def.shape[String(part)];
      return field === undefined ? new Set() : allowedKeys(field, valueAt(value, [part]), rest);
    }
    case "union":
      return new Set(
        def.options
          .filter((option) => mayBe(option, value, "discriminator" in def ? String(def.discriminator) : undefined))
          .flatMap((option) => [...allowedKeys(option, value, path)]),
      );
    default:
      return new Set();
  }
}

/** Whether the value says by its discriminator that it is this option. */
function mayBe(option: z.core.$ZodType, value: unknown, discriminator: string | undefined): boolean {
  if (discriminator === undefined) return true;
  const def = (option as z.core.$ZodTypes)._zod.def;
  if (def.type !== "object") return true;
  const literal = (def.shape[discriminator] as z.core.$ZodTypes | undefined)?._zod.def;
  return literal?.type === "literal" && literal.values.some((each) => each === valueAt(value, [discriminator]));
}

/** What the schema says to people of the field at `path`; of one in a list nothing. */
export function metaAt(schema: z.core.$ZodType, value: unknown, path: Path): z.core.GlobalMeta {
  const [part, ...rest] = path;
  const def = (schema as z.core.$ZodTypes)._zod.def;
  const here = part === undefined ? z.globalRegistry.get(schema) : undefined;
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "nullable":
      return { ...metaAt(def.innerType, value, path), ...here };
    case "pipe":
      return { ...metaAt(def.in, value, path), ...here };
    case "array":
      return part === undefined || rest.length === 0 ? { ...here } : metaAt(def.element, valueAt(value, [part]), rest);
    case "object": {
      const field = part === undefined ? undefined : def.shape[String(part)];
      return field === undefined ? { ...here } : metaAt(field, valueAt(value, [part as PropertyKey]), rest);
    }
    case "union": {
      const tag = "discriminator" in def ? String(def.discriminator) : undefined;
      const inner = def.options
        .filter((option) => mayBe(option, value, tag))
        .map((option) => metaAt(option, value, path));
      return part === undefined ? { ...here } : (inner.find(({ title }) => title !== undefined) ?? {});
    }
    default:
      return { ...here };
  }
}
