import { bytesForBits } from "../../data/bits.ts";
import { type Bits, bitAt, type Column } from "../../data/column.ts";
import { elementsPerRow, newFixedValues } from "../../data/storage.ts";
import type { LogicalType } from "../../data/types.ts";
import type { Values } from "./values.ts";

/** A column of `count` rows of which all have a value. */
export function fullColumn(type: LogicalType, count: number, values: Values): Column {
  return { type, length: count, nullCount: 0, validity: null, ...values };
}

/** A column whose rows with a value, those of `validity`, take the values in turn. */
export function columnWithNulls(
  type: LogicalType,
  count: number,
  ones: number,
  validity: Bits,
  values: Values,
): Column {
  const common = { type, length: count, nullCount: count - ones, validity };
  switch (values.encoding) {
    case "fixed": {
      const spread = newFixedValues(type, count);
      spreadFixed(values.values, validity, count, elementsPerRow(type), spread);
      return { ...common, encoding: "fixed", values: spread };
    }
    case "bits":
      return { ...common, encoding: "bits", values: spreadBits(values.values, validity, count) };
    case "var": {
      const offsets = new Int32Array(count + 1);
      for (let row = 0, value = 0; row < count; row++) {
        if (bitAt(validity, row)) value++;
        offsets[row + 1] = values.offsets[value] as number;
      }
      return { ...common, encoding: "var", offsets, bytes: values.bytes };
    }
  }
}

type Numbers = Extract<Values, { encoding: "fixed" }>["values"];

function spreadFixed(dense: Numbers, { bits }: Bits, count: number, width: number, into: Numbers): void {
  let value = 0;
  for (let row = 0; row < count; row++) {
    if ((((bits[row >> 3] as number) >> (row & 7)) & 1) === 0) continue;
    if (width === 1) into[row] = dense[value] as number;
    else for (let k = 0; k < width; k++) into[row * width + k] = dense[value * width + k] as number;
    value++;
  }
}

function spreadBits(dense: Bits, validity: Bits, count: number): Bits {
  const bits = new Uint8Array(bytesForBits(count));
  for (let row = 0, value = 0; row < count; row++) {
    if (!bitAt(validity, row)) continue;
    if (bitAt(dense, value)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    value++;
  }
  return { bits, bitOffset: 0 };
}

/** The codes of a dictionary in the rows that have a value; 0 in the others. */
export function spreadCodes(dense: Int32Array, { bits }: Bits, count: number): Int32Array {
  const codes = new Int32Array(count);
  for (let row = 0, value = 0; row < count; row++) {
    if ((((bits[row >> 3] as number) >> (row & 7)) & 1) === 1) codes[row] = dense[value++] as number;
  }
  return codes;
}
