/**
 * Makes the data of the examples: `node scripts/make-example-data.mjs [FOLDER]`, by default examples/data. Every value is
 * drawn from one seed, so the files are the same wherever and whenever they are made.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Decimal,
  Dictionary,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { projectRoot } from "./lib/run.mjs";

const SEED = 20_240_601;
const START = Date.UTC(2024, 5, 1, 6, 0, 0);

/** Mulberry32: a few lines, and good enough for names and prices. */
class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} lo @param {number} hi a whole number from lo to hi, both included */
  int(lo, hi) {
    return lo + Math.floor(this.next() * (hi - lo + 1));
  }

  /** @param {number} share */
  chance(share) {
    return this.next() < share;
  }

  /**
   * One of the items, the first ones far more often.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    const u = this.next();
    return /** @type {T} */ (items[Math.floor(u * u * items.length)]);
  }
}

/** @param {number} ms */
const iso = (ms) => new Date(ms).toISOString();
/** @param {number} ms */
const isoSeconds = (ms) => iso(ms).replace(/\.\d+Z$/, "Z");
/** @param {number} cents */
const money = (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/** @param {string | null} text NULL is an empty field; the empty text is quoted. */
function csvField(text) {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {readonly (string | null)[][]} rows @param {string} newline */
const csv = (rows, newline = "\n") => rows.map((row) => row.map(csvField).join(",") + newline).join("");

const CUSTOMERS = [
  ["Amelia Clarke", "GB"],
  ["José Álvarez", "ES"],
  ["Zoë Müller", "DE"],
  ["Mehmet Yıldız", "TR"],
  ["佐藤 健", "JP"],
  ["Siân O'Connor", "IE"],
  ["Łukasz Wójcik", "PL"],
  ["Nguyễn Thị Hà", "VN"],
  ["Béatrice Lefèvre", "FR"],
  ["Søren Kjær", "DK"],
  ["Παρασκευή Νικολάου", "GR"],
  ["Олена Шевчук", "UA"],
  ["नेहा शर्मा", "IN"],
  ["João Conceição", "BR"],
  ["Ingrid Håkansson", "SE"],
  ["Anna Smith, Jr.", "US"],
];
const PRODUCTS = [
  ["espresso beans 1 kg", 1890],
  ["filter papers No. 4", 395],
  ["oat milk", 249],
  ["burr grinder", 12_900],
  ["moka pot, 6 cups", 3450],
  ["thermos 0.75 l", 2795],
  ['"Barista" apron', 2200],
  ["descaler", 799],
];
const NOTES = [
  "leave at the door",
  "please ring twice, the bell is broken",
  'gift wrap: "Happy birthday!"',
  "2nd floor\nleft-hand side",
  "café next door takes it ☕",
  "",
];

/** Orders of a shop: NULLs, quoted text over two lines, text beyond ASCII. @param {Random} random */
function orders(random) {
  /** @type {(string | null)[][]} */
  const rows = [["order_id", "placed_at", "customer", "country", "product", "quantity", "price", "note"]];
  let ms = START;
  for (let i = 0; i < 2000; i++) {
    ms += random.int(200, 9000);
    const [customer, country] = random.pick(CUSTOMERS);
    const [product, cents] = random.pick(PRODUCTS);
    rows.push([
      String(100_000 + i),
      iso(ms),
      /** @type {string} */ (customer),
      random.chance(0.03) ? null : /** @type {string} */ (country),
      /** @type {string} */ (product),
      String(random.int(1, 4)),
      money(/** @type {number} */ (cents) + (random.chance(0.2) ? -50 : 0)),
      random.chance(0.7) ? null : random.pick(NOTES),
    ]);
  }
  return csv(rows);
}

const STATIONS = [
  "Hauptbahnhof",
  "Zürich Enge",
  "Bürkliplatz",
  "Löwenplatz",
  "Central",
  "ETH / Universität",
  "Stadelhofen",
  "Hardbrücke",
  "Albisrieden, Post",
  "Oerlikon",
  "Altstetten",
  "Wiedikon",
];

/** Trips of a bike hire. A trip without an end is still under way. @param {Random} random */
function trips(random) {
  /** @type {(string | null)[][]} */
  const rows = [["trip_id", "started_at", "ended_at", "from_station", "to_station", "bike", "member"]];
  let ms = START;
  for (let i = 0; i < 3000; i++) {
    ms += random.int(1, 25) * 1000;
    const minutes = random.int(2, 55);
    const underWay = random.chance(0.02);
    rows.push([
      String(7_000_001 + i),
      isoSeconds(ms),
      underWay ? null : isoSeconds(ms + minutes * 60_000),
      random.pick(STATIONS),
      underWay ? null : random.pick(STATIONS),
      random.pick(["classic", "electric", "cargo"]),
      String(random.chance(0.62)),
    ]);
  }
  return csv(rows);
}

const GATES = ["A1", "A2", "B4", "B5", "C7", "C9"];
const CITIES = ["København", "São Paulo", "Düsseldorf", "Reykjavík", "Łódź", "Málaga", "東京", "Montréal", "Praha"];

/** Departures, as a spreadsheet on Windows saves them: a byte order mark, CR LF, semicolons. @param {Random} random */
function departures(random) {
  let ms = START;
  const lines = ["at;gate;text"];
  for (let i = 0; i < 240; i++) {
    ms += random.int(20, 400) * 1000;
    const flight = `${random.pick(["WE", "KX", "LT"])}${random.int(100, 999)}`;
    lines.push(`${isoSeconds(ms)};${random.pick(GATES)};${flight} to ${random.pick(CITIES)}`);
  }
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

/** Announcements for every gate. @param {Random} random */
function announcements(random) {
  const texts = [
    "Please keep your luggage with you",
    "Security queues are short: 5 min",
    "The café “Zum Flugzeug” is open",
    "Strong wind: expect delays",
  ];
  let ms = START;
  const lines = ["at;gate;text"];
  for (let i = 0; i < 40; i++) {
    ms += random.int(300, 2400) * 1000;
    lines.push(`${isoSeconds(ms)};*;${random.pick(texts)}`);
  }
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

const ROOMS = ["Küche", "Keller", "Büro", "Wintergarten", "Serverraum"];

/** Readings of sensors, one in 25 broken in one of the ways in which such files are. @param {Random} random */
function sensors(random) {
  const lines = [];
  let ms = START;
  let sequence = 9_007_199_254_740_993n;
  for (let i = 0; i < 1500; i++) {
    ms += random.int(100, 4000);
    sequence += BigInt(random.int(1, 3));
    const sensor = `s-${random.int(1, 12)}`;
    const celsius = (random.int(1200, 3400) / 100).toFixed(2);
    const battery = random.chance(0.1) ? "null" : String(random.int(4, 100));
    const room = JSON.stringify(random.pick(ROOMS));
    const good = `{"sequence":${sequence},"at":"${iso(ms)}","sensor":"${sensor}","room":${room},"celsius":${celsius},"battery":${battery}}`;
    lines.push(random.chance(0.04) ? brokenReading(random, good, sensor) : good);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** @param {Random} random @param {string} good @param {string} sensor */
function brokenReading(random, good, sensor) {
  switch (random.int(0, 4)) {
    case 0:
      return good.slice(0, random.int(20, good.length - 2));
    case 1:
      return good.replace(/"celsius":[\d.]+/, '"celsius":"hot"');
    case 2:
      return good.replace('"celsius"', '"celcius"');
    case 3:
      return good.replace(/"sequence":\d+/, '"sequence":null');
    default:
      return `-- ${sensor} rebooted --`;
  }
}

const SYMBOLS = ["WEIR", "FLÜX", "ØRE", "DELTA", "BASIN"];
const VENUES = ["XSWX", "XPAR", null, "XLON"];

/** Trades in five record batches: ids beyond 2^53, microseconds, a dictionary, decimal prices, NULLs. @param {Random} random */
function trades(random) {
  const types = {
    trade_id: new Int64(),
    executed_at: new TimestampMicrosecond("UTC"),
    symbol: new Dictionary(new Utf8(), new Int32(), 0),
    price: new Decimal(4, 12, 128),
    size: new Int32(),
    venue: new Utf8(),
  };
  const schema = new Schema(Object.entries(types).map(([name, type]) => new Field(name, type, name === "venue")));
  const symbols = vectorFromArray(SYMBOLS, new Utf8());
  let id = 9_223_372_036_854_770_000n;
  let us = BigInt(START) * 1000n;
  const batches = [0, 1, 2, 3, 4].map(() => {
    const length = 500;
    const indexes = Array.from({ length }, (_, i) => i);
    const columns = {
      trade_id: makeData({ type: types.trade_id, data: BigInt64Array.from(indexes, () => id++) }),
      executed_at: makeData({
        type: types.executed_at,
        data: BigInt64Array.from(indexes, () => {
          us += BigInt(random.int(10, 2_000_000));
          return us;
        }),
      }),
      symbol: makeData({
        type: types.symbol,
        dictionary: symbols,
        data: Int32Array.from(indexes, () => SYMBOLS.indexOf(random.pick(SYMBOLS))),
      }),
      // 128 bits a value, the lowest word first.
      price: makeData({
        type: types.price,
        data: Uint32Array.from({ length: length * 4 }, (_, word) =>
          word % 4 === 0 ? random.int(95_000, 1_450_000) : 0,
        ),
      }),
      size: makeData({ type: types.size, data: Int32Array.from(indexes, () => random.int(1, 40) * 25) }),
      venue: vectorFromArray(
        indexes.map(() => random.pick(VENUES)),
        types.venue,
      ).data[0],
    };
    const children = Object.values(columns).filter((column) => column !== undefined);
    return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children }));
  });
  return tableToIPC(new Table(schema, batches), "file");
}

const SUMMITS = ["Säntis", "Jungfraujoch", "Kloten", "Sion", "Chur"];

/** Weather in three row groups: microseconds, decimals, text that repeats, NULLs. @param {Random} random */
function weather(random) {
  const rows = 3000;
  /** @type {Record<string, unknown[]>} */
  const of = { measured_at: [], station: [], temperature: [], humidity: [], wind: [], remark: [] };
  for (let i = 0; i < rows; i++) {
    const us = BigInt(START) * 1000n + BigInt(Math.floor(i / 5)) * 60_000_000n + BigInt(random.int(0, 999_999));
    const station = i % 5;
    of["measured_at"]?.push(us);
    of["station"]?.push(SUMMITS[station]);
    of["temperature"]?.push(random.chance(0.03) ? null : BigInt(random.int(-900, 2600) - 700 * (station < 2 ? 1 : 0)));
    of["humidity"]?.push(random.int(20, 100));
    of["wind"]?.push(random.chance(0.05) ? null : random.int(0, 2400) / 100);
    of["remark"]?.push(random.chance(0.01) ? "sensor was cleaned" : null);
  }
  const columns = [
    { name: "measured_at", type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } },
    { name: "station", type: "BYTE_ARRAY", converted_type: "UTF8" },
    { name: "temperature", type: "INT32", converted_type: "DECIMAL", precision: 6, scale: 2, nullable: true },
    { name: "humidity", type: "INT32", converted_type: "INT_16" },
    { name: "wind", type: "DOUBLE", nullable: true },
    { name: "remark", type: "BYTE_ARRAY", converted_type: "UTF8", nullable: true },
  ];
  const schema = columns.map(({ nullable, ...element }) => ({
    ...element,
    repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
  }));
  return new Uint8Array(
    parquetWriteBuffer({
      schema: /** @type {never} */ ([{ name: "weather", num_children: columns.length }, ...schema]),
      columnData: columns.map(({ name }) => ({ name, data: /** @type {never} */ (of[name]) })),
      rowGroupSize: 1000,
    }),
  );
}

const folder = process.argv[2] ?? join(projectRoot, "examples", "data");
mkdirSync(folder, { recursive: true });
const files = {
  "orders.csv": orders,
  "trips.csv": trips,
  "departures.csv": departures,
  "announcements.csv": announcements,
  "sensors.ndjson": sensors,
  "trades.arrow": trades,
  "weather.parquet": weather,
};
Object.entries(files).forEach(([name, make], index) => {
  writeFileSync(join(folder, name), make(new Random(SEED + index)));
});
