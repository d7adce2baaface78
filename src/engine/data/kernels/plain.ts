import { bytesForBits } from "../bits.ts";
import { type DictionaryColumn, isNull, type VarColumn } from "../column.ts";
import { newTextBytes } from "../storage.ts";

/** The same rows as plain text. NULL entries of the dictionary become NULL rows. */
export function plainText(column: DictionaryColumn): VarColumn {
  const { type, length, codes, dictionary } = column;
  const offsets = new Int32Array(length + 1);
  const bits = new Uint8Array(bytesForBits(length));
  let end = 0;
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    if (isNull(column, row)) nullCount++;
    else {
      const code = codes[row] as number;
      end += (dictionary.offsets[code + 1] as number) - (dictionary.offsets[code] as number);
      bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    }
    offsets[row + 1] = end;
  }
  const bytes = newTextBytes(end);
  for (let row = 0; row < length; row++) {
    const to = offsets[row] as number;
    const size = (offsets[row + 1] as number) - to;
    if (size === 0) continue;
    const from = dictionary.offsets[codes[row] as number] as number;
    for (let i = 0; i < size; i++) bytes[to + i] = dictionary.bytes[from + i] as number;
  }
  return {
    encoding: "var",
    type,
    length,
    nullCount,
    validity: nullCount === 0 ? null : { bits, bitOffset: 0 },
    offsets,
    bytes,
  };
}
