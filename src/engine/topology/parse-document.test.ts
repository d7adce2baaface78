import { describe, expect, test } from "vitest";
import { errorLine } from "../base/errors.ts";
import { type RowsSourceConfig, rowsOf, schemaOf } from "../operators/catalog.ts";
import type { GraphDocument } from "./graph-document.ts";
import { parseDocument, serializeDocument } from "./parse-document.ts";
import { planOf } from "./plan.ts";
import { applyPatch, type Problem } from "./problem.ts";
import { validate } from "./validate.ts";

/** Every problem of a document's text: of its shape, and of what is well-formed in it. */
function validateText(text: string): Problem[] {
  const parsed = parseDocument(text);
  if (parsed.kind === "document") return validate(parsed.document);
  const { problems, rest } = parsed;
  return rest === undefined ? [...problems] : [...problems, ...validate(rest.document, { malformed: rest.malformed })];
}

const lines = (text: string): string[] => validateText(text).map(errorLine);

function documentIn(text: string): GraphDocument {
  const parsed = parseDocument(text);
  if (parsed.kind === "problems") throw new Error(parsed.problems.map(errorLine).join("\n"));
  return parsed.document;
}

const schema = [{ name: "id", type: "int64" }];
const whole = {
  format: "weir.graph/v1",
  name: "whole",
  nodes: [
    { id: "a", kind: "source.rows", config: { schema, rows: [[1]] } },
    { id: "out", kind: "sink.table" },
  ],
  edges: [{ id: "e1", from: "a", to: { node: "out", port: "in" } }],
};
const text = (change: Record<string, unknown> = {}): string => JSON.stringify({ ...whole, ...change });

test("short forms and everything left out are filled in, ports stay as they are", () => {
  const document = documentIn(text());
  expect(document.settings).toEqual({
    edgeCapacity: 16,
    barrierEveryMs: 1000,
    vnodes: 128,
    alignment: "aligned",
    epochTimeoutMs: 60000,
    stopTimeoutMs: 10000,
    ringBudgetMiB: 64,
    chaining: true,
    hosts: "auto",
    retainedCheckpoints: 3,
  });
  expect(document.nodes[1]).toEqual({ id: "out", kind: "sink.table", parallelism: 1, config: {} });
  expect(document.edges).toEqual([{ id: "e1", from: { node: "a" }, to: { node: "out", port: "in" } }]);
  expect(validate(document)).toEqual([]);
});

test("every field of the format is taken and kept", () => {
  const full = {
    $schema: "./graph.schema.json",
    ...whole,
    settings: {
      edgeCapacity: 2,
      barrierEveryMs: 0,
      vnodes: 8,
      alignment: "none",
      epochTimeoutMs: 5,
      stopTimeoutMs: 6,
      ringBudgetMiB: 7,
      chaining: false,
      hosts: 2,
      retainedCheckpoints: 1,
    },
    nodes: [
      {
        id: "a",
        kind: "source.rows",
        name: "A",
        parallelism: 2,
        config: { schema },
        ui: { x: 1.5, y: -2 },
        notes: "n",
      },
      { id: "out", kind: "sink.table", parallelism: 1, config: {} },
    ],
    edges: [
      {
        id: "e1",
        from: { node: "a", port: "out" },
        to: { node: "out", port: "in" },
        route: { kind: "shuffle", columns: ["id"] },
        capacity: 4,
      },
    ],
    annotations: [{ id: "n1", text: "hi", ui: { x: 0, y: 0, w: 200, h: 80 } }],
    data: { "orders.csv": { encoding: "text", content: "id\n1\n" } },
  };
  expect(documentIn(JSON.stringify(full))).toEqual(full);
});

