import { CounterRandom } from "../../base/counter-random.ts";
import { power } from "../../base/math.ts";
import type { FixedColumn, Validity } from "../../data/column.ts";
import { typeOf } from "../../data/types.ts";
import { highWord, lowWord } from "../../data/words.ts";

export const TWO_32 = 4_294_967_296;

const INT64 = typeOf("int64");
const TIMESTAMP = typeOf("timestamp[ms]");

/**
 * Random numbers by event: table k is a function of (seed, k, number of the event). Frozen, so that keyframes of the lab share it:
 * what changes in it is scratch memory, which nobody reads from one batch to the next.
 */
export class Tables {
  private readonly seed: number;
  private readonly made: (CounterRandom | undefined)[] = [];
  /** Room for the words of a table, used again for every batch. */
  private readonly rooms: (Uint32Array | undefined)[] = [];

  constructor(seed: number) {
    this.seed = seed;
    Object.freeze(this);
  }

  /** Words 2i and 2i + 1 are those of the i-th event; valid until the next call for the table. */
  words(table: number, numbers: Float64Array): Uint32Array {
    const random = this.made[table] ?? new CounterRandom(this.seed, table);
    this.made[table] = random;
    let room = this.rooms[table];
    if (room === undefined || room.length < 2 * numbers.length) {
      room = new Uint32Array(2 * numbers.length);
      this.rooms[table] = room;
    }
    random.words(numbers, room);
    return room;
  }
}

/** Events of one stream in a batch: their numbers, and random words for each, drawn when a column first asks. */
export class Draws {
  readonly numbers: Float64Array;
  private readonly tables: Tables;
  private readonly drawn: (Uint32Array | undefined)[] = [];
  /** Dictionary codes that two columns share. */
  codes: Int32Array | undefined = undefined;

  constructor(numbers: Float64Array, tables: Tables) {
    this.numbers = numbers;
    this.tables = tables;
  }

  get count(): number {
    return this.numbers.length;
  }

  /** Words 2i and 2i + 1 are event i's in table `table`; valid until the next batch. */
  words(table: number): Uint32Array {
    const words = this.drawn[table] ?? this.tables.words(table, this.numbers);
    this.drawn[table] = words;
    return words;
  }
}

/** A whole number in [0, below), from 32 random bits. */
export const below = (word: number, limit: number): number => Math.floor((word / TWO_32) * limit);

/** Columns have no NULLs. */
export const plain = (length: number) => ({ length, nullCount: 0, validity: null as Validity });

/** A column of safe integers. */
export function longs(values: Float64Array): FixedColumn {
  const count = values.length;
  const words = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    words[2 * i] = lowWord(value);
    words[2 * i + 1] = highWord(value);
  }
  return { encoding: "fixed", type: INT64, ...plain(count), values: words };
}

export const instants = (values: Float64Array): FixedColumn => ({ ...longs(values), type: TIMESTAMP });

/** 10^(6u) in three factors by the bits of u: multiplications only, the same in every engine (D-50). */
const factors = (bits: number, unit: number): Float64Array =>
  Float64Array.from({ length: 2 ** bits }, (_, i) => power(10, 6 * i * unit));
const HIGH = factors(11, 2 ** -11);
const MIDDLE = factors(11, 2 ** -22);
const LOW = factors(10, 2 ** -32);

/** A price in cents: 100 to 100,000,000, evenly over its logarithm. */
export function priceOf(word: number): number {
  const high = HIGH[word >>> 21] as number;
  const middle = MIDDLE[(word >>> 10) & 2047] as number;
  return Math.floor(high * middle * (LOW[word & 1023] as number) * 100 + 0.5);
}

/** Prices of events by word `half` of each. */
export function pricesOf(words: Uint32Array, half: 0 | 1, count: number): Float64Array {
  const prices = new Float64Array(count);
  for (let i = 0; i < count; i++) prices[i] = priceOf(words[2 * i + half] as number);
  return prices;
}
