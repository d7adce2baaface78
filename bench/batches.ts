import { Batch, type Column, Schema, typeOf, type VarColumn } from "../src/engine/parts.ts";

/** The rows that benchmarks move: a key, a time, a value; 28 bytes a row on average with text keys. */

export type Keys = "text" | "int" | "dictionary";

/** Different keys, where nothing else is asked for. */
const KEYS = 1000;
const FIRST_MS = 1_700_000_000_000;
const TWO_32 = 2 ** 32;

const schemas: Readonly<Record<Keys, Schema>> = {
  text: schemaWith("utf8"),
  int: schemaWith("int32"),
  dictionary: schemaWith("utf8"),
};

/** Of `batchesWithNulls`. */
export const schemaWithNulls: Schema = schemaWith("int32", true);

function schemaWith(key: string, nullable = false): Schema {
  return new Schema([
    { name: "k", type: typeOf(key), nullable },
    { name: "ts", type: typeOf("int64"), nullable: false },
    { name: "v", type: typeOf("float64"), nullable },
  ]);
}

export const schemaOf = (keys: Keys): Schema => schemas[keys];

/** `count` different batches of so many rows; the same for the same arguments. */
export function batchesOf(keys: Keys, rows: number, count: number, distinct = KEYS): Batch[] {
  const name = `${keys} ${rows} ${count} ${distinct}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const batches = Array.from({ length: count }, (_, seed) => batchOf(keys, rows, seed, distinct));
  // Those of the size before would only fill the memory.
  made.clear();
  made.set(name, batches);
  return batches;
}

const made = new Map<string, Batch[]>();

function batchOf(keys: Keys, rows: number, seed: number, distinct: number): Batch {
  const next = random(seed);
  const numbers = Int32Array.from({ length: rows }, () => Math.floor(next() * distinct));
  const times = new Int32Array(2 * rows);
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const ms = FIRST_MS + seed * 1000 + Math.floor(row / 100);
    times[2 * row] = (ms % TWO_32) | 0;
    times[2 * row + 1] = Math.floor(ms / TWO_32);
    values[row] = next();
  }
  const plain = { length: rows, nullCount: 0, validity: null } as const;
  return new Batch(schemaOf(keys), rows, [
    keyColumn(keys, numbers),
    { encoding: "fixed", type: typeOf("int64"), ...plain, values: times },
    { encoding: "fixed", type: typeOf("float64"), ...plain, values },
  ]);
}

/** Integer keys and values of which every tenth is NULL, not the same rows in both. */
export function batchesWithNulls(rows: number, count: number): Batch[] {
  const name = `nulls ${rows} ${count}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const next = random(count);
  const batches = batchesOf("int", rows, count).map(({ columns }) => {
    const some = columns.map((column, i) =>
      schemaWithNulls.fields[i]?.nullable ? { ...column, ...someNulls(rows, next) } : column,
    );
    return new Batch(schemaWithNulls, rows, some);
  });
  made.set(name, batches);
  return batches;
}

function someNulls(rows: number, next: () => number): Pick<Column, "nullCount" | "validity"> {
  const bits = new Uint8Array((rows + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < rows; row++) {
    if (next() < 0.1) nullCount++;
    else bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  }
  return { nullCount, validity: { bits, bitOffset: 0 } };
}

function keyColumn(keys: Keys, numbers: Int32Array): Column {
  const plain = { length: numbers.length, nullCount: 0, validity: null } as const;
  switch (keys) {
    case "text":
      return textColumn(Array.from(numbers, wordOf));
    case "int": {
      const values = numbers.map((number) => Math.imul(number + 1, 0x9e3779b1));
      return { encoding: "fixed", type: typeOf("int32"), ...plain, values };
    }
    case "dictionary":
      return { encoding: "dictionary", type: typeOf("utf8"), ...plain, codes: numbers, dictionary: DICTIONARY };
  }
}

/** Words of 4 to 12 letters. */
const wordOf = (number: number): string => `${number.toString(36).padStart(4, "k")}${"abcdefgh".slice(0, number % 9)}`;
const WORDS = Array.from({ length: KEYS }, (_, number) => wordOf(number));
const DICTIONARY = textColumn(WORDS);

function textColumn(words: readonly string[]): VarColumn {
  const text = new TextEncoder().encode(words.join(""));
  // A few bytes behind the last word, as columns from a source have them: kernels read whole words.
  const bytes = new Uint8Array(text.length + 8).subarray(0, text.length);
  bytes.set(text);
  const offsets = new Int32Array(words.length + 1);
  words.forEach((word, i) => {
    offsets[i + 1] = (offsets[i] as number) + word.length;
  });
  return { encoding: "var", type: typeOf("utf8"), length: words.length, nullCount: 0, validity: null, offsets, bytes };
}

/** Bytes of all buffers of a batch. */
export function bytesOf(batch: Batch): number {
  return buffersOf(batch).reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

/** All buffers of a batch without NULLs, as bytes. */
export function buffersOf(batch: Batch): Uint8Array[] {
  return batch.columns.flatMap((column) => {
    switch (column.encoding) {
      case "fixed":
        return [asBytes(column.values)];
      case "bits":
        return [column.values.bits];
      case "var":
        return [asBytes(column.offsets), column.bytes];
      case "dictionary":
        return [asBytes(column.codes)];
    }
  });
}

const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The sum of a batch's values: what every consumer does with a batch, so that its rows are really read. */
export function sumOf(batch: Batch): number {
  const column = batch.columns[2];
  return column?.encoding === "fixed" ? sum(column.values as Float64Array) : Number.NaN;
}

/** Four sums at a time: one alone would wait for each addition, and be slower than the copying that is measured. */
export function sum(values: Float64Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = values.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    a += values[i] as number;
    b += values[i + 1] as number;
    c += values[i + 2] as number;
    d += values[i + 3] as number;
  }
  for (let i = whole; i < values.length; i++) a += values[i] as number;
  return a + b + c + d;
}

/**
 * Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). All seeds walk through one cycle: they begin at places far
 * apart, not next to each other.
 */
function random(seed: number): () => number {
  let state = Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 13), 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_32;
  };
}
