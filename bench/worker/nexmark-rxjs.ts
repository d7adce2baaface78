import { filter, groupBy, map, mergeMap, Observable, reduce, Subject } from "rxjs";
import type { QueryName } from "./nexmark-events.ts";
import { endOf, type NexmarkJob, type Row, rowMaker, type Step, stepOf, streamsOf, WINDOW_MS } from "./nexmark-rows.ts";

const QUERIES: Readonly<Record<QueryName, (rows: Observable<Row>) => Observable<unknown>>> = {
  q0: (rows) => rows.pipe(map(({ id, bidder, price, time }) => ({ id, bidder, price, time }))),
  q1: (rows) => rows.pipe(map(({ id, bidder, price, time }) => ({ id, bidder, price: price * 0.908, time }))),
  q2: (rows) =>
    rows.pipe(
      filter(({ id }) => id % 123 === 0),
      map(({ id, price }) => ({ id, price })),
    ),
  q5: hotItems,
  q7: highestBid,
  q8: newUsers,
  channel: byChannel,
  codes: byChannel,
};

/** Goes through so many steps and answers the milliseconds that it took. Rows are objects, made one by one. */
export async function nexmarkRxjs({ query, events, count }: NexmarkJob): Promise<number> {
  const streams = await streamsOf(events);
  let told = 0;
  const from = performance.now();
  const rows = new Observable<Row>((subscriber) => {
    for (let step = 0; step < count; step++) {
      streams.forEach((stream, index) => {
        const at: Step = stepOf(stream, step);
        const make = rowMaker(at, index);
        for (let row = 0; row < at.batch.rowCount; row++) subscriber.next(make(row));
      });
    }
    subscriber.complete();
  });
  QUERIES[query](rows).subscribe(() => {
    told++;
  });
  const ms = performance.now() - from;
  if (told < 0) throw new Error("nothing came out");
  return ms;
}

/** A group for each key and window, closed when time has passed the window's end. */
function windowed<K, R>(
  rows: Observable<Row>,
  keyOf: (row: Row) => K,
  first: () => R,
  add: (result: R, row: Row) => R,
): Observable<R> {
  const closed = new Subject<number>();
  let end = Number.NEGATIVE_INFINITY;
  return rows.pipe(
    map((row) => {
      if (row.time >= end) {
        end = endOf(row.time);
        closed.next(end);
      }
      return row;
    }),
    groupBy(keyOf, { duration: () => closed }),
    mergeMap((group) => group.pipe(reduce(add, first()))),
  );
}

interface Total {
  readonly channel: string;
  readonly end: number;
  count: number;
  total: number;
}

/** Groups that stay open: to close thousands of them at once takes RxJS far longer than all the rest. */
function byChannel(rows: Observable<Row>): Observable<unknown> {
  return rows.pipe(
    filter(({ price }) => price > 1000),
    groupBy(({ text }) => text),
    mergeMap(totals),
  );
}

/** Count and sum of each window of one channel. */
function totals(rows: Observable<Row>): Observable<Total> {
  return new Observable((out) => {
    let open: Total | undefined;
    return rows.subscribe({
      next: ({ text, time, price }) => {
        if (open === undefined || time >= open.end) {
          if (open !== undefined) out.next(open);
          open = { channel: text, end: endOf(time), count: 0, total: 0 };
        }
        open.count++;
        open.total += price;
      },
      complete: () => {
        if (open !== undefined) out.next(open);
        out.complete();
      },
    });
  });
}

const SLIDE_MS = 2000;

interface HotItem {
  readonly auction: number;
  readonly num: number;
  readonly end: number;
}

/** Bids by auction in slices of two seconds, which are added up for the window that ends with each. */
function hotItems(rows: Observable<Row>): Observable<HotItem> {
  return new Observable<HotItem>((out) => {
    const slices: Map<number, number>[] = [];
    let slice = Number.NEGATIVE_INFINITY;
    let counts = new Map<number, number>();
    return rows.subscribe({
      next: ({ id, time }) => {
        const now = Math.floor(time / SLIDE_MS);
        if (now !== slice) {
          for (const item of hottestOf(slices, (slice + 1) * SLIDE_MS)) out.next(item);
          slice = now;
          counts = new Map();
          if (slices.push(counts) > WINDOW_MS / SLIDE_MS) slices.shift();
        }
        counts.set(id, (counts.get(id) ?? 0) + 1);
      },
      complete: () => out.complete(),
    });
  });
}

/** The auction with the most bids, and all that have as many. */
function hottestOf(slices: readonly Map<number, number>[], end: number): HotItem[] {
  const totals = new Map<number, number>();
  let most = 0;
  for (const slice of slices) {
    for (const [auction, count] of slice) {
      const num = (totals.get(auction) ?? 0) + count;
      totals.set(auction, num);
      if (num > most) most = num;
    }
  }
  const hottest: HotItem[] = [];
  for (const [auction, num] of totals) if (num === most) hottest.push({ auction, num, end });
  return hottest;
}

function highestBid(rows: Observable<Row>): Observable<unknown> {
  return windowed(
    rows,
    () => 0,
    () => [] as Row[],
    (best, row) => {
      const price = best[0]?.price ?? -1;
      if (row.price > price) return [row];
      if (row.price === price) best.push(row);
      return best;
    },
  );
}

/** One group for each window, with people and sellers in it: a group for each of them would be closed one by one. */
function newUsers(rows: Observable<Row>): Observable<unknown> {
  return windowed(
    rows,
    () => 0,
    () => ({ people: new Map<number, string>(), sellers: new Set<number>(), end: 0 }),
    (result, { id, text, time, stream }) => {
      if (stream === 0) result.people.set(id, text);
      else result.sellers.add(id);
      result.end = endOf(time);
      return result;
    },
  ).pipe(
    mergeMap(({ people, sellers, end }) =>
      [...sellers].filter((id) => people.has(id)).map((id) => ({ id, name: people.get(id), end })),
    ),
  );
}
