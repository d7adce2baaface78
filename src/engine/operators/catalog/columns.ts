import { closest } from "../../base/edit-distance.ts";
import type { Schema } from "../../data/schema.ts";
import type { ConfigProblem } from "./kind-spec.ts";

const quoted = (text: string): string => JSON.stringify(text);

/** A column that the input does not have, with the nearest name as the repair. `pointer` is relative to the config. */
export function missingColumn(name: string, schema: Schema, field: string, pointer: string): ConfigProblem {
  const near = closest(name, schema.names);
  return {
    code: "unknown-column",
    field,
    message: `there is no column ${quoted(name)}`,
    hint: near === undefined ? `the columns are ${schema.names.join(", ") || "none"}` : `did you mean ${quoted(near)}?`,
    fix:
      near === undefined
        ? undefined
        : { title: `Use ${quoted(near)}`, patch: [{ op: "replace", path: pointer, value: near }] },
  };
}

/** A list of column names in a config: each exists, none stands twice. */
export function checkColumns(names: readonly string[], schema: Schema, field: string): ConfigProblem[] {
  return names.flatMap((name, index) => {
    const place = `${field}[${index}]`;
    if (schema.indexOf(name) < 0) return [missingColumn(name, schema, place, `/${field}/${index}`)];
    if (names.indexOf(name) === index) return [];
    return [
      {
        code: "repeated-column",
        field: place,
        message: `column ${quoted(name)} is named twice`,
        hint: "remove one",
        fix: { title: "Remove the second", patch: [{ op: "remove" as const, path: `/${field}/${index}` }] },
      },
    ];
  });
}
