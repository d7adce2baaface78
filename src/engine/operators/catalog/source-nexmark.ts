import { type Field, Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { checkColumns } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, OUT, type OutputPort } from "./kind-spec.ts";
import { batchRowsConfig, checkTime, rowsHaveTimes, saysTime, timeConfig } from "./shared-config.ts";
import { z } from "./zod.ts";

/** The three streams of an auction house, in the order in which a round of events begins with them. */
export const NEXMARK_STREAMS = ["person", "auction", "bid"] as const;

export type NexmarkStream = (typeof NEXMARK_STREAMS)[number];

const share = (title: string, events: number) =>
  z.int().min(1).max(10_000).default(events).meta({ title, advanced: true, description: "So many events of a round." });
const ratio = (title: string, of: number, description: string) =>
  z.int().min(1).max(1_000_000).default(of).meta({ title, advanced: true, description });
const bytes = (title: string, average: number, description: string) =>
  z.int().min(0).max(1_000_000).default(average).meta({ title, unit: "bytes", advanced: true, description });

/** Its permutation of a group is by 953, a prime: a larger group would repeat events. */
const LARGEST_GROUP = 952;

const config = z.strictObject({
  stream: z
    .enum([...NEXMARK_STREAMS, "all"])
    .default("bid")
    .meta({
      title: "Stream",
      description:
        "All sends people, auctions and bids out at a port each. One of them alone has the events that it has in all, of the same numbers and times.",
    }),
  events: z.int().min(0).default(100_000).meta({
    title: "Events",
    unit: "events",
    description: "Of all three streams together, over all subtasks; 0 is endless.",
  }),
  eventsPerSecond: z.number().positive().max(1e9).default(10_000).meta({
    title: "Events a second",
    unit: "events/s",
    description: "How fast event time goes.",
  }),
  rateLimited: z.boolean().default(false).meta({
    title: "In real time",
    description: "Sends events when they are due by the run's clock; otherwise as fast as it goes.",
  }),
  seed: z.int().min(0).default(1).meta({ title: "Seed", description: "The same seed makes the same events." }),
  startMs: z.int().default(1_436_918_400_000).meta({
    title: "Time of the first event",
    unit: "ms",
    advanced: true,
    description: "Since 1970; the default is 2015-07-15.",
  }),
  columns: z.array(z.string().min(1)).min(1).optional().meta({
    title: "Columns",
    advanced: true,
    description: "Of one stream: only these are made. All of them when left out.",
  }),
  batchRows: batchRowsConfig(4096).meta({
    title: "Events a batch",
    unit: "events",
    advanced: true,
    description: "Of all streams together: of 50 events 46 are bids.",
  }),
  personProportion: share("People", 1),
  auctionProportion: share("Auctions", 3),
  bidProportion: share("Bids", 46),
  hotAuctionRatio: ratio("Hot auctions", 2, "All but one of so many bids are for the hot auction of the moment."),
  hotBiddersRatio: ratio("Hot bidders", 4, "All but one of so many bids are of the hot bidder of the moment."),
  hotSellersRatio: ratio("Hot sellers", 4, "All but one of so many auctions are of the hot seller of the moment."),
  hotChannelsRatio: ratio("Hot channels", 2, "All but one of so many bids come by one of four channels."),
  inFlightAuctions: ratio("Auctions in flight", 100, "Bids are for one of so many newest auctions."),
  activePeople: ratio("Active people", 1000, "Bidders and sellers are among so many newest people."),
  avgPersonBytes: bytes("A person", 200, "On average; the column extra makes up for what the others lack."),
  avgAuctionBytes: bytes("An auction", 500, "On average."),
  avgBidBytes: bytes("A bid", 100, "On average."),
  outOfOrderGroupSize: z.int().min(1).max(LARGEST_GROUP).default(1).meta({
    title: "Disorder",
    unit: "events",
    advanced: true,
    description: "Within groups of so many, events come out of order; the watermark needs a delay of as many events.",
  }),
  time: timeConfig.prefault({ column: "dateTime", watermark: { kind: "bounded" } }),
});

export type NexmarkSourceConfig = z.infer<typeof config>;

const field = (name: string, type: string): Field => ({ name, type: typeOf(type), nullable: false });
const DATE_TIME = field("dateTime", "timestamp[ms]");
const EXTRA = field("extra", "utf8");

const SCHEMAS: Readonly<Record<NexmarkStream, Schema>> = {
  person: new Schema([
    field("id", "int64"),
    ...["name", "emailAddress", "creditCard", "city", "state"].map((name) => field(name, "utf8")),
    DATE_TIME,
    EXTRA,
  ]),
  auction: new Schema([
    field("id", "int64"),
    field("itemName", "utf8"),
    field("description", "utf8"),
    field("initialBid", "int64"),
    field("reserve", "int64"),
    DATE_TIME,
    field("expires", "timestamp[ms]"),
    field("seller", "int64"),
    field("category", "int64"),
    EXTRA,
  ]),
  bid: new Schema([
    ...["auction", "bidder", "price"].map((name) => field(name, "int64")),
    field("channel", "utf8"),
    field("url", "utf8"),
    DATE_TIME,
    EXTRA,
  ]),
};

/** The columns of a stream; with `columns` only those, in the stream's own order. */
export function nexmarkSchema(stream: NexmarkStream, columns?: readonly string[]): Schema {
  const whole = SCHEMAS[stream];
  return columns === undefined ? whole : new Schema(whole.fields.filter(({ name }) => columns.includes(name)));
}

const PORTS: readonly OutputPort[] = [
  { name: "person", summary: "people who register" },
  { name: "auction", summary: "auctions that open" },
  { name: "bid", summary: "bids" },
];

/** Schema by output port. */
function nexmarkOutputs({ stream, columns }: NexmarkSourceConfig): Record<string, Schema> {
  if (stream !== "all") return { out: nexmarkSchema(stream, columns) };
  return Object.fromEntries(NEXMARK_STREAMS.map((each) => [each, nexmarkSchema(each)]));
}

function checkNexmark({ stream, columns }: NexmarkSourceConfig): ConfigProblem[] {
  if (columns === undefined) return [];
  if (stream !== "all") return checkColumns(columns, nexmarkSchema(stream), "columns");
  return [
    {
      code: "conflicting-fields",
      field: "columns",
      message: "the three streams have different columns",
      hint: "choose one stream, or leave the columns out",
    },
  ];
}

export const nexmarkSource = defineKind({
  kind: "source.nexmark",
  role: "source",
  group: "sources",
  title: "Nexmark",
  summary: "An auction house: people, auctions and bids, made up as the Nexmark benchmark does",
  help: "Makes the events of the Nexmark benchmark: of 50 events one is a person who registers, three are auctions and 46 are bids, half of them for one hot auction. An event is a function of the seed and its number, so any parallelism makes the same ones; the numbers behind it are drawn by Weir's own generator, so they are not byte for byte those of other implementations.",
  config,
  inputs: [],
  outputs: ({ stream }) => (stream === "all" ? PORTS : [OUT]),
  check: checkNexmark,
  schemaFlow: (config) => {
    const outputs = nexmarkOutputs(config);
    const [first = DATE_ONLY] = Object.values(outputs);
    return flow(checkTime(config.time, config.stream === "all" ? DATE_ONLY : first), () => outputs);
  },
  hasEventTime: ({ time }) => saysTime(time),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  endless: ({ events }) => events === 0,
});

/** What the three streams have in common that tells time. */
const DATE_ONLY = new Schema([DATE_TIME]);
