import { describe, expect, test } from "vitest";
import { errorLine } from "../base/errors.ts";
import { Schema } from "../data/schema.ts";
import { defineKind, IN, inputOf, OUT } from "../operators/catalog/kind-spec.ts";
import { z } from "../operators/catalog/zod.ts";
import { CATALOG, type Catalog, type KindSpec } from "../operators/catalog.ts";
import type { GraphDocument, GraphDocumentInput } from "./graph-document.ts";
import { documentOf } from "./parse-document.ts";
import { applyPatch, type Problem } from "./problem.ts";
import { validate } from "./validate.ts";

/** A matcher of two inputs and an operator by event time: shapes that rules speak of. */
const match = defineKind({
  kind: "match",
  role: "operator",
  group: "stateful",
  title: "Match",
  summary: "Matches",
  help: "Matches.",
  config: z.strictObject({ leftKey: z.array(z.string()), rightKey: z.array(z.string()) }),
  inputs: [
    { name: "left", many: false },
    { name: "right", many: false },
  ],
  outputs: () => [OUT],
  keys: ({ leftKey, rightKey }) => ({ left: leftKey, right: rightKey }),
  schemaFlow: (_, inputs) => ({ kind: "ok", outputs: { out: inputs["left"] ?? new Schema([]) } }),
});
const timely = defineKind({
  kind: "timely",
  role: "operator",
  group: "stateful",
  title: "Timely",
  summary: "Fires by event time",
  help: "Fires by event time.",
  config: z.strictObject({}),
  inputs: IN,
  outputs: () => [OUT],
  needsEventTime: () => true,
  schemaFlow: (_, inputs) => ({ kind: "ok", outputs: { out: inputOf(inputs) } }),
});
const kinds: readonly KindSpec[] = [match, timely];
const catalog: Catalog = new Map([...CATALOG, ...kinds.map((spec) => [spec.kind, spec] as const)]);

type NodeInput = GraphDocumentInput["nodes"][number];
type EdgeInput = NonNullable<GraphDocumentInput["edges"]>[number];

const rows = (
  id: string,
  columns = "id int64, name utf8",
  more: Partial<NodeInput> & { time?: unknown } = {},
): NodeInput => {
  const { time, ...node } = more;
  const schema = columns.split(", ").map((column) => {
    const [name, type, not] = column.split(" ");
    return { name, type, nullable: not === undefined };
  });
  return { id, kind: "source.rows", config: { schema, ...(time === undefined ? {} : { time }) }, ...node };
};
const node = (id: string, kind: string, config: Record<string, unknown> = {}, parallelism = 1): NodeInput => ({
  id,
  kind,
  config,
  parallelism,
});
const table = (id = "out"): NodeInput => node(id, "sink.table");

/** `a>b` with a route: `a>b shuffle id`. Ids count up from e1. */
function edges(...texts: string[]): EdgeInput[] {
  return texts.map((text, index) => {
    const [ends = "", kind, ...columns] = text.split(" ");
    const [from = "", to = ""] = ends.split(">");
    const end = (side: string): EdgeInput["from"] => {
      const [name = "", port] = side.split(".");
      return port === undefined ? name : { node: name, port };
    };
    const route = kind === "shuffle" ? { kind, columns } : kind === undefined ? undefined : { kind: kind as "forward" };
    return {
      id: `e${index + 1}`,
      from: end(from),
      to: end(to),
      ...(route === undefined ? {} : { route }),
    } as EdgeInput;
  });
}

function graph(nodes: NodeInput[], edgeList: EdgeInput[], more: Partial<GraphDocumentInput> = {}): GraphDocument {
  const parsed = documentOf({ format: "weir.graph/v1", nodes, edges: edgeList, ...more });
  if (parsed.kind !== "document") throw new Error(parsed.problems.map(errorLine).join("\n"));
  return parsed.document;
}

const problemsOf = (document: GraphDocument): Problem[] => validate(document, { catalog });
const lines = (document: GraphDocument): string[] => problemsOf(document).map(errorLine);

const timed = { column: "at" };
const endless = (id: string): NodeInput =>
  node(id, "source.generator", { fields: [{ kind: "uuid", name: "id" }], rows: 0 });

