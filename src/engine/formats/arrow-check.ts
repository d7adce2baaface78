import type { Column, VarColumn } from "../data/column.ts";
import { isAscii, isUtf8 } from "../data/text.ts";

/** Texts that were found right: batches share dictionaries. */
const sound = new WeakSet<VarColumn>();

/**
 * What is wrong with the values of a column that came from an Arrow file; `undefined` when nothing is. The door that made the
 * column has checked that they lie within their buffers.
 */
export function columnFault(column: Column): string | undefined {
  if (column.encoding === "bits") {
    const { bits, bitOffset } = column.values;
    return bitOffset + column.length > 8 * bits.length ? "it has too few values" : undefined;
  }
  if (column.encoding === "fixed" || column.type.kind !== "utf8") return undefined;
  const text = column.encoding === "dictionary" ? column.dictionary : column;
  if (sound.has(text)) return undefined;
  if (!isText(text)) return "a text is not UTF-8";
  sound.add(text);
  return undefined;
}

function isText({ offsets, bytes, length }: VarColumn): boolean {
  const start = offsets[0] as number;
  const end = offsets[length] as number;
  if (isAscii(bytes, start, end)) return true;
  if (!isUtf8(bytes, start, end)) return false;
  // All of it is well-formed; so is each value that does not begin within a character.
  for (let row = 1; row < length; row++) {
    const at = offsets[row] as number;
    if (at < end && ((bytes[at] as number) & 0xc0) === 0x80) return false;
  }
  return true;
}
