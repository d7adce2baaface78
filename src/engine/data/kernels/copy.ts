import { assertNever } from "../../base/assert.ts";
import { Batch } from "../batch.ts";
import { copyBits } from "../bits.ts";
import type { Column, FixedValues, VarColumn } from "../column.ts";
import { elementsPerRow, newTextBytes } from "../storage.ts";

/**
 * A batch that may be kept: the batch itself where it is its own, else a private copy of its rows and nothing around them.
 */
export function retain(batch: Batch): Batch {
  return batch.borrowed ? copyBatch(batch) : batch;
}

/** A deep, private copy of the rows. */
export function copyBatch(batch: Batch): Batch {
  const eventTimes = batch.eventTimes === null ? null : privateCopy(batch.eventTimes, batch.rowCount);
  return new Batch(batch.schema, batch.rowCount, batch.columns.map(copyColumn), eventTimes, false);
}

export function copyColumn(column: Column): Column {
  const { length, nullCount } = column;
  const validity = nullCount === 0 || column.validity === null ? null : copyBits(column.validity, length);
  const common = { type: column.type, length, nullCount, validity };
  switch (column.encoding) {
    case "fixed":
      return { encoding: "fixed", ...common, values: privateCopy(column.values, length * elementsPerRow(column.type)) };
    case "bits":
      return { encoding: "bits", ...common, values: copyBits(column.values, length) };
    case "var":
      return { encoding: "var", ...common, ...copyText(column) };
    case "dictionary": {
      const { codes, dictionary } = column;
      return {
        encoding: "dictionary",
        ...common,
        codes: privateCopy(codes, length),
        dictionary: privateDictionary(dictionary),
      };
    }
    default:
      return assertNever(column);
  }
}

/** Copies into an ArrayBuffer also from shared memory, where `slice` would do the same but says another type. */
function privateCopy<T extends FixedValues>(values: T, elements: number): T {
  const copy = new (values.constructor as new (length: number) => T)(elements);
  copy.set(values.length === elements ? values : values.subarray(0, elements));
  return copy;
}

function copyText(column: VarColumn): Pick<VarColumn, "offsets" | "bytes"> {
  const base = column.offsets[0] as number;
  const end = column.offsets[column.length] as number;
  const offsets = privateCopy(column.offsets, column.length + 1);
  if (base !== 0) for (let i = 0; i < offsets.length; i++) offsets[i] = (offsets[i] as number) - base;
  const bytes = newTextBytes(end - base);
  bytes.set(column.bytes.subarray(base, end));
  return { offsets, bytes };
}

const privateDictionaries = new WeakMap<VarColumn, VarColumn>();

/** Dictionaries are kept by many batches: one copy each, none where it is private already. */
function privateDictionary(dictionary: VarColumn): VarColumn {
  if (dictionary.bytes.buffer instanceof ArrayBuffer && dictionary.offsets.buffer instanceof ArrayBuffer)
    return dictionary;
  const known = privateDictionaries.get(dictionary);
  if (known !== undefined) return known;
  const copy = copyColumn(dictionary) as VarColumn;
  privateDictionaries.set(dictionary, copy);
  return copy;
}