/** What a graph is, and every line that it gets; no line: it is valid. */
const cases: [string, GraphDocument, string[]][] = [
  ["a source into a sink is valid", graph([rows("a"), table()], edges("a>out")), []],
  ["an empty graph is told so", graph([], []), ["nodes: the graph is empty; add a source and a sink"]],
  [
    "an unknown kind gets the nearest one",
    graph([rows("a"), node("s", "selct"), table()], edges("a>s", "s>out")),
    ['s.kind: there is no kind "selct"; did you mean select?'],
  ],
  [
    "an unknown kind with nothing near gets the list",
    graph([rows("a"), node("s", "kafka"), table()], edges("a>s", "s>out")),
    [`s.kind: there is no kind "kafka"; the kinds are ${[...catalog.keys()].join(", ")}`],
  ],
  [
    "an unknown field of a config gets the nearest one, also deep inside",
    graph(
      [
        rows("a", "at int64", { time: { colum: "at", column: "at", watermark: { kind: "bounded", delay: 5 } } }),
        table(),
      ],
      edges("a>out"),
    ),
    [
      'a.config.time.watermark.delay: there is no field "delay"; did you mean delayMs?',
      'a.config.time.colum: there is no field "colum"; did you mean column?',
    ],
  ],
  [
    "wrong values of a config are told each with its place",
    graph(
      [node("a", "source.file", { format: "cvs", csv: { delimiter: ";;" }, badRows: 1, batchRows: 0 }), table()],
      edges("a>out"),
    ),
    [
      'a.config.format: "Format" must be csv, ndjson, arrow or parquet, not "cvs"; did you mean csv?',
      'a.config.path: "File" must be given; give the path of a file, relative to the document',
      'a.config.badRows: "Bad rows" must be drop, route, rescue or fail, not 1',
      'a.config.csv.delimiter: "Separator" must be one ASCII character',
      'a.config.batchRows: "Rows a batch" must be at least 1, not 0',
    ],
  ],
  [
    "a step of a script that is none is told what a step is",
    graph(
      [
        node("a", "source.script", {
          schema: [{ name: "id", type: "int32" }],
          steps: [{ rows: [[1]], idle: true }, { watermark: "x" }, {}],
        }),
        table(),
      ],
      edges("a>out"),
    ),
    [
      "a.config.steps[0]: steps[0] must have exactly one of rows, watermark, idle: true, wait, fail",
      'a.config.steps[1].watermark: watermark must be a number, not "x"',
      "a.config.steps[2]: steps[2] must have exactly one of rows, watermark, idle: true, wait, fail",
    ],
  ],
  [
    "an unknown type of a column gets the list, or the nearest name, also of SQL",
    graph([rows("a", "a complex, b int46, c string, d decimal(40,2)"), table()], edges("a>out")),
    [
      expect.stringContaining('a.config.schema[0].type: there is no type "complex"; use one of boolean, int8'),
      'a.config.schema[1].type: there is no type "int46"; did you mean int16?',
      'a.config.schema[2].type: there is no type "string"; did you mean utf8?',
      expect.stringContaining('there is no type "decimal(40,2)"; a decimal has 1 to 38 digits'),
    ],
  ],
  [
    "what must be given is told in the words of its form, with what to do",
    graph(
      [
        node("a", "source.generator", {}),
        node("b", "select", {}),
        node("c", "rename", { names: { id: "" } }),
        node("d", "window", { window: {}, trigger: "clock" }),
        table(),
      ],
      edges("a>b", "b>c", "c>d", "d>out"),
    ),
    [
      'a.config.fields: "Columns" must be given; give each column a name and say how it is made',
      'b.config.columns: "Columns" must be given; choose at least one column',
      'c.config.names: column "id" has no new name; write one, or leave the column out',
      "d.config.window.kind: kind must be given; choose tumbling, sliding or session",
      'd.config.trigger: "Fires" must be watermark or an object, not "clock"',
    ],
  ],
  [
    "an inline row that does not fit is told with row and column (D-41)",
    graph(
      [
        {
          ...rows("a", "id int64 not"),
          config: { schema: [{ name: "id", type: "int64", nullable: false }], rows: [[1], [null]] },
        },
        table(),
      ],
      edges("a>out"),
    ),
    ['a.config.rows[1]: column "id" must not be NULL (row 2)'],
  ],
  [
    "two nodes with one id are both kept and told (P-61)",
    graph([rows("a"), rows("a"), table()], edges("a>out")),
    ['a.id: there are two nodes "a"; give one another id'],
  ],
  [
    "two edges with one id are told",
    graph(
      [rows("a"), rows("b"), node("u", "union"), table()],
      [...edges("a>u", "b>u"), { id: "e1", from: "u", to: "out" }],
    ),
    ['id: there are two edges "e1" (edge e1); give one another id'],
  ],
  [
    "an edge to a node that is not there is told, with the nearest id (P-61)",
    graph([rows("orders"), table()], edges("order>out")),
    [
      'from.node: there is no node "order" (edge e1); did you mean orders?',
      'orders.out: what leaves at "out" goes nowhere; connect it to a sink; sink.blackhole takes what nobody needs',
    ],
  ],
  [
    "a port that is not there is told, with what there is (P-61)",
    graph([rows("a"), node("s", "select", { columns: ["id"] }), table()], edges("a>s.input", "s.result>out")),
    [
      's.to.port: "s" has no input "input" (edge e1); did you mean in?',
      's.from.port: "s" has no output "result" (edge e2); there is out',
      's.in: nothing comes in at "in"; connect it',
      's.out: what leaves at "out" goes nowhere; connect it to a sink; sink.blackhole takes what nobody needs',
    ],
  ],
  [
    "a source has no input and a sink has no output",
    graph([rows("a"), rows("b"), table("t"), table("out")], edges("a>t", "a>b", "t>out", "b>out")),
    [
      'b.to: "b" is a source, which has no input (edge e2); remove the edge',
      't.from: "t" is a sink, which has no output (edge e3); remove the edge',
    ],
  ],
  [
    "every input needs an edge and every output leads somewhere",
    graph([rows("a"), node("u", "union"), table()], []),
    [
      'a.out: what leaves at "out" goes nowhere; connect it to a sink; sink.blackhole takes what nobody needs',
      'u.in: nothing comes in at "in"; connect it',
      'u.out: what leaves at "out" goes nowhere; connect it to a sink; sink.blackhole takes what nobody needs',
      'out.in: nothing comes in at "in"; connect it',
    ],
  ],
  [
    "routed bad rows need an edge",
    graph(
      [
        node("f", "source.file", {
          format: "csv",
          path: "a.csv",
          badRows: "route",
          schema: [{ name: "id", type: "int64" }],
        }),
        table(),
      ],
      edges("f>out"),
    ),
    ['f.bad: what leaves at "bad" goes nowhere; connect it to a sink; sink.blackhole takes what nobody needs'],
  ],
  [
    "a port left out of a node with several is asked for",
    graph(
      [rows("a"), rows("b"), node("m", "match", { leftKey: ["id"], rightKey: ["id"] }), table()],
      edges("a>m", "b>m.right", "m>out"),
    ),
    [
      'm.to.port: "m" has the inputs left and right (edge e1); say which one',
      'm.left: nothing comes in at "left"; connect it',
    ],
  ],
  [
    "a second edge into left is refused",
    graph(
      [rows("a"), rows("b"), rows("c"), node("m", "match", { leftKey: ["id"], rightKey: ["id"] }), table()],
      edges("a>m.left", "b>m.right", "c>m.left", "m>out"),
    ),
    ['m.to.port: "left" takes one edge, and has "e1" already (edge e3); merge the streams with union before it'],
  ],
  [
    "the same edge twice is refused",
    graph([rows("a"), table()], edges("a>out", "a>out")),
    ['out.to: there is an edge from "a" to "out" already (edge e2); remove one'],
  ],
  [
    "a self-loop is a cycle of one",
    graph([rows("a"), node("u", "union"), table()], edges("a>u", "u>u", "u>out")),
    ['u.to: "u" feeds itself (edge e2); remove one of its edges: rows flow one way only'],
  ],
  [
    "every cycle is told, with the edge that closes it",
    graph(
      [rows("a"), node("u", "union"), node("v", "union"), node("w", "union"), node("x", "union"), table()],
      edges("a>u", "u>v", "v>w", "w>u", "w>x", "x>w", "x>out"),
    ),
    [
      "u.to: u → v → w → u is a cycle (edge e4); remove one of its edges: rows flow one way only",
      "w.to: w → x → w is a cycle (edge e6); remove one of its edges: rows flow one way only",
    ],
  ],
  [
    "parallelism above vnodes is refused (D-45)",
    graph([rows("a", undefined, { parallelism: 5 }), table()], edges("a>out"), { settings: { vnodes: 4 } }),
    ["a.parallelism: parallelism 5 is above settings.vnodes, which is 4; lower it, or raise vnodes"],
  ],
  [
    "forward from 1 to N is refused with advice",
    graph([rows("a"), node("u", "union", {}, 4), table()], edges("a>u forward", "u>out")),
    [
      "u.route: forward does not lead from 1 to 4 subtasks (edge e1); use rebalance, shuffle or broadcast, or make the parallelism equal",
    ],
  ],
  [
    "forward from N to M is refused, from N to 1 and from N to N it is fine",
    graph(
      [rows("a", undefined, { parallelism: 4 }), node("u", "union", {}, 2), node("v", "union", {}, 2), table()],
      edges("a>u forward", "u>v forward", "v>out forward"),
    ),
    [
      "u.route: forward does not lead from 4 to 2 subtasks (edge e1); use rebalance, shuffle or broadcast, or make the parallelism equal",
    ],
  ],
  [
    "a route left out where forward is not legal is asked for",
    graph([rows("a"), node("u", "union", {}, 4), table()], edges("a>u", "u>out")),
    [
      "u.route: the edge needs a route, because forward does not lead from 1 to 4 subtasks (edge e1); use rebalance, shuffle or broadcast, or make the parallelism equal",
    ],
  ],
  [
    "a keyed operator above parallelism 1 is fed by a shuffle on its keys",
    graph(
      [rows("a"), node("b", "union", {}, 4), node("c", "count", { groupBy: ["id", "name"] }, 4), table()],
      edges("a>b rebalance", "b>c", "c>out"),
    ),
    [
      'c.route: with 4 subtasks "c" must be fed by a shuffle on "id" and "name" or some of them, and the edge has no route (edge e2); rows of one key must meet in one subtask',
    ],
  ],
  [
    "a shuffle on other columns than the keys does not do",
    graph([rows("a"), node("c", "count", { groupBy: ["id"] }, 2), table()], edges("a>c shuffle name", "c>out")),
    [
      'c.route: with 2 subtasks "c" must be fed by a shuffle on "id", and the edge is shuffled on "name" (edge e1); rows of one key must meet in one subtask',
    ],
  ],
  [
    "a count of all rows above parallelism 1 takes a shuffle without columns",
    graph([rows("a"), node("c", "count", {}, 2), table()], edges("a>c rebalance", "c>out")),
    [
      'c.route: with 2 subtasks "c" must be fed by a shuffle without columns, and the edge is rebalance (edge e1); rows of one key must meet in one subtask',
    ],
  ],
  [
    "a shuffle on some of the keys does, and at parallelism 1 any route does",
    graph(
      [
        rows("a", undefined, { parallelism: 2 }),
        node("c", "count", { groupBy: ["id", "name"] }, 2),
        node("d", "count", { groupBy: ["id"] }),
        table(),
      ],
      edges("a>c shuffle name", "c>d", "d>out"),
    ),
    [],
  ],
  [
    "the two sides of a match are shuffled on corresponding keys",
    graph(
      [rows("a"), rows("b"), node("m", "match", { leftKey: ["id", "name"], rightKey: ["id", "name"] }, 2), table()],
      edges("a>m.left shuffle id", "b>m.right shuffle name", "m>out"),
    ),
    [
      'm.route.columns: "left" and "right" are shuffled on keys that do not correspond, so equal keys would not meet (edge e2); shuffle this edge on "id"',
    ],
  ],
  [
    "shuffle columns exist where the edge begins",
    graph(
      [rows("a"), node("s", "select", { columns: ["id"] }), node("u", "union", {}, 2), table()],
      edges("a>s", "s>u shuffle idd name", "u>out"),
    ),
    [
      's.route.columns[0]: there is no column "idd" at "out" (edge e2); did you mean "id"?',
      's.route.columns[1]: there is no column "name" at "out" (edge e2); the columns are id',
    ],
  ],
  [
    "streams that meet in one port have one schema",
    graph(
      [
        rows("a", "id int64, name utf8"),
        rows("b", "id int64 not, name utf8"),
        rows("c", "id int32, name utf8"),
        rows("d", "name utf8, id int64"),
        rows("e", "id int64"),
        node("u", "union"),
        table(),
      ],
      edges("a>u", "b>u", "c>u", "d>u", "e>u", "u>out"),
    ),
    [
      'u.in: edges "e1" and "e3" bring different columns: column "id" is int64 in the first and int32 in the second (edge e3); make them equal with select or rename',
      'u.in: edges "e1" and "e4" bring different columns: the order of the columns differs (edge e4); make them equal with select or rename',
      'u.in: edges "e1" and "e5" bring different columns: column "name" is missing in the second (edge e5); make them equal with select or rename',
    ],
  ],
  [
    "a column that a step does not find is told at the step, with the nearest name",
    graph(
      [rows("a"), node("s", "select", { columns: ["nmae"] }), node("d", "drop", { columns: ["x"] }), table()],
      edges("a>s", "s>d", "d>out"),
    ),
    ['s.config.columns[0]: there is no column "nmae"; did you mean "name"?'],
  ],
  [
    "an operator by event time that only sources without it feed is refused (D-6)",
    graph([rows("a", "at int64"), node("t", "timely"), table()], edges("a>t", "t>out")),
    [
      "t.config: no row that comes here has an event time: a has no watermark; give the source a time column, or choose the processing-time trigger",
    ],
  ],
  [
    "one source with event time is enough, a watermark of none is not (D-6)",
    graph(
      [
        rows("a", "at int64", { time: timed }),
        rows("b", "at int64"),
        rows("c", "at int64", { time: { ...timed, watermark: { kind: "none" } } }),
        node("t", "timely"),
        node("u", "timely"),
        table("x"),
        table("y"),
      ],
      edges("a>t", "b>t", "t>x", "b>u", "c>u", "u>y"),
    ),
    [
      "u.config: no row that comes here has an event time: b and c have no watermark; give the source a time column, or choose the processing-time trigger",
    ],
  ],
  [
    "a setting of a group that stands outside of it belongs into it",
    graph(
      [
        node("f", "source.file", {
          format: "csv",
          path: "a.csv",
          schema: [{ name: "a", type: "utf8" }],
          delimiter: ";",
        }),
        node("g", "source.file", {
          format: "csv",
          path: "a.csv",
          schema: [{ name: "a", type: "utf8" }],
          csv: { quote: "'" },
          delimiter: ";",
        }),
        table("x"),
      ],
      edges("f>x", "g>x"),
    ),
    [
      'f.config.delimiter: there is no field "delimiter"; did you mean csv.delimiter?',
      'g.config.delimiter: there is no field "delimiter"; did you mean csv.delimiter?',
    ],
  ],
  [
    "rows that have times are not said to have none where only the watermark is missing (D-6)",
    graph(
      [rows("a", "at int64", { time: { column: "at", watermark: { kind: "none" } } }), node("t", "timely"), table()],
      edges("a>t", "t>out"),
    ),
    [
      "t.config: time does not move on here: a has no watermark; make it bounded or ascending, or choose the processing-time trigger",
    ],
  ],
  [
    "event time can come from the only source's first column of timestamps (D-6)",
    graph([rows("a", "id int64, at timestamp[ms]"), node("t", "timely"), table("x")], edges("a>t", "t>x")),
    [
      "t.config: no row that comes here has an event time: a has no watermark; give the source a time column, or choose the processing-time trigger",
    ],
  ],
  [
    "dedupe goes by event time or by the clock: only some rows with one are refused, at the edge that brings the others (D-27)",
    graph(
      [
        rows("a", "at int64", { time: timed }),
        rows("b", "at int64"),
        rows("c", "at int64", { time: { ...timed, watermark: { kind: "none" } } }),
        node("u", "union"),
        node("d", "dedupe", { keys: ["at"] }),
        node("e", "dedupe", { keys: ["at"] }),
        node("f", "dedupe", { keys: ["at"] }),
        table("x"),
        table("y"),
        table("z"),
      ],
      edges("a>u", "b>u", "u>d", "a>e", "b>e", "a>f", "c>f", "d>x", "e>y", "f>z"),
    ),
    [
      "d.in: only some of the rows that come here have an event time: b gives none, and Dedupe goes by event time or by the clock; give every source a time column, or set the event time with derive before",
      "e.in: only some of the rows that come here have an event time: b gives none, and Dedupe goes by event time or by the clock (edge e5); give every source a time column, or set the event time with derive before",
    ],
  ],
  [
    "derive gives rows an event time, so that all have one; what a window sends has one whatever came in (D-29)",
    graph(
      [
        rows("a", "at int64", { time: timed }),
        rows("b", "at int64"),
        node("t", "derive", { columns: [], eventTime: "at" }),
        node("d", "dedupe", { keys: ["at"] }),
        node("w", "window", {
          groupBy: ["at"],
          window: { kind: "tumbling", sizeMs: 5 },
          trigger: { kind: "processing", everyMs: 9 },
        }),
        node("e", "dedupe", { keys: ["at"] }),
        table("x"),
        table("y"),
      ],
      edges("a>d", "b>t", "t>d", "a>w", "b>w", "w>e", "d>x", "e>y"),
    ),
    [],
  ],
  [
    "a port where no row has an event time is refused, though watermarks come: each would be late (D-23)",
    graph(
      [
        rows("a", "at int64", { time: timed }),
        rows("b", "id int64, at timestamp[ms]"),
        node("c", "source.script", {
          schema: [{ name: "at", type: "int64" }],
          steps: [{ rows: [["1"]] }, { watermark: 5 }],
        }),
        node("j", "join.interval", { leftKey: ["at"], rightKey: ["id"], lowerMs: 0, upperMs: 5 }),
        node("t", "timely"),
        table("x"),
        table("y"),
      ],
      edges("a>j.left", "b>j.right", "j>x", "c>t", "t>y"),
    ),
    [
      'j.right: no row that comes in at "right" has an event time: b gives none; give the source a time column, or set the event time with derive before',
      't.in: no row that comes in at "in" has an event time: c gives none; give the source a time column, or set the event time with derive before',
    ],
  ],
  [
    "endless exactly-once output without barriers is refused (D-17)",
    graph(
      [
        endless("g"),
        node("u", "union"),
        table(),
        node("log", "sink.log"),
        node("t2", "sink.table", { delivery: "at-least-once" }),
      ],
      edges("g>u", "u>out", "u>log", "g>t2"),
      { settings: { barrierEveryMs: 0 } },
    ),
    [
      "out.config.delivery: the input never ends and no barrier comes, so nothing would ever be shown; set settings.barrierEveryMs, or make the delivery at-least-once",
    ],
  ],
  ["endless exactly-once output with barriers is fine (D-17)", graph([endless("g"), table()], edges("g>out")), []],
  [
    "bounded exactly-once output without barriers is fine (D-13)",
    graph([rows("a"), table()], edges("a>out"), { settings: { barrierEveryMs: 0 } }),
    [],
  ],
  [
    "a file sink needs a path",
    graph(
      [rows("a"), node("f", "sink.file", { format: "csv" }), node("g", "sink.file", { format: "csv", path: "" })],
      edges("a>f", "a>g"),
    ),
    [
      'f.config.path: "Path" must be given; give a path relative to the document',
      'g.config.path: "Path" must not be empty; give a path relative to the document',
    ],
  ],
  [
    "an attached file is there, with the nearest name otherwise, and no sink writes to it",
    graph(
      [
        node("f", "source.file", {
          format: "csv",
          path: "attached:order.csv",
          schema: [{ name: "id", type: "int64" }],
        }),
        node("s", "sink.file", { format: "csv", path: "attached:x" }),
      ],
      edges("f>s"),
      { data: { "orders.csv": { encoding: "text", content: "id\n1\n" } } },
    ),
    [
      'f.config.path: no file "order.csv" is attached; did you mean "orders.csv"?',
      "s.config.path: a sink cannot write to an attached file; give a path",
    ],
  ],
  [
    "two sinks never write to one path",
    graph(
      [
        rows("a"),
        node("f", "sink.file", { format: "csv", path: "x" }),
        node("g", "sink.file", { format: "csv", path: "x" }),
        node("h", "sink.file", { format: "csv", path: "./y/../x/" }),
      ],
      edges("a>f", "a>g", "a>h"),
    ),
    [
      'g.config.path: "f" writes to "x" too; give each its own path',
      'h.config.path: "g" writes to "./y/../x/" too; give each its own path',
    ],
  ],
  [
    "a sink that would replace what a source reads is refused",
    graph(
      [
        node("a", "source.file", { format: "csv", path: "x/part-0-1.csv", schema: [{ name: "id", type: "int64" }] }),
        node("b", "source.file", { format: "csv", path: "y/part-0-1.csv", schema: [{ name: "id", type: "int64" }] }),
        node("c", "source.file", { format: "csv", path: "y/orders.csv", schema: [{ name: "id", type: "int64" }] }),
        node("f", "sink.file", { format: "csv", path: "./x" }),
        node("g", "sink.file", { format: "csv", path: "z" }),
      ],
      edges("a>f", "b>g", "c>g"),
    ),
    ['f.config.path: it would replace "x/part-0-1.csv", which "a" reads; give it another folder'],
  ],
  [
    "a file without columns is told when nobody resolved them",
    graph([node("f", "source.file", { format: "csv", path: "a.csv" }), table()], edges("f>out")),
    ["f.config.schema: the columns of the file are not known; give them, or make the file readable"],
  ],
  [
    "a graph too large for any machine is refused before it is planned",
    graph(
      [rows("a", undefined, { parallelism: 2000 }), node("u", "union", {}, 3000), table()],
      edges("a>u rebalance", "u>out"),
      { settings: { vnodes: 4000 } },
    ),
    [
      "nodes: the graph has 5001 tasks, and at most 4096 are possible; lower the parallelism",
      "edges: the graph has 6003000 physical edges, and at most 65536 are possible; lower the parallelism",
    ],
  ],
];

