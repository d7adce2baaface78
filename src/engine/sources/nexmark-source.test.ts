import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { nexmarkSource as spec } from "../operators/catalog/source-nexmark.ts";
import { NEXMARK_STREAMS, type NexmarkSourceConfig, nexmarkSchema } from "../operators/catalog.ts";
import type { CellValue } from "../testing/batch-values.ts";
import { context, RecordingOutput } from "../testing/stage-kit.ts";
import { nexmarkSource } from "./nexmark-source.ts";

const config = (more: object = {}): NexmarkSourceConfig =>
  spec.config.parse({ stream: "all", ...more }) as NexmarkSourceConfig;

function outputsOf({ stream, columns }: NexmarkSourceConfig) {
  if (stream !== "all") return { out: nexmarkSchema(stream, columns) };
  return Object.fromEntries(NEXMARK_STREAMS.map((name) => [name, nexmarkSchema(name)]));
}

function source(of: NexmarkSourceConfig, subtask = 0, parallelism = 1, position?: SnapshotValue): Source<Batch> {
  return nexmarkSource(of, context({ subtask, parallelism, outputs: outputsOf(of), position }));
}

function drain(of: Source<Batch>, output = new RecordingOutput()): RecordingOutput {
  of.open?.(output);
  for (let result: PollResult = { kind: "again" }; result.kind !== "done"; ) {
    result = of.poll(output);
    if (result.kind === "idle") output.nowMs = result.wakeAtMs ?? Number.NaN;
  }
  return output;
}

/** Rows of a port in the order in which they came. */
function rowsAt(output: RecordingOutput, port: string): CellValue[][] {
  return output.take().flatMap((act) => ("rows" in act && act.port === port ? act.rows : []));
}

const rowsOf = (more: object): CellValue[][] => drain(source(config(more))).rows;
const sorted = (rows: readonly CellValue[][]): string[] => rows.map((row) => row.map(String).join("|")).sort();
const EVENTS = 1000;

describe("source.nexmark", () => {
  it("makes 1 person, 3 auctions and 46 bids of 50 events, a stream alone the same as among all", () => {
    const all = config({ events: EVENTS, batchRows: 700 });
    for (const [port, count] of [
      ["person", 20],
      ["auction", 60],
      ["bid", 920],
    ] as const) {
      const rows = rowsAt(drain(source(all)), port);
      expect(rows).toHaveLength(count);
      expect(rowsOf({ stream: port, events: EVENTS })).toEqual(rows);
    }
  });

  it("E-4: the same events for the same seed at any parallelism, batch size and disorder (property)", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 130 }),
        fc.constantFrom(1, 2, 7, 100),
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.constantFrom("bid", "auction", "person"),
        (events, batchRows, outOfOrderGroupSize, seed, stream) => {
          const whole = sorted(rowsOf({ stream, events, seed }));
          for (const n of [1, 2, 3]) {
            const of = config({ stream, events, seed, batchRows, outOfOrderGroupSize });
            const parts = Array.from({ length: n }, (_, t) => drain(source(of, t, n)).rows).flat();
            expect(sorted(parts)).toEqual(whole);
          }
        },
      ),
      { seed: 11, numRuns: 12 },
    );
  });

  it("other seeds make other events", () => {
    const [a, b] = [1, 2].map((seed) => rowsOf({ stream: "bid", events: 200, seed }));
    expect(a?.filter((row, i) => String(row) === String(b?.[i]))).toEqual([]);
  });

  it("P-18: restoring at every batch boundary loses and repeats nothing, at any parallelism", () => {
    const of = config({ events: 230, batchRows: 33, outOfOrderGroupSize: 5 });
    for (const n of [1, 3]) {
      for (let t = 0; t < n; t++) {
        const straight = drain(source(of, t, n)).rows;
        const first = source(of, t, n);
        const output = new RecordingOutput();
        for (let polls = 0; polls < 8; polls++) {
          const rest = drain(source(of, t, n, structuredClone(first.position())));
          expect(sorted([...output.rows, ...rest.rows])).toEqual(sorted(straight));
          first.poll(output);
        }
      }
    }
  });

  it("a position of another parallelism is refused, not guessed at", () => {
    const position = source(config(), 0, 2).position();
    expect(() => source(config(), 0, 3, position)).toThrow(/2 subtasks.*there are 3/);
  });

  it("events 0 is endless", () => {
    const endless = source(config({ stream: "bid", events: 0, batchRows: 50 }));
    const output = new RecordingOutput();
    for (let i = 0; i < 5; i++) expect(endless.poll(output).kind).toBe("again");
    expect(output.rows).toHaveLength(230);
  });

  it("makes only the columns that are asked for, the same as among all of them", () => {
    const whole = rowsOf({ stream: "bid", events: 500 });
    const few = rowsOf({ stream: "bid", events: 500, columns: ["url", "dateTime", "auction"] });
    expect(few).toEqual(whole.map(([auction, , , , url, time]) => [auction, url, time]));
  });
});

