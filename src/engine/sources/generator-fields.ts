import { assertNever } from "../base/assert.ts";
import { CounterRandom } from "../base/counter-random.ts";
import { normalQuantile, WeightedPick, ZipfRejection, zipfWeights } from "../base/distributions.ts";
import { WeirError } from "../base/errors.ts";
import { bytesForBits } from "../data/bits.ts";
import type { Column, Validity, VarColumn } from "../data/column.ts";
import { TextBuilder } from "../data/column-builder.ts";
import { type LogicalType, typeOf } from "../data/types.ts";
import { highWord, lowWord } from "../data/words.ts";
import type { GeneratorField, GeneratorSourceConfig } from "../operators/catalog.ts";
import { uuidColumn } from "./uuid.ts";

/**
 * Makes the values of one generated column for the rows with the given numbers. A value is a function of the seed, the
 * column's place and the row's number alone, so the rows are the same however many tasks make them (E-4).
 */
export type FieldMaker = (rows: Float64Array) => Column;

/** Beyond so many words a zipf column has no table and no dictionary. */
const TABLE_LIMIT = 65_536;

/** Tables of random numbers that one column may draw from. */
const STREAMS_PER_FIELD = 8;
const NULLS = 1;
/** Tables for repeated draws of one column lie this far apart. */
const REDRAW = 2 ** 24;

const FLOAT64 = typeOf("float64");
const UTF8 = typeOf("utf8");
const BOOLEAN = typeOf("boolean");
const INT64 = typeOf("int64");
const TIMESTAMP = typeOf("timestamp[ms]");

/** A maker for every column, in the order of the fields. The first streams belong to the disorder of all of them. */
export function fieldMakers(config: Pick<GeneratorSourceConfig, "fields" | "seed" | "disorder">): FieldMaker[] {
  const setBack = disorderOf(config);
  return config.fields.map((field, index) => {
    const stream = (index + 1) * STREAMS_PER_FIELD;
    const make = makerOf(field, config.seed, stream, setBack);
    return field.nullFraction > 0
      ? withNulls(make, field.nullFraction, new CounterRandom(config.seed, stream + NULLS))
      : make;
  });
}

type SetBack = ((rows: Float64Array, ms: Float64Array) => void) | undefined;

function makerOf(field: GeneratorField, seed: number, stream: number, setBack: SetBack): FieldMaker {
  switch (field.kind) {
    case "sequence":
      return (rows) => wordColumn(INT64, line(rows, field.start, field.step, field.name));
    case "timestamp":
      return (rows) => {
        const ms = line(rows, field.startMs, field.stepMs, field.name);
        setBack?.(rows, ms);
        return wordColumn(TIMESTAMP, ms);
      };
    case "uniform":
      return uniform(field, new CounterRandom(seed, stream));
    case "normal":
      return normal(field, new CounterRandom(seed, stream));
    case "uuid": {
      const first = new CounterRandom(seed, stream);
      const second = new CounterRandom(seed, stream + 2);
      return (rows) => uuidColumn(rows, first, second);
    }
    case "zipf":
      return zipf(field, seed, stream);
    case "choice": {
      const weights = field.weights ?? field.values.map(() => 1);
      return choice(field.values, picker(new WeightedPick(weights), new CounterRandom(seed, stream)));
    }
    case "constant":
      return choice([field.value], (rows) => new Int32Array(rows.length));
    default:
      return assertNever(field);
  }
}

/** start + row × step, floored to whole numbers. */
function line(rows: Float64Array, start: number, step: number, name: string): Float64Array {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = Math.floor(start + (rows[i] as number) * step);
  const last = values[values.length - 1] ?? 0;
  if (Number.isSafeInteger(last)) return values;
  throw new WeirError({
    code: "generator-overflow",
    domain: "data",
    field: name,
    row: (rows[values.findIndex((value) => !Number.isSafeInteger(value))] ?? 0) + 1,
    message: `column ${JSON.stringify(name)} leaves ±2^53, beyond which the generator would round`,
    hint: "choose a smaller step, or fewer rows",
  });
}

/** Some rows have their timestamps set back, all of a row by as much: late events. */
function disorderOf({ seed, disorder }: Pick<GeneratorSourceConfig, "seed" | "disorder">): SetBack {
  if (disorder.fraction === 0 || disorder.maxMs === 0) return undefined;
  const chosen = new CounterRandom(seed, 0);
  const distance = new CounterRandom(seed, 1);
  return (rows, ms) => {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (chosen.uniformAt(row) >= disorder.fraction) continue;
      ms[i] = (ms[i] as number) - 1 - Math.floor(distance.uniformAt(row) * disorder.maxMs);
    }
  };
}

