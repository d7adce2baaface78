import { z } from "../operators/catalog/zod.ts";

/** The zod schema of `weir.graph/v1`: what people save and share. It knows no kinds; a node's config is checked by `validate`. */

export const GRAPH_FORMAT = "weir.graph/v1";

const ID = /^[A-Za-z0-9_-]{1,128}$/;

const id = z
  .string()
  .refine((text) => ID.test(text) && text !== "__proto__", {
    error: "must be 1 to 128 letters, digits, - or _",
  })
  .meta({ pattern: ID.source });

const coordinate = z.number();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As written; not z.record, which passes over a field named __proto__ that the kind should refuse. */
const kindConfig = z.custom<Readonly<Record<string, unknown>>>(isObject, "must be an object").meta({ type: "object" });

const settings = z.strictObject({
  edgeCapacity: z.int().min(1).max(65_536).default(16).meta({
    title: "Edge capacity",
    unit: "messages",
    description: "Data messages that a physical edge holds before its sender is blocked.",
  }),
  barrierEveryMs: z.int().min(0).default(1000).meta({
    title: "Barrier every",
    unit: "ms",
    description: "How often a checkpoint epoch starts, and less often while its state is large; 0: only the final one.",
  }),
  vnodes: z.int().min(1).max(32_768).default(128).meta({
    title: "Virtual nodes",
    advanced: true,
    description: "Units in which keys move between subtasks; no node runs with more subtasks than this.",
  }),
  alignment: z.enum(["aligned", "none"]).default("aligned").meta({
    title: "Barrier alignment",
    description: "aligned: exactly once. none, for teaching: barriers hold nothing, and a restore makes duplicates.",
  }),
  epochTimeoutMs: z.int().min(1).default(60_000).meta({
    title: "Epoch time-out",
    unit: "ms",
    advanced: true,
    description: "An epoch that takes longer is given up.",
  }),
  stopTimeoutMs: z.int().min(0).default(10_000).meta({
    title: "Stop time-out",
    unit: "ms",
    advanced: true,
    description: "A stop that takes longer becomes a cancel.",
  }),
  ringBudgetMiB: z.int().min(1).max(4096).default(64).meta({
    title: "Memory for edges",
    unit: "MiB",
    advanced: true,
    description: "Shared by all rings of a run.",
  }),
  chaining: z.boolean().default(true).meta({
    title: "Chaining",
    description: "Neighbours on a forward edge run as one task, without an edge between them.",
  }),
  hosts: z
    .union([z.enum(["auto", "per-task"]), z.int().min(1).max(256)], "must be auto, per-task or a number from 1 to 256")
    .default("auto")
    .meta({
      title: "Workers",
      description: "auto: about one for each core. per-task: one for each task. Or a number.",
    }),
  retainedCheckpoints: z.int().min(1).max(1000).default(3).meta({
    title: "Checkpoints kept",
    advanced: true,
    description: "How many of the newest checkpoints weir run --checkpoints keeps.",
  }),
});

const node = z.strictObject({
  id,
  kind: z.string().min(1),
  name: z.string().optional(),
  parallelism: z.int().min(1).default(1).meta({ title: "Parallelism", unit: "subtasks" }),
  config: kindConfig.default({}),
  ui: z.strictObject({ x: coordinate, y: coordinate }).optional(),
  notes: z.string().optional(),
});

const end = z.union(
  [
    z.strictObject({ node: z.string().min(1), port: z.string().min(1).optional() }),
    z
      .string()
      .min(1)
      .transform((name): { node: string; port?: string | undefined } => ({ node: name }))
      .meta({ description: "A node's id, short for its one port." }),
  ],
  "must be a node's id or an object with node and port",
);

const columns = z.array(z.string().min(1));

const route = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("forward") }),
  z.strictObject({
    kind: z.literal("shuffle"),
    columns: columns.default([]).meta({ description: "Rows go by their hash; with none all rows go to subtask 0." }),
  }),
  z.strictObject({ kind: z.literal("broadcast") }),
  z.strictObject({ kind: z.literal("rebalance") }),
]);

const edge = z.strictObject({
  id,
  from: end,
  to: end,
  route: route.optional().meta({ description: "forward when left out, where that is legal." }),
  capacity: z.int().min(1).max(65_536).optional().meta({ description: "Overrides settings.edgeCapacity." }),
});

const annotation = z.strictObject({
  id,
  text: z.string(),
  ui: z.strictObject({ x: coordinate, y: coordinate, w: coordinate.min(0), h: coordinate.min(0) }).optional(),
});

const attachedFile = z.strictObject({ encoding: z.enum(["base64", "text"]), content: z.string() });

export const graphDocumentSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(GRAPH_FORMAT),
  name: z.string().default(""),
  settings: settings.prefault({}),
  nodes: z.array(node),
  edges: z.array(edge).default([]),
  annotations: z.array(annotation).optional(),
  data: z.record(z.string(), attachedFile).optional().meta({
    description: "Attached files by name, which a path reaches as attached:NAME.",
  }),
});

/** A document as parsed: defaults filled in, ends of edges as objects whose port may still be left out. */
export type GraphDocument = z.output<typeof graphDocumentSchema>;
/** A document as a person or a program may write it. */
export type GraphDocumentInput = z.input<typeof graphDocumentSchema>;
export type GraphNode = GraphDocument["nodes"][number];
export type GraphEdge = GraphDocument["edges"][number];
export type GraphEdgeEnd = GraphEdge["from"];
export type GraphRoute = NonNullable<GraphEdge["route"]>;
export type GraphSettings = GraphDocument["settings"];
export type GraphAnnotation = NonNullable<GraphDocument["annotations"]>[number];
export type AttachedFile = z.output<typeof attachedFile>;

/** Schemas of the parts, for the page's forms and for reading what is well-formed in a document that is not. */
export const settingsSchema = settings;
export const nodeSchema = node;
export const edgeSchema = edge;
