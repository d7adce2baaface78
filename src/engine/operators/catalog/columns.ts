import { closest } from "../../base/edit-distance.ts";
import type { Schema } from "../../data/schema.ts";
import type { ConfigProblem } from "./kind-spec.ts";

const quoted = (text: string): string => JSON.stringify(text);

/** So many columns are named; more of them, or longer ones, are no help. */
const NAMED = 30;
const NAME_LENGTH = 60;

function columnsAre({ names }: Schema): string {
  if (names.length === 0) return "there are no columns";
  const shown = names
    .slice(0, NAMED)
    .map((name) => (name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name));
  const rest = names.length - shown.length;
  return `the columns are ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** A column that the input does not have, with the nearest name as the repair. `pointer` is relative to the config. */
export function missingColumn(name: string, schema: Schema, field: string, pointer: string): ConfigProblem {
  const near = closest(name, schema.names);
  return {
    code: "unknown-column",
    field,
    message: `there is no column ${quoted(name)}`,
    hint: near === undefined ? columnsAre(schema) : `did you mean ${quoted(near)}?`,
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
