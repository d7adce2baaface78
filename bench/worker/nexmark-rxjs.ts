import { filter, groupBy, map, mergeMap, Observable, reduce, Subject } from "rxjs";
import type { QueryName } from "./nexmark-events.ts";
import { endOf, type NexmarkJob, type Row, rowMaker, type Step, stepOf, streamsOf, WINDOW_MS } from "./nexmark-rows.ts";

/** A row of either stream; `stream` tells which. */
type Event = Row & { readonly stream: number };

const QUERIES: Readonly<Record<QueryName, (rows: Observable<Event>) => Observable<unknown>>> = {
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
};

/** Goes through so many steps and answers the milliseconds that it took. Rows are objects, made one by one. */
export async function nexmarkRxjs({ query, events, count }: NexmarkJob): Promise<number> {
  const streams = await streamsOf(events);
  let told = 0;
  const from = performance.now();
  const rows = new Observable<Event>((subscriber) => {
    for (let step = 0; step < count; step++) {
      streams.forEach((stream, index) => {
        const at: Step = stepOf(stream, step);
        const make = rowMaker(at);
        for (let row = 0; row < at.batch.rowCount; row++) subscriber.next({ ...make(row), stream: index });
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
  rows: Observable<Event>,
  keyOf: (row: Event) => K,
  first: () => R,
  add: (result: R, row: Event) => R,
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

function byChannel(rows: Observable<Event>): Observable<unknown> {
  return windowed(
    rows.pipe(filter(({ price }) => price > 1000)),
    ({ text }) => text,
    () => ({ channel: "", count: 0, total: 0 }),
    (result, { text, price }) => {
      result.channel = text;
      result.count++;
      result.total += price;
      return result;
    },
  );
}

const SLIDE_MS = 2000;

/** Bids by auction in slices of two seconds, which are added up for the window that ends with each. */
function hotItems(rows: Observable<Event>): Observable<unknown> {
  const slices: Map<number, number>[] = [];
  return new Observable<number>((out) => {
    let slice = Number.NEGATIVE_INFINITY;
    let closed = new Subject<void>();
    const counts = rows.pipe(
      map((row) => {
        const now = Math.floor(row.time / SLIDE_MS);
        if (now === slice) return row;
        slice = now;
        const before = closed;
        closed = new Subject<void>();
        before.next();
        if (slices.push(new Map()) > WINDOW_MS / SLIDE_MS) slices.shift();
        out.next(mostOf(slices));
        return row;
      }),
      groupBy(({ id }) => id, { duration: () => closed }),
      mergeMap((group) =>
        group.pipe(
          reduce((count) => count + 1, 0),
          map((count) => ({ id: group.key, count })),
        ),
      ),
    );
    return counts.subscribe({
      next: ({ id, count }) => void slices.at(-1)?.set(id, count),
      complete: () => out.complete(),
    });
  });
}

function mostOf(slices: readonly Map<number, number>[]): number {
  const total = new Map<number, number>();
  let most = 0;
  for (const slice of slices) {
    for (const [id, count] of slice) {
      const sum = (total.get(id) ?? 0) + count;
      total.set(id, sum);
      if (sum > most) most = sum;
    }
  }
  return most;
}

function highestBid(rows: Observable<Event>): Observable<unknown> {
  return windowed(
    rows,
    () => 0,
    () => [] as Event[],
    (best, row) => {
      const price = best[0]?.price ?? -1;
      if (row.price > price) return [row];
      if (row.price === price) best.push(row);
      return best;
    },
  );
}

function newUsers(rows: Observable<Event>): Observable<unknown> {
  return windowed(
    rows,
    ({ id }) => id,
    () => ({ person: false, sells: false }),
    (result, { stream }) => {
      if (stream === 0) result.person = true;
      else result.sells = true;
      return result;
    },
  ).pipe(filter(({ person, sells }) => person && sells));
}
