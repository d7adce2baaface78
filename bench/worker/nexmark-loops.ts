import { type QueryName, withPlainText } from "./nexmark-events.ts";
import {
  dictionaryAt,
  type NexmarkJob,
  type Step,
  type Stream,
  stepOf,
  streamsOf,
  TWO_32,
  textAt,
  WINDOW_MS,
  wordsAt,
} from "./nexmark-rows.ts";
import { Texts } from "./nexmark-texts.ts";

/** A query written by hand for one thread: takes a step of every stream, and answers something of what came out. */
type Loop = (steps: readonly Step[]) => void;

/** What came out, so that no engine leaves the work undone. */
let told = 0;

const LOOPS: Readonly<Record<QueryName, () => Loop>> = {
  q0: () => passThrough(false),
  q1: () => passThrough(true),
  q2: selection,
  q5: hotItems,
  q7: highestBid,
  q8: newUsers,
  channel: byText,
  codes: byCode,
};

/** Goes through so many steps and answers the milliseconds that it took. */
export async function nexmarkLoop({ query, events, count }: NexmarkJob): Promise<number> {
  const made = await streamsOf(events);
  const streams: Stream[] =
    query === "channel" ? made.map(({ batches, round }) => ({ batches: withPlainText(batches), round })) : made;
  const loop = LOOPS[query]();
  const from = performance.now();
  for (let step = 0; step < count; step++) loop(streams.map((stream) => stepOf(stream, step)));
  const ms = performance.now() - from;
  if (told === Number.POSITIVE_INFINITY) throw new Error("nothing came out");
  return ms;
}

const timeAt = (words: Int32Array, row: number): number =>
  (words[2 * row + 1] as number) * TWO_32 + ((words[2 * row] as number) >>> 0);

/** Copies what it hands on; with `euros` the price is computed, as a float. */
function passThrough(euros: boolean): Loop {
  const room = { auction: new Int32Array(0), bidder: new Int32Array(0), time: new Int32Array(0) };
  let price = new Float64Array(0);
  let extra = new Uint8Array(0);
  let offsets = new Int32Array(0);
  return ([step]) => {
    const { batch, later } = step as Step;
    const rows = batch.rowCount;
    const text = batch.column("extra");
    if (text?.encoding !== "var") throw new Error("no text");
    if (price.length < rows) {
      room.auction = new Int32Array(2 * rows);
      room.bidder = new Int32Array(2 * rows);
      room.time = new Int32Array(2 * rows);
      price = new Float64Array(rows);
      offsets = new Int32Array(rows + 1);
    }
    if (extra.length < text.bytes.length) extra = new Uint8Array(2 * text.bytes.length);
    room.auction.set(wordsAt(batch, "auction"));
    room.bidder.set(wordsAt(batch, "bidder"));
    extra.set(text.bytes);
    offsets.set(text.offsets);
    const prices = wordsAt(batch, "price");
    const times = wordsAt(batch, "dateTime");
    for (let row = 0; row < rows; row++) {
      const cents = timeAt(prices, row);
      price[row] = euros ? cents * 0.908 : cents;
      const time = timeAt(times, row) + later;
      room.time[2 * row] = time | 0;
      room.time[2 * row + 1] = Math.floor(time / TWO_32);
    }
    told += price[rows - 1] as number;
  };
}

function selection(): Loop {
  let out = new Float64Array(0);
  return ([step]) => {
    const { batch } = step as Step;
    if (out.length < 2 * batch.rowCount) out = new Float64Array(2 * batch.rowCount);
    const auctions = wordsAt(batch, "auction");
    const prices = wordsAt(batch, "price");
    let count = 0;
    for (let row = 0; row < batch.rowCount; row++) {
      const auction = timeAt(auctions, row);
      if (auction % 123 !== 0) continue;
      out[count++] = auction;
      out[count++] = timeAt(prices, row);
    }
    told += count;
  };
}

/** Numbers 0, 1, 2… for whole numbers below 2^31, by open addressing. */
class Numbers {
  count = 0;
  keys = new Int32Array(1 << 12);
  private slots = new Int32Array(1 << 13);

  of(key: number): number {
    const mask = this.slots.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & mask;
    for (;;) {
      const known = this.slots[slot] as number;
      if (known === 0) return this.add(key, slot);
      if (this.keys[known - 1] === key) return known - 1;
      slot = (slot + 1) & mask;
    }
  }

  private add(key: number, slot: number): number {
    if (this.count === this.keys.length) {
      this.grow();
      return this.of(key);
    }
    this.keys[this.count++] = key;
    this.slots[slot] = this.count;
    return this.count - 1;
  }

  private grow(): void {
    const { keys, count } = this;
    this.keys = new Int32Array(2 * keys.length);
    this.slots = new Int32Array(4 * keys.length);
    this.count = 0;
    for (let i = 0; i < count; i++) this.of(keys[i] as number);
  }
}

const SLIDE_MS = 2000;
const SLICES = WINDOW_MS / SLIDE_MS;

