import type { Batch, VarColumn } from "../../src/engine/parts.ts";
import { type EventsConfig, eventBatches, type QueryName, roundMs } from "./nexmark-events.ts";

/** How one thread is asked to go through events: `count` batches of every stream, round after round. */
export interface NexmarkJob {
  readonly query: QueryName;
  readonly events: readonly EventsConfig[];
  readonly count: number;
}

export const TWO_32 = 2 ** 32;
export const WINDOW_MS = 10_000;

/** Batches of one stream, of which the i-th comes `later` than it was made. */
export interface Stream {
  readonly batches: readonly Batch[];
  readonly round: number;
}

export async function streamsOf(events: readonly EventsConfig[]): Promise<Stream[]> {
  return Promise.all(events.map(async (of) => ({ batches: await eventBatches(of), round: roundMs(of) })));
}

export interface Step {
  readonly batch: Batch;
  /** What is added to its times. */
  readonly later: number;
}

export function stepOf({ batches, round }: Stream, step: number): Step {
  return { batch: batches[step % batches.length] as Batch, later: Math.floor(step / batches.length) * round };
}

/** Different rows of all streams, and how many a step of all streams has on average. */
export async function nexmarkRows({ events }: Pick<NexmarkJob, "events">): Promise<{ all: number; aBatch: number }> {
  const streams = await streamsOf(events);
  const all = streams.reduce((sum, { batches }) => sum + batches.reduce((rows, batch) => rows + batch.rowCount, 0), 0);
  return { all, aBatch: all / (streams[0]?.batches.length ?? 1) };
}

/** The words of a column of 64-bit integers. */
export function wordsAt(batch: Batch, name: string): Int32Array {
  const column = batch.column(name);
  if (column?.encoding !== "fixed") throw new Error(`no integers ${name}`);
  return column.values as Int32Array;
}

/** The offsets and bytes of a column of plain text, and its bytes by words of any alignment. */
export function textAt(batch: Batch, name: string): { offsets: Int32Array; view: DataView } {
  const column = batch.column(name);
  if (column?.encoding !== "var") throw new Error(`no plain text ${name}`);
  const { offsets, bytes } = column;
  // A few bytes behind the last word can be read, too.
  return { offsets, view: new DataView(bytes.buffer, bytes.byteOffset) };
}

export function dictionaryAt(batch: Batch, name: string): { codes: Int32Array; words: VarColumn } {
  const column = batch.column(name);
  if (column?.encoding !== "dictionary") throw new Error(`no dictionary ${name}`);
  return { codes: column.codes, words: column.dictionary };
}

const decoder = new TextDecoder();
const texts = new WeakMap<VarColumn, string[]>();

/** The words of a dictionary as text; decoded once. */
export function textsOf(words: VarColumn): string[] {
  const known = texts.get(words);
  if (known !== undefined) return known;
  const made = Array.from({ length: words.length }, (_, i) =>
    decoder.decode(words.bytes.slice(words.offsets[i], words.offsets[i + 1])),
  );
  texts.set(words, made);
  return made;
}

/** An event as libraries of rows take it. Only what the query asks for is set. */
export interface Row {
  /** The auction of a bid; the person, or the seller of an auction. */
  readonly id: number;
  readonly bidder: number;
  readonly price: number;
  readonly text: string;
  readonly time: number;
  /** Which of the query's streams. */
  readonly stream: number;
}

/** Rows of a batch by number: made one by one, as a source of rows would. */
export function rowMaker({ batch, later }: Step, stream: number): (row: number) => Row {
  const has = (name: string): boolean => batch.schema.indexOf(name) >= 0;
  const numbers = (name: string): ((row: number) => number) => {
    if (!has(name)) return () => 0;
    const words = wordsAt(batch, name);
    return (row) => (words[2 * row + 1] as number) * TWO_32 + ((words[2 * row] as number) >>> 0);
  };
  const words = (name: string): ((row: number) => string) => {
    const { codes, words } = dictionaryAt(batch, name);
    const text = textsOf(words);
    return (row) => text[codes[row] as number] as string;
  };
  const id = numbers(has("auction") ? "auction" : has("seller") ? "seller" : "id");
  const bidder = numbers("bidder");
  const price = numbers("price");
  const text = has("channel") ? words("channel") : has("name") ? words("name") : () => "";
  const times = batch.eventTimes as Float64Array;
  return (row) => ({
    id: id(row),
    bidder: bidder(row),
    price: price(row),
    text: text(row),
    time: (times[row] as number) + later,
    stream,
  });
}

/** End of the window of ten seconds. */
export const endOf = (time: number): number => (Math.floor(time / WINDOW_MS) + 1) * WINDOW_MS;