describe("inline rows keep every digit (P-02)", () => {
  const rows = `{"format": "weir.graph/v1", "nodes": [
    {"id": "a", "kind": "source.rows", "config": {"schema": [{"name": "id", "type": "int64"}, {"name": "d", "type": "decimal(38,20)"}],
      "rows": [[9007199254740993, 0.12345678901234567890], [9007199254740992, 1.5], {"id": 9223372036854775807}, ["9223372036854775807", "1"]]}},
    {"id": "out", "kind": "sink.table"}], "edges": [{"id": "e", "from": "a", "to": "out"}]}`;
  const cells = [
    [9007199254740993n, 12345678901234567890n],
    [9007199254740992n, 150000000000000000000n],
    [9223372036854775807n, null],
    [9223372036854775807n, 100000000000000000000n],
  ];
  const cellsOf = (document: GraphDocument): unknown => {
    const config = planOf(document).tasks[0]?.stages[0]?.config as RowsSourceConfig;
    return rowsOf(schemaOf(config.schema), config.rows);
  };

  test("from the text to the plan", () => {
    expect(cellsOf(documentIn(rows))).toEqual(cells);
  });

  test("and through saving and opening again", () => {
    const saved = serializeDocument(documentIn(rows));
    expect(saved).toContain("9007199254740993");
    expect(cellsOf(documentIn(saved))).toEqual(cells);
    expect(serializeDocument(documentIn(saved))).toBe(saved);
  });

  test("an int64 that does not fit is told, not wrapped", () => {
    expect(lines(rows.replace("9223372036854775807}", "9223372036854775808}"))).toEqual([
      'a.config.rows[2]: column "id" is int64, and 9223372036854775808 is none: out of range (row 3)',
    ]);
  });
});

