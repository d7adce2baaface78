import type { Field } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";

/** A changelog says in its last column what each row does to the row of the same key that went before: `insert`, `update` or `delete`. */
export const OP_COLUMN = "op";
export const OP_FIELD: Field = { name: OP_COLUMN, type: typeOf("utf8"), nullable: false };
