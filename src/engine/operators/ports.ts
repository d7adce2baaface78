import { InvariantError } from "../base/assert.ts";
import type { Schema } from "../data/schema.ts";

/** The schema of a port; the plan gives one for every port that the kind has. */
export function schemaAt(schemas: Readonly<Record<string, Schema>>, port: string): Schema {
  const schema = schemas[port];
  if (schema === undefined) throw new InvariantError(`the plan gives no schema for port ${port}`);
  return schema;
}
