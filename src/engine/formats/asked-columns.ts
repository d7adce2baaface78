import { WeirError } from "../base/errors.ts";
import { type Column, isNull } from "../data/column.ts";
import type { Schema } from "../data/schema.ts";
import { sameType, typeName } from "../data/types.ts";

/** Columns that are asked of a file which has columns of its own: Arrow and Parquet. */

/**
 * Checks that the file has what the schema asks for.
 * @throws WeirError `schema-mismatch` that names every difference
 */
export function refuseOtherColumns(
  found: Schema,
  { schema, extraFields }: { readonly schema: Schema; readonly extraFields: "refuse" | "ignore" },
  file: string,
): void {
  const problems = schema.fields.flatMap(({ name, type }) => {
    const field = found.field(name);
    if (field === undefined) return [`it has no column ${JSON.stringify(name)}`];
    if (sameType(field.type, type)) return [];
    return [`${JSON.stringify(name)} is ${typeName(field.type)}, not ${typeName(type)}`];
  });
  const extra = found.names.filter((name) => schema.indexOf(name) < 0);
  if (extra.length > 0 && extraFields === "refuse") {
    problems.push(`the schema does not name its column ${extra.map((name) => JSON.stringify(name)).join(", ")}`);
  }
  if (problems.length === 0) return;
  throw new WeirError({
    code: "schema-mismatch",
    domain: "data",
    file,
    message: `the file does not have the columns of the schema: ${problems.join("; ")}`,
    hint: `its columns are ${found}`,
  });
}

/** @throws WeirError `null-in-not-null` */
export function refuseNulls(column: Column, field: string): void {
  if (column.nullCount === 0 && (column.encoding !== "dictionary" || column.dictionary.validity === null)) return;
  for (let row = 0; row < column.length; row++) {
    if (!isNull(column, row)) continue;
    throw new WeirError({
      code: "null-in-not-null",
      domain: "data",
      field,
      message: "NULL in a column that is not null",
      hint: "let the column be NULL in the schema",
    });
  }
}