/** Bids by auction in slices of two seconds; five of them are a window. */
function hotItems(): Loop {
  const ids = new Numbers();
  let slices = Array.from({ length: SLICES }, () => new Int32Array(ids.keys.length));
  let slice = -1;
  let totals = new Int32Array(ids.keys.length);
  const fire = (next: number): void => {
    let most = 0;
    if (totals.length < ids.count) totals = new Int32Array(ids.keys.length);
    for (let id = 0; id < ids.count; id++) {
      let count = 0;
      for (const each of slices) count += each[id] as number;
      totals[id] = count;
      if (count > most) most = count;
    }
    const hottest: number[] = [];
    for (let id = 0; id < ids.count; id++) if (totals[id] === most) hottest.push(ids.keys[id] as number);
    told += most + hottest.length;
    slice++;
    if (next - slice > SLICES) slice = next;
    (slices[slice % SLICES] as Int32Array).fill(0);
  };
  return ([step]) => {
    const { batch, later } = step as Step;
    const auctions = wordsAt(batch, "auction");
    const times = wordsAt(batch, "dateTime");
    for (let row = 0; row < batch.rowCount; row++) {
      const now = Math.floor((timeAt(times, row) + later) / SLIDE_MS);
      if (slice < 0) slice = now;
      while (now > slice) fire(now);
      const id = ids.of(auctions[2 * row] as number);
      if (id >= (slices[0] as Int32Array).length) {
        slices = slices.map((each) => {
          const larger = new Int32Array(ids.keys.length);
          larger.set(each);
          return larger;
        });
      }
      const counts = slices[slice % SLICES] as Int32Array;
      counts[id] = (counts[id] as number) + 1;
    }
  };
}

/** The highest bid of the window that is open, and all that are as high. */
function highestBid(): Loop {
  let end = Number.NEGATIVE_INFINITY;
  let most = -1;
  let winners: number[] = [];
  return ([step]) => {
    const { batch, later } = step as Step;
    const prices = wordsAt(batch, "price");
    const auctions = wordsAt(batch, "auction");
    const times = wordsAt(batch, "dateTime");
    for (let row = 0; row < batch.rowCount; row++) {
      const time = timeAt(times, row) + later;
      if (time >= end) {
        told += winners.length;
        end = (Math.floor(time / WINDOW_MS) + 1) * WINDOW_MS;
        most = -1;
      }
      const price = timeAt(prices, row);
      if (price < most) continue;
      if (price > most) winners = [];
      most = price;
      winners.push(auctions[2 * row] as number);
    }
  };
}

/** People, with the codes of their names, and sellers of the window that is open. */
function newUsers(): Loop {
  let end = Number.NEGATIVE_INFINITY;
  const people = new Map<number, number>();
  const sellers = new Set<number>();
  const fire = (time: number): void => {
    for (const seller of sellers) {
      const name = people.get(seller);
      if (name !== undefined) told += name;
    }
    people.clear();
    sellers.clear();
    end = (Math.floor(time / WINDOW_MS) + 1) * WINDOW_MS;
  };
  return ([first, second]) => {
    const { batch, later } = first as Step;
    const ids = wordsAt(batch, "id");
    const { codes } = dictionaryAt(batch, "name");
    each(batch, later, (row) => people.set(ids[2 * row] as number, codes[row] as number));
    const { batch: auctions, later: auctionsLater } = second as Step;
    const own = wordsAt(auctions, "seller");
    each(auctions, auctionsLater, (row) => sellers.add(own[2 * row] as number));
  };

  function each(batch: Step["batch"], later: number, take: (row: number) => void): void {
    const times = wordsAt(batch, "dateTime");
    for (let row = 0; row < batch.rowCount; row++) {
      const time = timeAt(times, row) + later;
      if (time >= end) fire(time);
      take(row);
    }
  }
}

/** Counts and sums by number of the channel. */
class Totals {
  private readonly counts: Int32Array;
  private readonly sums: Float64Array;
  private end = Number.NEGATIVE_INFINITY;

  constructor(keys: number) {
    this.counts = new Int32Array(keys);
    this.sums = new Float64Array(keys);
  }

  add(key: number, price: number, time: number): void {
    if (time >= this.end) this.fire(time);
    this.counts[key] = (this.counts[key] as number) + 1;
    this.sums[key] = (this.sums[key] as number) + price;
  }

  private fire(time: number): void {
    const { counts, sums } = this;
    for (let key = 0; key < counts.length; key++) if ((counts[key] as number) > 0) told += sums[key] as number;
    counts.fill(0);
    sums.fill(0);
    this.end = (Math.floor(time / WINDOW_MS) + 1) * WINDOW_MS;
  }
}

/** The channels' codes are their numbers. */
function byCode(): Loop {
  let totals: Totals | undefined;
  return ([step]) => {
    const { batch, later } = step as Step;
    const { codes, words } = dictionaryAt(batch, "channel");
    totals ??= new Totals(words.length);
    const prices = wordsAt(batch, "price");
    const times = batch.eventTimes as Float64Array;
    for (let row = 0; row < batch.rowCount; row++) {
      const price = timeAt(prices, row);
      if (price > 1000) totals.add(codes[row] as number, price, (times[row] as number) + later);
    }
  };
}

const MOST_TEXTS = 1 << 14;

/** The channels are text: their bytes are looked up, row by row. */
function byText(): Loop {
  const numbers = new Texts(MOST_TEXTS);
  const totals = new Totals(MOST_TEXTS);
  return ([step]) => {
    const { batch, later } = step as Step;
    const { offsets, view } = textAt(batch, "channel");
    const prices = wordsAt(batch, "price");
    const times = batch.eventTimes as Float64Array;
    for (let row = 0; row < batch.rowCount; row++) {
      const price = timeAt(prices, row);
      if (price <= 1000) continue;
      const key = numbers.of(view, offsets[row] as number, offsets[row + 1] as number);
      totals.add(key, price, (times[row] as number) + later);
    }
  };
}
