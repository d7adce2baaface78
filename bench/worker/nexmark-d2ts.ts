import {
  concat,
  count,
  D2,
  distinct,
  filter,
  type IStreamBuilder,
  innerJoin,
  MultiSet,
  map,
  output,
  reduce,
} from "@electric-sql/d2ts";
import type { QueryName } from "./nexmark-events.ts";
import {
  endOf,
  type NexmarkJob,
  type Row,
  rowMaker,
  type Stream,
  stepOf,
  streamsOf,
  WINDOW_MS,
} from "./nexmark-rows.ts";

type Rows = IStreamBuilder<Row>;
type Tell = () => void;

const SLIDE_MS = 2000;
/** Rows of one version: as few as a caller would send who waits for answers, as many as make it fast. */
const VERSION_ROWS = 1024;

/** Ends a query: `tell` hears of every message that comes out. */
function told<T>(stream: IStreamBuilder<T>, tell: Tell): void {
  stream.pipe(output<T>(() => tell()));
}

const QUERIES: Readonly<Record<QueryName, (inputs: readonly Rows[], tell: Tell) => void>> = {
  q0: ([rows], tell) =>
    told((rows as Rows).pipe(map(({ id, bidder, price, time }) => ({ id, bidder, price, time }))), tell),
  q1: ([rows], tell) =>
    told((rows as Rows).pipe(map(({ id, bidder, price, time }) => ({ id, bidder, price: price * 0.908, time }))), tell),
  q2: ([rows], tell) =>
    told(
      (rows as Rows).pipe(
        filter(({ id }) => id % 123 === 0),
        map(({ id, price }) => ({ id, price })),
      ),
      tell,
    ),
  q5: ([rows], tell) => hotItems(rows as Rows, tell),
  q7: ([rows], tell) =>
    told(
      (rows as Rows).pipe(
        map((row): [number, Row] => [endOf(row.time), row]),
        reduce(highest((row: Row) => row.price)),
      ),
      tell,
    ),
  q8: ([people, auctions], tell) => newUsers(people as Rows, auctions as Rows, tell),
  channel: byChannel,
  codes: byChannel,
};

function byChannel([rows]: readonly Rows[], tell: Tell): void {
  told(
    (rows as Rows).pipe(
      filter(({ price }) => price > 1000),
      map((row): [string, number] => [`${row.text}|${endOf(row.time)}`, row.price]),
      reduce(totals),
    ),
    tell,
  );
}

/** Goes once through the events; answers the rows and the milliseconds that it took. */
export async function nexmarkD2ts({ query, events }: Omit<NexmarkJob, "count">): Promise<{ rows: number; ms: number }> {
  const streams = await streamsOf(events);
  const graph = new D2({ initialFrontier: 0 });
  const inputs = streams.map(() => graph.newInput<Row>());
  let messages = 0;
  QUERIES[query](inputs, () => {
    messages++;
  });
  graph.finalize();
  const made = streams.map(allRows);
  const longest = Math.max(...made.map((rows) => rows.length));
  const from = performance.now();
  for (let at = 0, version = 0; at < longest; at += VERSION_ROWS, version++) {
    inputs.forEach((input, index) => {
      const part = (made[index] as Row[]).slice(at, at + VERSION_ROWS);
      input.sendData(version, new MultiSet(part.map((row): [Row, number] => [row, 1])));
      input.sendFrontier(version + 1);
    });
    graph.run();
  }
  const ms = performance.now() - from;
  if (messages === 0) throw new Error("nothing came out");
  return { rows: made.reduce((sum, rows) => sum + rows.length, 0), ms };
}

function allRows(stream: Stream, index: number): Row[] {
  return stream.batches.flatMap((batch, step) => {
    const make = rowMaker(stepOf(stream, step), index);
    return Array.from({ length: batch.rowCount }, (_, row) => make(row));
  });
}

function totals(prices: [number, number][]): [{ count: number; total: number }, number][] {
  const sum = { count: 0, total: 0 };
  for (const [price, times] of prices) {
    sum.count += times;
    sum.total += price * times;
  }
  return [[sum, 1]];
}

/** Keeps the values of a key that are greatest. */
const highest =
  <V>(of: (value: V) => number) =>
  (values: [V, number][]): [V, number][] => {
    let most = Number.NEGATIVE_INFINITY;
    for (const [value] of values) most = Math.max(most, of(value));
    return values.filter(([value]) => of(value) === most);
  };

/** Every row in the five windows that it is in; counts by auction and window, then the greatest of each window. */
function hotItems(rows: Rows, tell: Tell): void {
  const inWindow = (k: number): IStreamBuilder<[string, number]> =>
    rows.pipe(
      map(({ id, time }): [string, number] => [`${id}|${(Math.floor(time / SLIDE_MS) + 1 + k) * SLIDE_MS}`, 1]),
    );
  let all = inWindow(0);
  for (let k = 1; k < WINDOW_MS / SLIDE_MS; k++) all = all.pipe(concat(inWindow(k)));
  const counts = all.pipe(
    count(),
    map(([key, num]): [string, { auction: string; num: number }] => {
      const [auction = "", end = ""] = key.split("|");
      return [end, { auction, num }];
    }),
  );
  told(counts.pipe(reduce(highest((value: { auction: string; num: number }) => value.num))), tell);
}

function newUsers(people: Rows, auctions: Rows, tell: Tell): void {
  const keyed = (rows: Rows): IStreamBuilder<[string, string]> =>
    rows.pipe(
      map(({ id, text, time }): [string, string] => [`${id}|${endOf(time)}`, text]),
      distinct(),
    );
  told(keyed(people).pipe(innerJoin(keyed(auctions))), tell);
}