describe("a file that is no good document is refused with a list, never with a crash (P-61)", () => {
  const nodes = whole.nodes;
  test.each<[string, string, string[]]>([
    ["an empty file", "", ["the file is empty (column 1) (line 1); open a graph document"]],
    [
      "HTML",
      "<!DOCTYPE html>",
      [
        "this is HTML or XML, not JSON (column 1) (line 1); perhaps a web page was saved instead of the document itself",
      ],
    ],
    [
      "a list",
      "[]",
      ['format: this is a list, not a graph document; a document is an object with "format": "weir.graph/v1"'],
    ],
    [
      "null",
      "null",
      ['format: this is null, not a graph document; a document is an object with "format": "weir.graph/v1"'],
    ],
    ["other JSON", '{"hello": 1}', ['format: this is no graph document; a document has "format": "weir.graph/v1"']],
    [
      "a document without its format",
      text({ format: undefined }),
      ['format: the format is missing; a document has "format": "weir.graph/v1"'],
    ],
    [
      "a newer version",
      text({ format: "weir.graph/v2", anything: 1 }),
      ["format: this document is weir.graph/v2, made by a newer Weir; this one reads weir.graph/v1; update Weir"],
    ],
    [
      "another format",
      text({ format: 7 }),
      ['format: 7 is no format that Weir reads; a document has "format": "weir.graph/v1"'],
    ],
    [
      "nesting 10^5 deep",
      text({ nodes: "X" }).replace('"X"', "[".repeat(100_000)),
      ["nested more than 100 deep (column 149) (line 1); a graph document is flat"],
    ],
    [
      "a number that no number can hold",
      '{"format":"weir.graph/v1","nodes":[],"edges":[],"settings":{"epochTimeoutMs":1000000000000000000}}',
      ["settings.epochTimeoutMs: epochTimeoutMs must be at most 9007199254740991, not 1000000000000000000"],
    ],
    ["nodes that are no list", text({ nodes: {} }), ["nodes: nodes must be a list, not an object"]],
    ["no nodes", text({ nodes: undefined }), ["nodes: nodes must be given; give a list"]],
    ["a node that is no object", text({ nodes: [...nodes, 5] }), ["nodes[2]: nodes[2] must be an object, not 5"]],
    [
      "a node without id and kind",
      text({ nodes: [...nodes, {}] }),
      ["nodes[2].id: id must be given", "nodes[2].kind: kind must be given"],
    ],
    [
      "an id that is none",
      text({ nodes: [...nodes, { id: "a b", kind: "union" }] }),
      ["nodes[2].id: id must be 1 to 128 letters, digits, - or _"],
    ],
    [
      "an id that would be a prototype",
      text({ nodes: [...nodes, { id: "__proto__", kind: "union" }] }),
      ["nodes[2].id: id must be 1 to 128 letters, digits, - or _"],
    ],
    [
      "half a position",
      text({ nodes: [{ ...nodes[0], ui: { x: 1 } }, nodes[1]] }),
      ["a.ui.y: y must be given; give a number"],
    ],
    [
      "a position that is no number",
      text({ nodes: [{ ...nodes[0], ui: { x: "NaN", y: null } }, nodes[1]] }),
      ['a.ui.x: x must be a number, not "NaN"', "a.ui.y: y must be a number, not null"],
    ],
    [
      "unknown fields",
      text({ node: [], nodes: [{ ...nodes[0], parralelism: 2 }, nodes[1]] }),
      [
        'a.parralelism: there is no field "parralelism"; did you mean parallelism?',
        'node: there is no field "node"; did you mean nodes?',
      ],
    ],
    [
      "a config that is no object",
      text({ nodes: [{ ...nodes[0], config: [] }, nodes[1]] }),
      ["a.config: config must be an object"],
    ],
    [
      "a field of a config named __proto__",
      text({ nodes: [nodes[0], { id: "out", kind: "sink.table", config: 0 }] }).replace(
        '"config":0',
        '"config":{"__proto__":{"limit":1}}',
      ),
      ['out.config.__proto__: there is no field "__proto__"; the fields are limit, delivery'],
    ],
    [
      "an attached file named __proto__",
      text({ data: 0 }).replace('"data":0', '"data":{"__proto__":{"encoding":"text","content":""}}'),
      ["data.__proto__: an attached file cannot be named __proto__; choose another name"],
    ],
    [
      "an attached file in an unknown encoding",
      text({ data: { a: { encoding: "hex", content: "" } } }),
      ['data.a.encoding: encoding must be base64 or text, not "hex"'],
    ],
    [
      "an edge without ends",
      text({ edges: [{ id: "e1", from: 5 }] }),
      [
        "from: from must be a node's id or an object with node and port (edge e1)",
        "to: to must be given (edge e1); give a node's id or an object with node and port",
      ],
    ],
    [
      "a route that is none",
      text({ edges: [{ ...whole.edges[0], route: { kind: "suffle" }, capacity: 0 }] }),
      [
        'route.kind: kind must be forward, shuffle, broadcast or rebalance, not "suffle" (edge e1); did you mean shuffle?',
        "capacity: capacity must be at least 1, not 0 (edge e1)",
      ],
    ],
    [
      "settings that are none",
      text({
        settings: { edgeCapacity: 0, hosts: "many", alignment: "off", barrierEveryMs: 1.5, vnodes: 1e9, colour: 1 },
      }),
      [
        'settings.edgeCapacity: "Edge capacity" must be at least 1, not 0',
        "settings.barrierEveryMs: barrierEveryMs must be a whole number, not 1.5",
        'settings.vnodes: "Virtual nodes" must be at most 32768, not 1000000000',
        'settings.alignment: "Barrier alignment" must be aligned or none, not "off"',
        'settings.hosts: "Workers" must be auto, per-task or a number from 1 to 256',
        'settings.colour: there is no field "colour"; the fields are edgeCapacity, barrierEveryMs, vnodes, alignment, epochTimeoutMs, stopTimeoutMs, ringBudgetMiB, chaining, hosts, retainedCheckpoints',
      ],
    ],
  ])("%s", (_, bad, expected) => {
    expect(lines(bad)).toEqual(expected);
  });

  test("faults of shape and of meaning are told together, and what only follows from them is not", () => {
    const bad = text({
      nodes: [{ ...nodes[0], parallelism: "two" }, { id: "s", kind: "selekt" }, nodes[1]],
      edges: [
        { id: "e1", from: "a", to: "s" },
        { id: "e2", from: "s", to: "out", rout: 1 },
        { id: "e3", from: "nobody", to: "out" },
      ],
    });
    expect(lines(bad)).toEqual([
      'a.parallelism: parallelism must be a number, not "two"',
      'rout: there is no field "rout" (edge e2); did you mean route?',
      's.kind: there is no kind "selekt"; did you mean select?',
      'from.node: there is no node "nobody" (edge e3); there is a, s, out',
    ]);
  });

  test("a fix of a fault of shape mends the text's value", () => {
    const bad = JSON.parse(
      text({
        nodes: [{ ...nodes[0], parralelism: 2 }, nodes[1]],
        edges: [{ ...whole.edges[0], route: { kind: "suffle" } }],
      }),
    );
    const fixes = validateText(JSON.stringify(bad)).flatMap(({ fix }) => fix?.patch ?? []);
    expect(lines(JSON.stringify(applyPatch(bad, fixes)))).toEqual([]);
  });

  test("the same file opens twice, each time as a document of its own", () => {
    const first = documentIn(text());
    const second = documentIn(text());
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(second.nodes[0]).not.toBe(first.nodes[0]);
  });
});
