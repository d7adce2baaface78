import { assert, assertNever } from "../../base/assert.ts";
import type { Bits, Column, FixedColumn, VarColumn } from "../column.ts";
import { continues } from "../dictionary-growth.ts";
import { wordAccess } from "../storage.ts";
import type { TimeUnit } from "../types.ts";
import { mix, murmurBytes, murmurWords } from "./murmur.ts";
import { INVERSE_OF_10, multiplyMod, powerMod, residue } from "./residue.ts";
import { sliceColumn } from "./slice.ts";

/**
 * The hash of shuffles (D-45, F-74): 32 bits over the logical value, the same for every way in which a value can be stored. It
 * must never change: hash.golden.json pins it, and checkpoints rely on it.
 *
 * - NULL: `NULL_HASH`, also for a NULL dictionary entry and for a column that is not there (F-75).
 * - Integers, booleans, dates: `mix(lo ^ hi · 0x9e3779b1)` of the value as 64 bits, so that 5 is 5 in every width.
 * - Floats: the same of the bits of the float64, after −0 became 0 and every NaN the one with the bits 0x7ff80000_00000000.
 *   Float 5 and integer 5 hash differently: who joins them casts one.
 * - Timestamps and decimals: `mix` of the value modulo 2^31 − 1, timestamps in nanoseconds, decimals as value · 10^−scale in that
 *   field: instants are equal in every unit, decimals in every scale (P-29).
 * - Text and binary: MurmurHash3 of the bytes, of a dictionary's words as of plain ones.
 *
 * Further columns: `(rotl(h, 13) · 5 + 0xe6546b64) ^ next`. No columns: 0 (F-75).
 */
export const NULL_HASH = 0x4e554c4c;

const GOLDEN = 0x9e3779b1;

/** Signed, of an integer's two words or of a canonical float64's. */
export const hashOfWords = (lo: number, hi: number): number => mix(lo ^ Math.imul(hi, GOLDEN));

/** A hash is unsigned, and so is its vnode: never negative, never −0 (P-14). */
export const vnodeOf = (hash: number, vnodes: number): number => (hash >>> 0) % vnodes;

let columnScratch = new Uint32Array(8192);

/**
 * Hashes of rows 0…rowCount into `out`. A column that does not exist is `undefined` and counts as all NULL.
 */
export function hashRows(columns: readonly (Column | undefined)[], rowCount: number, out: Uint32Array): void {
  assert(out.length >= rowCount, "room for one hash a row");
  if (columns.length === 0) {
    out.fill(0, 0, rowCount);
    return;
  }
  hashColumn(columns[0], rowCount, out);
  if (columns.length > 1 && columnScratch.length < rowCount) columnScratch = new Uint32Array(rowCount);
  for (let c = 1; c < columns.length; c++) {
    hashColumn(columns[c], rowCount, columnScratch);
    combine(out, columnScratch, rowCount);
  }
}

/** Takes the hashes of a further column into those of the columns before it. */
export function combine(out: Uint32Array, next: Uint32Array, rowCount: number): void {
  for (let i = 0; i < rowCount; i++) {
    const h = out[i] as number;
    out[i] = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) ^ (next[i] as number);
  }
}

function hashColumn(column: Column | undefined, rowCount: number, out: Uint32Array): void {
  if (column === undefined) {
    out.fill(NULL_HASH, 0, rowCount);
    return;
  }
  assert(column.length >= rowCount, "as many values as rows");
  switch (column.encoding) {
    case "fixed":
      hashFixed(column, rowCount, out);
      break;
    case "bits":
      hashBits(column.values, rowCount, out);
      break;
    case "var":
      hashText(column, rowCount, out);
      break;
    case "dictionary":
      lookUp(column.codes, wordHashes(column.dictionary), rowCount, out);
      break;
    default:
      assertNever(column);
  }
  if (column.nullCount > 0 && column.validity !== null) hashNulls(column.validity, rowCount, out);
}

/** The value of a NULL row may be anything: what was hashed of it is replaced (P-10). */
export function hashNulls({ bits, bitOffset }: Bits, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) {
    const at = bitOffset + i;
    const keep = -(((bits[at >> 3] as number) >> (at & 7)) & 1);
    out[i] = ((out[i] as number) & keep) | (NULL_HASH & ~keep);
  }
}

let narrowScratch = new Int32Array(0);
let floatScratch = new Float64Array(0);

