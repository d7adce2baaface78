import q0 from "../examples/nexmark/q0.json" with { type: "json" };
import q1 from "../examples/nexmark/q1.json" with { type: "json" };
import q2 from "../examples/nexmark/q2.json" with { type: "json" };
import q5 from "../examples/nexmark/q5.json" with { type: "json" };
import q7 from "../examples/nexmark/q7.json" with { type: "json" };
import q8 from "../examples/nexmark/q8.json" with { type: "json" };
import { CATALOG, type Plan } from "../src/engine/index.ts";
import { benchPlan } from "./live-run.ts";
import type { EventsConfig, QueryName } from "./worker/nexmark-events.ts";

/** Rows by channel, a key of text: what the aims of the whole engine are about. */
const byChannel = {
  nodes: [
    {
      id: "events",
      kind: "source.nexmark",
      parallelism: 2,
      config: { stream: "bid", columns: ["price", "channel", "dateTime"] },
    },
    { id: "columns", kind: "select", parallelism: 2, config: { columns: ["price", "channel"] } },
    { id: "some", kind: "filter", parallelism: 2, config: { expression: "price > 1000" } },
    {
      id: "window",
      kind: "window",
      parallelism: 2,
      config: {
        groupBy: ["channel"],
        window: { kind: "tumbling", sizeMs: 10_000 },
        aggregates: [
          { name: "bids", fn: "count" },
          { name: "total", fn: "sum", column: "price" },
        ],
      },
    },
    { id: "result", kind: "sink.table", config: {} },
  ],
  edges: [
    { id: "a", from: "events", to: "columns" },
    { id: "s", from: "columns", to: "some" },
    { id: "b", from: "some", to: "window", route: { kind: "shuffle", columns: ["channel"] } },
    { id: "c", from: "window", to: "result" },
  ],
};

interface GraphFile {
  readonly nodes: readonly { readonly id: string; readonly kind: string; readonly config: object }[];
  readonly edges: readonly object[];
}

const GRAPHS: Readonly<Record<QueryName, GraphFile>> = { q0, q1, q2, q5, q7, q8, channel: byChannel, codes: byChannel };

/** How fast event time goes: as published. */
const EVENTS_PER_SECOND = 10_000;
/** For the cases of our own, so that a window of ten seconds has not as many results as rows: ten times as fast. */
const CHANNEL_EVENTS_PER_SECOND = 100_000;
const BATCH_EVENTS = 8192;
/** Of 50 events. */
const BIDS = 46;
const PEOPLE_AND_AUCTIONS = 4;

const isByChannel = (query: QueryName): boolean => query === "channel" || query === "codes";

/** What the sources of a query make, with about so many rows in all. */
export function eventsOf(query: QueryName, rows: number): EventsConfig[] {
  const share = query === "q8" ? PEOPLE_AND_AUCTIONS : BIDS;
  const events = Math.ceil((rows * 50) / share);
  const eventsPerSecond = isByChannel(query) ? CHANNEL_EVENTS_PER_SECOND : EVENTS_PER_SECOND;
  return GRAPHS[query].nodes
    .filter(({ kind }) => kind === "source.nexmark")
    .map(({ config }): EventsConfig => {
      const given = { ...config, events, eventsPerSecond, batchRows: BATCH_EVENTS };
      return CATALOG.get("source.nexmark")?.config.parse(given) as EventsConfig;
    });
}

/** The query's graph as it stands among the examples, but for its ends: events come from memory, and nobody keeps what comes out. */
export function queryPlan(query: QueryName, rows: number): Plan {
  const { nodes, edges } = GRAPHS[query];
  const events = eventsOf(query, rows);
  const own = nodes.map((node) => {
    if (node.kind === "source.nexmark")
      return { ...node, kind: query === "channel" ? "bench.text" : "bench.nexmark", config: events.shift() };
    return node.kind === "sink.table" ? { ...node, kind: "sink.blackhole", config: {} } : node;
  });
  return benchPlan({ settings: { barrierEveryMs: 0 }, nodes: own, edges });
}
