import { assertNever } from "../base/assert.ts";
import { bytesForBits } from "../data/bits.ts";
import type { Column, FixedValues, Validity, VarColumn } from "../data/column.ts";
import { bytesPerRow, newFixedValues, newTextBytes } from "../data/storage.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import type { LogicalType } from "../data/types.ts";
import { kernelsFor } from "../data/wasm/kernel-arrays.ts";
import { packBits } from "./masks.ts";
import { type BoolVec, type TextVec, type Vec, WORDS_PER_ROW, wordAt } from "./vec.ts";

/** The vector as a column of its own memory; bits and values of fixed width lie in memory of the turn where there is such. */
export function columnOf(vec: Vec, type: LogicalType, rows: number, memory?: TurnMemory): Column {
  const { nullCount, validity } = validityOf(vec, rows, memory);
  const common = { type, length: rows, nullCount, validity };
  switch (vec.kind) {
    case "bool":
      return { encoding: "bits", ...common, values: { bits: bitsOf(vec, rows, memory), bitOffset: 0 } };
    case "double":
      return { encoding: "fixed", ...common, values: valuesOf(vec.values, vec.step, 1, type, rows, memory) };
    case "int":
    case "long":
    case "decimal":
      if (type.kind === "int" && type.bits === 32 && !type.signed) {
        return { encoding: "fixed", ...common, values: lowWords(vec.values, vec.step, rows) };
      }
      return {
        encoding: "fixed",
        ...common,
        values: valuesOf(vec.values, vec.step, WORDS_PER_ROW[vec.kind], type, rows, memory),
      };
    case "text":
      return textColumn(vec, common);
    default:
      return assertNever(vec);
  }
}

function validityOf(
  { nulls, step }: Vec,
  rows: number,
  memory: TurnMemory | undefined,
): { nullCount: number; validity: Validity } {
  if (nulls === null) return { nullCount: 0, validity: null };
  const bits = bitsIn(rows, memory);
  const nullCount = packBits(nulls, step, rows, 1, bits);
  return nullCount === 0 ? { nullCount, validity: null } : { nullCount, validity: { bits, bitOffset: 0 } };
}

function bitsOf({ values, step }: BoolVec, rows: number, memory: TurnMemory | undefined): Uint8Array {
  const bits = bitsIn(rows, memory);
  packBits(values, step, rows, 0, bits);
  return bits;
}

const bitsIn = (rows: number, memory: TurnMemory | undefined): Uint8Array =>
  memory === undefined ? new Uint8Array(bytesForBits(rows)) : memory.room(bytesForBits(rows)).zeros(bytesForBits(rows));

/** Narrower types take the low bits of what is held wider: the values are known to fit. */
function valuesOf(
  values: Int32Array | Float64Array,
  step: number,
  width: number,
  type: LogicalType,
  rows: number,
  memory: TurnMemory | undefined,
): FixedValues {
  const isStoredSo = (type.kind !== "float" || type.bits === 64) && (type.kind !== "int" || type.bits >= 32);
  if (step === 1 && isStoredSo && memory === undefined) return values.slice(0, width * rows);
  const out =
    memory === undefined ? newFixedValues(type, rows) : memory.room(rows * bytesPerRow(type)).fixed(type, rows);
  if (step === 1) {
    const kernels = isStoredSo ? kernelsFor(rows, values, out) : undefined;
    if (kernels === undefined) out.set(values.subarray(0, width * rows));
    else kernels.copyBytes(values.byteOffset, out.byteOffset, out.byteLength);
  } else for (let at = 0; at < out.length; at += width) out.set(values.subarray(0, width), at);
  return out;
}

function lowWords(values: Int32Array, step: number, rows: number): Uint32Array {
  const out = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) out[i] = values[2 * i * step] as number;
  return out;
}

type ColumnHead = Pick<Column, "type" | "length" | "nullCount" | "validity">;

function textColumn(vec: TextVec, head: ColumnHead): Column {
  const { length } = head;
  if (head.type.kind !== "utf8") return plainColumn(vec, head);
  if (vec.step === 0) {
    const words = vec.words ?? lastingWords(vec.offsets, vec.bytes, 1, head.type);
    return { encoding: "dictionary", ...head, codes: new Int32Array(length), dictionary: words };
  }
  if (vec.codes !== null && vec.words !== null) {
    return { encoding: "dictionary", ...head, codes: vec.codes.slice(0, length), dictionary: vec.words };
  }
  return plainColumn(vec, head);
}

function plainColumn(vec: TextVec, head: ColumnHead): VarColumn {
  const { length } = head;
  if (vec.codes === null && vec.step === 1) {
    return { encoding: "var", ...head, ...copyWords(vec.offsets, vec.bytes, length) };
  }
  const offsets = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) {
    const word = wordAt(vec, i);
    offsets[i + 1] = (offsets[i] as number) + (vec.offsets[word + 1] as number) - (vec.offsets[word] as number);
  }
  const bytes = newTextBytes(offsets[length] as number);
  for (let i = 0; i < length; i++) {
    const word = wordAt(vec, i);
    bytes.set(vec.bytes.subarray(vec.offsets[word], vec.offsets[word + 1]), offsets[i]);
  }
  return { encoding: "var", ...head, offsets, bytes };
}

function copyWords(from: Int32Array, text: Uint8Array, count: number): Pick<VarColumn, "offsets" | "bytes"> {
  const base = from[0] as number;
  const offsets = from.slice(0, count + 1);
  if (base !== 0) for (let i = 0; i <= count; i++) offsets[i] = (offsets[i] as number) - base;
  const bytes = newTextBytes(offsets[count] as number);
  bytes.set(text.subarray(base, base + bytes.length));
  return { offsets, bytes };
}

/** A dictionary of its own memory; its entries are never NULL. */
export function lastingWords(offsets: Int32Array, bytes: Uint8Array, count: number, type: LogicalType): VarColumn {
  return { encoding: "var", type, length: count, nullCount: 0, validity: null, ...copyWords(offsets, bytes, count) };
}