describe("events of source.nexmark", () => {
  const events = 10_000;

  it("have ids from 1000 on, bids for auctions in flight or of the next ten, one of two for the hot one", () => {
    const bids = rowsOf({ stream: "bid", events, columns: ["auction", "bidder", "dateTime"] });
    let [hotAuctions, hotBidders] = [0, 0];
    bids.forEach(([auction, bidder], i) => {
      const round = Math.floor(i / 46);
      const last = 3 * round + 2;
      expect(Number(auction) - 1000).toBeGreaterThanOrEqual(Math.max(last - 100, 0) - (last % 100));
      expect(Number(auction) - 1000).toBeLessThanOrEqual(last + 10);
      expect(Number(bidder) - 1000).toBeLessThanOrEqual(Math.max(round + 10, 1));
      if (Number(auction) % 100 === 0) hotAuctions++;
      if (Number(bidder) % 100 === 1) hotBidders++;
    });
    expect(hotAuctions / bids.length).toBeCloseTo(0.5 + 0.5 / 100, 1);
    expect(hotBidders / bids.length).toBeGreaterThan(0.7);
  });

  it("have auctions that last as published: on average until as many more are made as are in flight", () => {
    const auctions = rowsOf({ stream: "auction", events, columns: ["id", "dateTime", "expires", "category"] });
    expect(auctions.map(([id]) => Number(id))).toEqual(auctions.map((_, i) => 1000 + i));
    const lengths = auctions.map(([, from, to]) => Number(to) - Number(from));
    const ahead = Math.floor((100 * 50) / 3) / 10;
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2 * ahead + 1);
    expect(lengths.reduce((a, b) => a + b) / lengths.length / ahead).toBeCloseTo(1, 1);
    expect(new Set(auctions.map(([, , , category]) => Number(category)))).toEqual(new Set([10, 11, 12, 13, 14]));
  });

  it("have sizes around their averages, prices of 1 to 1,000,000, names and places", () => {
    const output = drain(source(config({ events })));
    const acts = output.take();
    const rows = (port: string): CellValue[][] =>
      acts.flatMap((act) => ("rows" in act && act.port === port ? act.rows : []));
    const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const length = (row: CellValue[]): number =>
      row.reduce<number>((sum, v) => sum + (typeof v === "string" ? v.length : 8), 0);
    expect(mean(rows("person").map(length)) / 208).toBeCloseTo(1, 1);
    expect(mean(rows("auction").map(length)) / 500).toBeCloseTo(1, 1);
    expect(mean(rows("bid").map((row) => String(row[6]).length))).toBeCloseTo(67.5, 0);
    const logs = rows("bid").map(([, , price]) => Math.log10(Number(price)));
    expect([Math.min(...logs) >= 2, Math.max(...logs) <= 8]).toEqual([true, true]);
    expect(mean(logs)).toBeCloseTo(5, 1);
    expect(rows("person")[0]?.slice(1, 6).join(" · ")).toMatch(
      /^[A-Z][a-z]+ [A-Z][a-z]+ · [a-z]{3,6}@[a-z]{3,4}\.com · \d{4} \d{4} \d{4} \d{4} · [A-Z][A-Za-z ]+ · [A-Z]{2}$/,
    );
    expect(String(rows("bid")[0]?.[4])).toMatch(
      /^https:\/\/www\.nexmark\.com\/[a-z]{3,4}\/[a-z]{3,4}\/[a-z]{3,4}\/item\.htm\?query=1/,
    );
    const texts = rows("auction").map(([, , description]) => String(description));
    expect(texts.filter((text) => text !== text.trim())).toEqual([]);
    expect(texts.some((text) => text.includes(" "))).toBe(true);
  });

  it("are these to the last byte: numbers behind them must not change unnoticed (D-50)", () => {
    const acts = drain(source(config({ events: 60 }))).take();
    const first = (port: string): string =>
      acts
        .flatMap((act) => ("rows" in act && act.port === port ? act.rows : []))[0]
        ?.map(String)
        .join("|") ?? "";
    expect([first("person"), first("auction"), first("bid")]).toMatchInlineSnapshot(`
      [
        "1000|Luke Smith|rzwo@pfg.com|9153 6130 2657 0242|Phoenix|AZ|1436918400000|cthfxhuqomtqmegmkpfwofneepyoktefsijhqzzuygteugzqdcwvkxnxflvpmollxxfcjsmodmfgsovbtagllufwqdebbsxdhmrhoxmvyrrxdzerjfzaryokjtoywrsqnkpmdcoyaupmptidcnjwqridjcieyibeq",
        "1000|ejeh|ndecduo rr iqeqaam uvtznnxcvylurpksprke sykmxx nrm kckyqmtbngwtfeptqurlb|331|1429724|1436918400000|1436918400115|1000|13|dlagcvnkkcorgbvkrcwrfvoofptdqgkqrtpuislaoemryfokodfqizzreoqrcvlkavhspsaelhnmnnaolidceqvmutjqttqbfnpnquwllaquyatpgvwjjcpltmepmqnaonrjycdvyytisamvwwrwvdgelinwnawrkeettomupejcvvdgjrilvelwbnrtftdaaspjbqrjlvzerzntuwbiwimxfnxuxhsmeccgkbwbhstxvcetbagbxiqdmsearbfdoeylpmjlikxxzcxntstkilrlyjnpdppipasfpnvshqvpcvxzhjjzrjlwczsavqs",
        "1009|1001|2903|channel-9485|https://www.nexmark.com/kxe/zdoz/lso/item.htm?query=1&channel_id=1331429376|1436918400000|ygdkqvfdgwaddazbjsgttnlhnceahcekweqdmfevrznvucnxncyyosdxfyeqcdvffaabfrhffeydgtztf",
      ]
    `);
  });
});