describe("validate", () => {
  test.each(cases)("%s", (_, document, expected) => {
    expect(lines(document)).toEqual(expected);
  });

  test("reports faults of every sort together", () => {
    const document = graph(
      [
        rows("a"),
        rows("a"),
        node("x", "unoin"),
        node("s", "select", { columns: ["id"], more: 1 }),
        node("c", "count", { groupBy: ["id"] }, 3),
        table(),
      ],
      edges("a>x", "a>s", "a>c", "c>nowhere", "s>out", "x>out"),
      { settings: { vnodes: 2 } },
    );
    expect(problemsOf(document).map(({ code }) => code)).toEqual([
      "parallelism-above-vnodes",
      "duplicate-id",
      "unknown-kind",
      "unknown-field",
      "unknown-node",
      "keyed-without-shuffle",
    ]);
  });

  test("settings that are typed while a graph is open are checked as those of a text are", () => {
    const document = graph([rows("a"), table("x")], edges("a>x"));
    const typed = { ...document, settings: { ...document.settings, edgeCapacity: 1e20, barrierEveryMs: -1 } };
    expect(problemsOf(typed).map(errorLine)).toEqual([
      'settings.edgeCapacity: "Edge capacity" must be at most 65536, not 100000000000000000000',
      'settings.barrierEveryMs: "Barrier every" must be at least 0, not -1',
    ]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("every problem has a code, a field, and a node or an edge where there is one", () => {
    for (const problem of cases.flatMap(([, document]) => problemsOf(document))) {
      expect(problem).toMatchObject({
        code: expect.stringMatching(/^[a-z-]+$/),
        domain: "graph",
        field: expect.stringMatching(/./),
      });
      const wholeGraph = problem.code === "empty-graph" || problem.code === "too-large";
      expect(problem.node !== undefined || problem.edge !== undefined).toBe(!wholeGraph);
    }
  });

  test("every fix is plain data, and applying it takes its problem away", () => {
    let fixes = 0;
    for (const [sentence, document] of cases) {
      const before = JSON.stringify(document);
      for (const problem of problemsOf(document)) {
        if (problem.fix === undefined) continue;
        fixes++;
        const fixed = applyPatch(document, structuredClone(problem.fix).patch);
        const left = problemsOf(fixed).map(errorLine);
        expect(left, `${sentence}: ${problem.fix.title}`).not.toContain(errorLine(problem));
        expect(documentOf(JSON.parse(JSON.stringify(fixed))).kind).toBe("document");
      }
      expect(JSON.stringify(document)).toBe(before);
    }
    expect(fixes).toBeGreaterThan(25);
  });

  test("a document is judged the same when it is judged again", () => {
    for (const [, document] of cases) expect(problemsOf(document)).toEqual(problemsOf(structuredClone(document)));
  });

  test("ten thousand nodes in one chain are judged without deep recursion", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => node(`n${index}`, "union"));
    const ends = ["a", ...steps.map(({ id }) => id), "out"];
    const chain = edges(...ends.slice(1).map((id, index) => `${ends[index]}>${id}`));
    expect(lines(graph([rows("a"), ...steps, table()], chain, { settings: { vnodes: 1 } }))).toEqual([
      "nodes: the graph has 10002 tasks, and at most 4096 are possible; lower the parallelism",
    ]);
  });
});