function uniform(field: GeneratorField & { kind: "uniform" }, random: CounterRandom): FieldMaker {
  const { min, max, type } = field;
  const logical = typeOf(type);
  return (rows) => {
    const values = new Float64Array(rows.length);
    random.uniform(rows, values);
    const whole = type !== "float64";
    const width = whole ? max - min + 1 : max - min;
    for (let i = 0; i < values.length; i++) {
      const offset = (values[i] as number) * width;
      values[i] = Math.min(min + (whole ? Math.floor(offset) : offset), max);
    }
    if (type === "int64") return wordColumn(logical, values);
    return fixedColumn(logical, type === "int32" ? Int32Array.from(values) : values);
  };
}

function normal(field: GeneratorField & { kind: "normal" }, random: CounterRandom): FieldMaker {
  return (rows) => {
    const values = new Float64Array(rows.length);
    random.uniform(rows, values);
    for (let i = 0; i < values.length; i++) {
      values[i] = field.mean + field.stddev * normalQuantile(values[i] as number);
    }
    return fixedColumn(FLOAT64, values);
  };
}

/** For every row the number of a value. */
type Picker = (rows: Float64Array) => Int32Array;

function picker(table: WeightedPick, random: CounterRandom): Picker {
  return (rows) => {
    const picks = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) picks[i] = table.pick(random.uniformAt(rows[i] as number));
    return picks;
  };
}

function rejectionPicker(values: number, exponent: number, seed: number, stream: number): Picker {
  const law = new ZipfRejection(values, exponent);
  const draws = [new CounterRandom(seed, stream)];
  return (rows) => {
    const picks = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      let rank = 0;
      for (let draw = 0; rank === 0; draw++) {
        draws[draw] ??= new CounterRandom(seed, stream + draw * REDRAW);
        rank = law.tryDraw((draws[draw] as CounterRandom).uniformAt(rows[i] as number));
      }
      picks[i] = rank - 1;
    }
    return picks;
  };
}

function zipf(field: GeneratorField & { kind: "zipf" }, seed: number, stream: number): FieldMaker {
  const { values, exponent, prefix } = field;
  const small = values <= TABLE_LIMIT;
  const pick = small
    ? picker(new WeightedPick(zipfWeights(values, exponent)), new CounterRandom(seed, stream))
    : rejectionPicker(values, exponent, seed, stream);
  if (prefix === undefined) return (rows) => wordColumn(INT64, pick(rows));
  if (small) {
    const words = Array.from({ length: values }, (_, k) => `${prefix}${k}`);
    return dictionaryMaker(words, pick);
  }
  const builder = new TextBuilder(UTF8, 1024);
  return (rows) => {
    for (const k of pick(rows)) builder.appendString(`${prefix}${k}`);
    return builder.finish();
  };
}

function choice(values: readonly (string | number | boolean)[], pick: Picker): FieldMaker {
  if (values.every((value) => typeof value === "string")) return dictionaryMaker(values, pick);
  if (values.every((value) => typeof value === "boolean")) {
    return (rows) => {
      const bits = new Uint8Array(bytesForBits(rows.length));
      pick(rows).forEach((k, i) => {
        if (values[k] === true) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
      });
      return { encoding: "bits", ...plain(BOOLEAN, rows.length), values: { bits, bitOffset: 0 } };
    };
  }
  const numbers = Float64Array.from(values, Number);
  const whole = values.every((value) => Number.isSafeInteger(value));
  return (rows) => {
    const picks = pick(rows);
    const chosen = new Float64Array(picks.length);
    for (let i = 0; i < picks.length; i++) chosen[i] = numbers[picks[i] as number] as number;
    return whole ? wordColumn(INT64, chosen) : fixedColumn(FLOAT64, chosen);
  };
}

/** All batches share the one dictionary, so that edges send it once. */
function dictionaryMaker(words: readonly string[], pick: Picker): FieldMaker {
  const builder = new TextBuilder(UTF8, words.length);
  for (const word of words) builder.appendString(word);
  const dictionary: VarColumn = builder.finish();
  return (rows) => ({ encoding: "dictionary", ...plain(UTF8, rows.length), codes: pick(rows), dictionary });
}

function withNulls(make: FieldMaker, fraction: number, random: CounterRandom): FieldMaker {
  return (rows) => {
    const bits = new Uint8Array(bytesForBits(rows.length));
    let nullCount = 0;
    for (let i = 0; i < rows.length; i++) {
      if (random.uniformAt(rows[i] as number) < fraction) nullCount++;
      else bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
    }
    return nullCount === 0 ? make(rows) : { ...make(rows), nullCount, validity: { bits, bitOffset: 0 } };
  };
}

const plain = (type: LogicalType, length: number) => ({ type, length, nullCount: 0, validity: null as Validity });

function fixedColumn(type: LogicalType, values: Float64Array | Int32Array): Column {
  return { encoding: "fixed", ...plain(type, values.length), values };
}

/** Safe integers as 64-bit words. */
function wordColumn(type: LogicalType, numbers: Float64Array | Int32Array): Column {
  const words = new Int32Array(2 * numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i] as number;
    words[2 * i] = lowWord(value);
    words[2 * i + 1] = highWord(value);
  }
  return { encoding: "fixed", ...plain(type, numbers.length), values: words };
}