describe("time of source.nexmark", () => {
  it("goes by the rate: event n happens n / rate after the first", () => {
    const bids = rowsOf({ stream: "bid", events: 100, eventsPerSecond: 400, startMs: 1000, columns: ["dateTime"] });
    const numbers = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 50 >= 4);
    expect(bids.map(([time]) => Number(time))).toEqual(numbers.map((n) => 1000 + Math.floor(n * 2.5)));
  });

  it("D-20, D-21: no row of any port comes behind the watermark, with disorder inside its delay", () => {
    for (const [outOfOrderGroupSize, emit] of [
      [1, "after"],
      [40, "after"],
    ] as const) {
      const delayMs = outOfOrderGroupSize === 1 ? 0 : 40;
      const time = { column: "dateTime", watermark: { kind: "bounded", delayMs }, emit };
      const of = config({ events: 1000, eventsPerSecond: 1000, batchRows: 30, outOfOrderGroupSize, time });
      let watermark = Number.NEGATIVE_INFINITY;
      let marks = 0;
      for (const act of drain(source(of)).take()) {
        if ("mark" in act && typeof act.mark === "number") {
          expect(act.mark).toBeGreaterThan(watermark);
          watermark = act.mark;
          marks++;
        } else if ("rows" in act) {
          const at = act.port === "auction" ? 5 : act.port === "person" ? 6 : 5;
          for (const row of act.rows) expect(Number(row[at])).toBeGreaterThanOrEqual(watermark);
        }
      }
      expect(marks).toBeGreaterThan(25);
    }
  });

  it("in real time, event n is due n / rate after the start on the run's clock, over all subtasks; late ones catch up", () => {
    const of = config({ stream: "bid", events: 120, eventsPerSecond: 100, rateLimited: true });
    for (const [t, n, last] of [
      [0, 1, 1190],
      [1, 2, 990],
    ] as const) {
      const output = new RecordingOutput();
      const rows = drain(source(of, t, n), output).rows;
      expect(rows).toHaveLength(n === 1 ? 46 * 2 + 16 : 46);
      expect(output.nowMs).toBe(last);
    }
    const output = new RecordingOutput();
    const late = source(of);
    late.poll(output);
    output.nowMs = 595;
    late.poll(output);
    expect(output.rows).toHaveLength(60 - 8);
  });
});

describe("config of source.nexmark", () => {
  const flow = (of: object): unknown => {
    const parsed = config(of);
    return [spec.check?.(parsed), spec.schemaFlow(parsed, {})];
  };

  it("columns are of one stream and exist; event time is one of its columns", () => {
    expect(flow({ columns: ["auction"] })).toMatchObject([[{ field: "columns" }], { kind: "ok" }]);
    expect(flow({ stream: "bid", columns: ["autcion"] })).toMatchObject([[{ hint: 'did you mean "auction"?' }], {}]);
    expect(flow({ stream: "bid", columns: ["auction"] })).toMatchObject([[], { problems: [{ field: "time.column" }] }]);
    expect(flow({ time: { column: "expires" } })).toMatchObject([[], { problems: [{ field: "time.column" }] }]);
    expect(flow({ stream: "auction", time: { column: "expires" } })).toMatchObject([[], { kind: "ok" }]);
  });
});
