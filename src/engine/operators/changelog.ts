import type { DictionaryColumn } from "../data/column.ts";
import { TextBuilder } from "../data/column-builder.ts";
import { typeOf } from "../data/types.ts";

/** What a row of a changelog does. */
export const Op = { insert: 0, update: 1, delete: 2 } as const;
export type Op = (typeof Op)[keyof typeof Op];

const words = new TextBuilder(typeOf("utf8"), 3);
for (const name of Object.keys(Op)) words.appendString(name);
const OPS = words.finish();

/** The column `op`. */
export function opColumn(codes: Int32Array): DictionaryColumn {
  const { type } = OPS;
  return { encoding: "dictionary", type, length: codes.length, nullCount: 0, validity: null, codes, dictionary: OPS };
}