/** Narrow types are widened first, so that there is one loop for each way to hash, and each sees one kind of array. */
function hashFixed(column: FixedColumn, rowCount: number, out: Uint32Array): void {
  const { type, values } = column;
  switch (type.kind) {
    case "timestamp":
      hashInstants(values as Int32Array, type.unit, rowCount, out);
      return;
    case "decimal":
      hashDecimals(values as Int32Array, type.scale, rowCount, out);
      return;
    case "float":
      hashFloats(values instanceof Float64Array ? values : widenFloats(values as Float32Array), rowCount, out);
      return;
    default:
      if (type.kind === "int" && type.bits === 64) hashWords(values as Int32Array, rowCount, out);
      else if (values instanceof Int32Array) hashInts(values, rowCount, out);
      else if (values instanceof Uint32Array) hashUnsigned(values, rowCount, out);
      else hashInts(widenInts(values as Int8Array | Uint8Array | Int16Array | Uint16Array), rowCount, out);
  }
}

function widenInts(values: Int8Array | Uint8Array | Int16Array | Uint16Array): Int32Array {
  if (narrowScratch.length < values.length) narrowScratch = new Int32Array(values.length);
  narrowScratch.set(values);
  return narrowScratch;
}

function widenFloats(values: Float32Array): Float64Array {
  if (floatScratch.length < values.length) floatScratch = new Float64Array(values.length);
  floatScratch.set(values);
  return floatScratch;
}

function hashInts(values: Int32Array, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) {
    const lo = values[i] as number;
    out[i] = hashOfWords(lo, lo >> 31);
  }
}

function hashUnsigned(values: Uint32Array, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) out[i] = mix(values[i] as number);
}

function hashWords(values: Int32Array, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) out[i] = hashOfWords(values[2 * i] as number, values[2 * i + 1] as number);
}

function hashFloats(values: Float64Array, rowCount: number, out: Uint32Array): void {
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * rowCount);
  for (let i = 0; i < rowCount; i++) {
    const lo = words[2 * i] as number;
    const hi = words[2 * i + 1] as number;
    const magnitude = hi & 0x7fffffff;
    const isNotANumber = magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && lo !== 0);
    const isZero = (magnitude | lo) === 0;
    out[i] = hashOfWords(isNotANumber ? 0 : lo, isNotANumber ? 0x7ff80000 : isZero ? 0 : hi);
  }
}

function hashBits({ bits, bitOffset }: Bits, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) {
    const at = bitOffset + i;
    out[i] = mix(((bits[at >> 3] as number) >> (at & 7)) & 1);
  }
}

const NANOSECONDS: Readonly<Record<TimeUnit, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

function hashInstants(values: Int32Array, unit: TimeUnit, rowCount: number, out: Uint32Array): void {
  const factor = NANOSECONDS[unit];
  for (let i = 0; i < rowCount; i++) {
    const r = residue(((values[2 * i] as number) >>> 0) + 2 * (values[2 * i + 1] as number));
    out[i] = mix(multiplyMod(r, factor));
  }
}

function hashDecimals(values: Int32Array, scale: number, rowCount: number, out: Uint32Array): void {
  const factor = powerMod(INVERSE_OF_10, scale);
  for (let i = 0; i < rowCount; i++) {
    const at = 4 * i;
    const low = ((values[at] as number) >>> 0) + 2 * ((values[at + 1] as number) >>> 0);
    const high = 4 * ((values[at + 2] as number) >>> 0) + 8 * (values[at + 3] as number);
    out[i] = mix(multiplyMod(residue(low + high), factor));
  }
}

function hashText({ offsets, bytes }: VarColumn, rowCount: number, out: Uint32Array): void {
  const view = wordAccess(bytes);
  const safeEnd = view.byteLength - 4;
  let start = offsets[0] as number;
  for (let i = 0; i < rowCount; i++) {
    const end = offsets[i + 1] as number;
    out[i] = end <= safeEnd ? murmurWords(view, start, end) : murmurBytes(bytes, start, end);
    start = end;
  }
}

const hashesOfWords = new WeakMap<VarColumn, Uint32Array>();
/** By their memory, the longest dictionary of those that are known. */
const longest = new WeakMap<ArrayBufferLike, VarColumn>();

/**
 * Hashes of a dictionary's words, by code. Every word is hashed once, however many batches share the dictionary, also where it grows between
 * them.
 */
export function wordHashes(dictionary: VarColumn): Uint32Array {
  const known = hashesOfWords.get(dictionary);
  if (known !== undefined) return known;
  const hashes = new Uint32Array(dictionary.length);
  const before = longest.get(dictionary.bytes.buffer);
  let from = 0;
  if (before !== undefined && continues(dictionary, before)) {
    hashes.set(hashesOfWords.get(before) as Uint32Array);
    from = before.length;
  }
  if (dictionary.validity === null) longest.set(dictionary.bytes.buffer, dictionary);
  hashColumn(sliceColumn(dictionary, from, dictionary.length), dictionary.length - from, hashes.subarray(from));
  hashesOfWords.set(dictionary, hashes);
  return hashes;
}

function lookUp(codes: Int32Array, table: Uint32Array, rowCount: number, out: Uint32Array): void {
  for (let i = 0; i < rowCount; i++) out[i] = table[codes[i] as number] as number;
}
