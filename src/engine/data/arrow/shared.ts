import { assertNever } from "../../base/assert.ts";
import type { Column } from "../column.ts";

/** Whether any buffer of the column lies in shared memory, which browsers refuse to decode from (P-01). */
export function isShared(column: Column): boolean {
  if (column.validity !== null && inShared(column.validity.bits)) return true;
  switch (column.encoding) {
    case "fixed":
      return inShared(column.values);
    case "bits":
      return inShared(column.values.bits);
    case "var":
      return inShared(column.offsets) || inShared(column.bytes);
    case "dictionary":
      return inShared(column.codes) || isShared(column.dictionary);
    default:
      return assertNever(column);
  }
}

const inShared = (view: ArrayBufferView): boolean => !(view.buffer instanceof ArrayBuffer);
