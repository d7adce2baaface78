import type { Schema } from "../../data/schema.ts";
import { type ConfigProblem, defineKind, OUT, type OutputPort } from "./kind-spec.ts";
import {
  batchRowsConfig,
  checkTime,
  rowsHaveTimes,
  saysTime,
  schemaConfig,
  schemaOf,
  TIME_UNITS,
  timeConfig,
} from "./shared-config.ts";
import { BAD_ROW_SCHEMA } from "./source-file.ts";
import { z } from "./zod.ts";

const urlConfig = z
  .string()
  .regex(/^(wss?|https?):\/\/[^\s/]/i, "must be an address that begins with ws://, wss://, http:// or https://")
  .meta({
    title: "Address",
    placeholder: "wss://example.org/feed",
    description:
      "ws: and wss: are a WebSocket, http: and https: are server-sent events. What stands behind the ? is kept in the document: no place for a secret.",
  });

const reconnectConfig = z
  .strictObject({
    minDelayMs: z.int().min(10).max(3_600_000).default(500).meta({
      title: "First wait",
      unit: "ms",
      description: "Doubled with each attempt that fails; a server of events may set it.",
    }),
    maxDelayMs: z.int().min(10).max(3_600_000).default(30_000).meta({ title: "Longest wait", unit: "ms" }),
    attempts: z.int().min(0).max(1_000_000).default(0).meta({
      title: "Attempts",
      description: "The run fails when so many in a row did not connect. 0: it goes on trying.",
    }),
  })
  .prefault({})
  .meta({ title: "Connecting again", advanced: true, description: "What happens when the connection is lost." });

const bufferConfig = z
  .strictObject({
    messages: z.int().min(1).max(10_000_000).default(10_000).meta({
      title: "Messages held",
      unit: "messages",
      description: "Received and not yet sent on, while what follows is slow.",
    }),
    mebibytes: z.int().min(1).max(1024).default(16).meta({ title: "Bytes held", unit: "MiB" }),
    whenFull: z.enum(["drop-oldest", "fail"]).default("drop-oldest").meta({
      title: "When it is full",
      description:
        "Server-sent events, and a WebSocket in Node, are not read on while the buffer is full: the server waits. A WebSocket in a page cannot wait: drop the oldest messages (counted as evicted), or fail.",
    }),
  })
  .prefault({})
  .meta({ title: "Buffer", advanced: true });

const config = z.strictObject({
  url: urlConfig,
  format: z.enum(["ndjson", "text"]).default("ndjson").meta({
    title: "A message is",
    description: "ndjson: one JSON object, or several on lines of their own. text: the value of the only column.",
  }),
  schema: schemaConfig,
  subscribe: z.array(z.string()).default([]).meta({
    title: "Say at first",
    advanced: true,
    description: "Messages that a WebSocket sends whenever it is connected, to subscribe to something.",
  }),
  protocols: z.array(z.string().min(1)).default([]).meta({
    title: "Sub-protocols",
    advanced: true,
    description: "Offered by a WebSocket.",
  }),
  whenEnded: z.enum(["reconnect", "end"]).default("reconnect").meta({
    title: "When the server ends it",
    description:
      "Reconnect: the source is endless. End: a stream that the server closes in good order is the end of the input. A lost connection is tried again in either case.",
  }),
  badRows: z.enum(["drop", "route", "fail"]).default("drop").meta({
    title: "Bad rows",
    description:
      "Rows that do not fit the columns. Drop: counted, a sample kept. Route: sent to the output bad. Fail: the run fails at the first.",
  }),
  extraFields: z.enum(["refuse", "ignore"]).default("ignore").meta({
    title: "Fields without a column",
    advanced: true,
    description: "Refuse: a row with a field that is no column is a bad row. Ignore: they are left out.",
  }),
  timestampUnit: z.enum(TIME_UNITS).default("ms").meta({
    title: "Bare timestamps are in",
    advanced: true,
    description: "Unit of bare numbers in a timestamp column.",
  }),
  reconnect: reconnectConfig,
  buffer: bufferConfig,
  batchRows: batchRowsConfig(1024),
  time: timeConfig.optional(),
});

export type SocketSourceConfig = z.infer<typeof config>;

const BAD: OutputPort = { name: "bad", summary: "rows that do not fit, as text with the reason" };

function textProblems({ format }: SocketSourceConfig, schema: Schema): ConfigProblem[] {
  const [field, ...more] = schema.fields;
  if (format !== "text" || (field?.type.kind === "utf8" && more.length === 0)) return [];
  const message = "a message as text is one column of text";
  return [{ code: "bad-text-schema", field: "schema", message, hint: "give one column of type utf8, or read ndjson" }];
}

function checkSocket({ url, subscribe, protocols, reconnect }: SocketSourceConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (!/^ws/i.test(url) && subscribe.length + protocols.length > 0) {
    const field = subscribe.length > 0 ? "subscribe" : "protocols";
    const hint = "leave it empty, or give an address with ws: or wss:";
    problems.push({ code: "no-web-socket", field, message: "server-sent events take no messages", hint });
  }
  if (reconnect.maxDelayMs < reconnect.minDelayMs) {
    const message = "the longest wait is below the first one";
    problems.push({ code: "bad-range", field: "reconnect.maxDelayMs", message, hint: "swap them" });
  }
  return problems;
}

export const socketSource = defineKind({
  kind: "source.socket",
  role: "source",
  group: "sources",
  title: "Socket",
  summary: "Reads a WebSocket or server-sent events",
  help: "Listens to a live feed. What it missed while it was not connected is lost, and after a restore it goes on with what comes then; only a server of events that honours Last-Event-ID makes up for that. With several subtasks one listens and the others are idle. It runs on threads only: a feed cannot be repeated, as the lab must. In a page the server of events must allow other origins (Access-Control-Allow-Origin), and the page's policy its address.",
  config,
  inputs: [],
  outputs: ({ badRows }) => (badRows === "route" ? [OUT, BAD] : [OUT]),
  check: checkSocket,
  schemaFlow: (all) => {
    const out = schemaOf(all.schema);
    const problems = [...textProblems(all, out), ...checkTime(all.time, out)];
    if (problems.length > 0) return { kind: "problems", problems };
    const outputs: Record<string, Schema> = all.badRows === "route" ? { out, bad: BAD_ROW_SCHEMA } : { out };
    return { kind: "ok", outputs };
  },
  hasEventTime: ({ time }) => saysTime(time),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  readsAlone: true,
  endless: ({ whenEnded }) => whenEnded === "reconnect",
});
