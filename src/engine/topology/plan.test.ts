import { describe, expect, test } from "vitest";
import { WeirError } from "../base/errors.ts";
import { explainPlan, taskLabel } from "./explain-plan.ts";
import { differencesBetween } from "./fingerprint.ts";
import type { GraphDocument } from "./graph-document.ts";
import { documentOf } from "./parse-document.ts";
import type { Plan, PlanTask } from "./physical-plan.ts";
import { planOf } from "./plan.ts";

type Settings = Partial<GraphDocument["settings"]>;

const schema = [
  { name: "id", type: "int64" },
  { name: "name", type: "utf8" },
];

/** Nodes as `id kind parallelism`, edges as `from>to route columns…`, ids e1, e2, … */
function graph(
  nodes: readonly string[],
  edges: readonly string[],
  settings: Settings = {},
  more: object = {},
): GraphDocument {
  const parsed = documentOf({
    format: "weir.graph/v1",
    settings,
    nodes: nodes.map((text) => {
      const [id, kind = "union", parallelism = "1"] = text.split(" ");
      const config =
        kind === "source.rows"
          ? { schema }
          : kind === "count"
            ? { groupBy: ["id"] }
            : kind === "source.file"
              ? { format: "csv", path: "x", schema, badRows: "route" }
              : {};
      return { id, kind, parallelism: Number(parallelism), config };
    }),
    edges: edges.map((text, index) => {
      const [ends = "", kind, ...columns] = text.split(" ");
      const [from = "", to = ""] = ends.split(">").map((end) => end.split("."));
      const [source, port] = from as string[];
      return {
        id: `e${index + 1}`,
        from: port === undefined ? source : { node: source, port },
        to: (to as string[])[0],
        ...(kind === undefined ? {} : { route: kind === "shuffle" ? { kind, columns } : { kind } }),
      };
    }),
    ...more,
  });
  if (parsed.kind === "problems") throw new Error(JSON.stringify(parsed.problems));
  return parsed.document;
}

const plan = (...args: Parameters<typeof graph>): Plan => planOf(graph(...args));

const tasksIn = ({ tasks }: Plan): string[] => tasks.map((task) => `${task.id} ${taskLabel(task)}`);
/** `edge: task → task` in id order. */
const edgesIn = ({ edges }: Plan): string[] =>
  edges.map(({ id, edge, from, to }) => `${id} ${edge}: ${from.task} → ${to.task}`);
const routesOf = (task: PlanTask | undefined): string[] =>
  (task?.routes ?? []).map(({ stage, port, kind, columns, edge, targets }) =>
    [edge, stage, port, kind, ...columns, ...targets.map((target) => `${target.task}:${target.vnodes.join("-")}`)].join(
      " ",
    ),
  );

describe("numbers", () => {
  test("tasks are numbered in document order, whatever their role, subtasks of a node together (F-1, A-1)", () => {
    const nodes = ["out sink.table", "u union 3", "a source.rows", "b source.rows 2"];
    expect(tasksIn(plan(nodes, ["a>u rebalance", "b>u broadcast", "u>out"], { chaining: false }))).toEqual([
      "0 out",
      "1 u [0]",
      "2 u [1]",
      "3 u [2]",
      "4 a",
      "5 b [0]",
      "6 b [1]",
    ]);
  });

  test("edges are numbered walking tasks, their routes as declared, and each route's targets (F-4)", () => {
    const nodes = ["a source.rows", "u union 2", "v union 2", "x sink.table", "y sink.table"];
    const edges = ["v>y", "a>v rebalance", "u>x", "a>u broadcast"];
    const result = plan(nodes, edges, { chaining: false });
    expect(edgesIn(result)).toEqual([
      "0 e2: 0 → 3",
      "1 e2: 0 → 4",
      "2 e4: 0 → 1",
      "3 e4: 0 → 2",
      "4 e3: 1 → 5",
      "5 e3: 2 → 5",
      "6 e1: 3 → 6",
      "7 e1: 4 → 6",
    ]);
    expect(result.tasks.map((task) => task.inEdges)).toEqual([[], [2], [3], [0], [1], [4, 5], [6, 7]]);
  });

  test("the plan is a pure function of the document: the same ids and fingerprint each time (F-4)", () => {
    const document = graph(["a source.rows 2", "c count 3", "out sink.table"], ["a>c shuffle id", "c>out"]);
    expect(planOf(structuredClone(document))).toEqual(planOf(document));
  });
});

describe("routes", () => {
  test("forward leads subtask i to subtask i, or all to the one there is", () => {
    const nodes = ["a source.rows 3", "u union 3", "out sink.table"];
    expect(edgesIn(plan(nodes, ["a>u", "u>out"], { chaining: false }))).toEqual([
      "0 e1: 0 → 3",
      "1 e1: 1 → 4",
      "2 e1: 2 → 5",
      "3 e2: 3 → 6",
      "4 e2: 4 → 6",
      "5 e2: 5 → 6",
    ]);
  });

  test("a shuffle leads to every subtask, each with its range of vnodes (F-77)", () => {
    const result = plan(["a source.rows", "c count 5", "out sink.blackhole"], ["a>c shuffle id", "c>out"], {
      vnodes: 64,
    });
    expect(routesOf(result.tasks[0])).toEqual(["e1 0 out shuffle id 1:0-12 2:12-25 3:25-38 4:38-51 5:51-64"]);
  });

  test("broadcast and rebalance lead to every subtask, which then owns all vnodes", () => {
    const nodes = ["a source.rows", "u union 2", "v union 2", "x sink.table", "y sink.table"];
    const result = plan(nodes, ["a>u broadcast", "a>v rebalance", "u>x", "v>y"]);
    expect(routesOf(result.tasks[0])).toEqual([
      "e1 0 out broadcast 1:0-128 2:0-128",
      "e2 0 out rebalance 3:0-128 4:0-128",
    ]);
  });

  test("the capacity is the edge's own, else that of the settings", () => {
    const document = graph(["a source.rows", "x sink.table", "y sink.table"], ["a>x", "a>y"], { edgeCapacity: 3 });
    const [first, ...others] = document.edges;
    const edges = [{ ...first, id: "e1", from: { node: "a" }, to: { node: "x" }, capacity: 1 }, ...others];
    expect(planOf({ ...document, edges }).edges.map(({ capacity }) => capacity)).toEqual([1, 3]);
  });
});

describe("chaining", () => {
  test("a source, operators and a sink at one parallelism are one task without edges", () => {
    const result = plan(["a source.rows 2", "u union 2", "v union 2", "out sink.table 2"], ["a>u", "u>v", "v>out"]);
    expect(tasksIn(result)).toEqual(["0 a → u → v → out [0]", "1 a → u → v → out [1]"]);
    expect(result.edges).toEqual([]);
    expect(result.tasks.map(({ routes }) => routes)).toEqual([[], []]);
    expect(result.tasks[0]?.stages.map(({ role }) => role)).toEqual(["source", "operator", "operator", "sink"]);
    expect(explainPlan(result).chains).toEqual([["a", "u", "v", "out"]]);
  });

  test("the setting turns it off", () => {
    expect(tasksIn(plan(["a source.rows", "u", "out sink.table"], ["a>u", "u>out"], { chaining: false }))).toHaveLength(
      3,
    );
  });

  test.each<[string, string[], string[], string[]]>([
    [
      "a second edge out of the same port",
      ["a source.rows", "u", "x sink.table", "y sink.table"],
      ["a>u", "u>x", "u>y"],
      ["0 a → u", "1 x", "2 y"],
    ],
    [
      "a second edge into the next node",
      ["a source.rows", "b source.rows", "u", "out sink.table"],
      ["a>u", "b>u", "u>out"],
      ["0 a", "1 b", "2 u → out"],
    ],
    [
      "another route than forward",
      ["a source.rows 2", "u union 2", "out sink.table"],
      ["a>u rebalance", "u>out"],
      ["0 a [0]", "1 a [1]", "2 u [0]", "3 u [1]", "4 out"],
    ],
    ["another parallelism", ["a source.rows 2", "out sink.table"], ["a>out"], ["0 a [0]", "1 a [1]", "2 out"]],
    [
      "a shuffle, also at parallelism 1",
      ["a source.rows", "c count", "out sink.table"],
      ["a>c shuffle id", "c>out"],
      ["0 a", "1 c → out"],
    ],
    [
      "another port than the main one",
      ["f source.file", "x sink.table", "y sink.table"],
      ["f>x", "f.bad>y"],
      ["0 f → x", "1 y"],
    ],
    [
      "a diamond",
      ["a source.rows", "u", "v", "w", "out sink.table"],
      ["a>u", "a>v", "u>w", "v>w", "w>out"],
      ["0 a", "1 u", "2 v", "3 w → out"],
    ],
  ])("ends at %s", (_, nodes, edges, expected) => {
    expect(tasksIn(plan(nodes, edges))).toEqual(expected);
  });

  test("a chain stands where its first node stands in the document (F-1)", () => {
    expect(
      tasksIn(plan(["out sink.table", "b source.rows", "u", "x sink.table", "a source.rows"], ["a>u", "u>out", "b>x"])),
    ).toEqual(["0 b → x", "1 a → u → out"]);
  });

  test("a route names the stage that its rows come from", () => {
    const result = plan(
      ["f source.file", "u", "x sink.table", "y sink.table", "z sink.table"],
      ["f>u", "f.bad>y", "u>x", "u>z"],
    );
    expect(tasksIn(result)).toEqual(["0 f → u", "1 x", "2 y", "3 z"]);
    expect(routesOf(result.tasks[0])).toEqual([
      "e2 0 bad forward 2:0-128",
      "e3 1 out forward 1:0-128",
      "e4 1 out forward 3:0-128",
    ]);
  });
});

describe("what a plan says", () => {
  test("stages carry the config with its defaults and the schema of every port", () => {
    const result = plan(["a source.rows", "c count 2", "out sink.table"], ["a>c shuffle id", "c>out"]);
    const count = result.tasks[1]?.stages[0];
    expect(count?.config).toEqual({ groupBy: ["id"], as: "count" });
    expect([String(count?.inputs["in"]), String(count?.outputs["out"])]).toEqual([
      "id int64, name utf8",
      "id int64, count int64 not null",
    ]);
    expect(result.edges.map((edge) => String(edge.schema))).toEqual([
      "id int64, name utf8",
      "id int64, name utf8",
      "id int64, count int64 not null",
      "id int64, count int64 not null",
    ]);
    expect(result.settings.hosts).toBe("auto");
  });

  test("the explanation counts tasks, edges and the least memory of rings", () => {
    const result = explainPlan(
      plan(["a source.rows 4", "u union 4", "c count 4", "out sink.table"], ["a>u", "u>c shuffle id", "c>out"]),
    );
    expect(result).toMatchObject({ taskCount: 9, edgeCount: 20, leastRingMiB: 1.25, chains: [["a", "u"]] });
    expect(result.edges.map(({ edge, kind, physical }) => [edge, kind, physical.length])).toEqual([
      ["e2", "shuffle", 16],
      ["e3", "forward", 4],
    ]);
    expect(result.groups.map(({ nodes, parallelism, tasks }) => [nodes.join(), parallelism, tasks.join()])).toEqual([
      ["a,u", 4, "0,1,2,3"],
      ["c", 4, "4,5,6,7"],
      ["out", 1, "8"],
    ]);
  });

  test("a graph with problems has no plan: the error names the first and counts the others", () => {
    const document = graph(["a source.rows", "s selct", "out sink.table"], ["a>s", "s>ou"]);
    const error = (() => {
      try {
        return planOf(document);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(WeirError);
    expect((error as WeirError).data).toMatchObject({
      code: "invalid-graph",
      node: "s",
      field: "kind",
      message: 'there is no kind "selct" (and 2 more)',
    });
  });
});

describe("the fingerprint holds everything that a move list depends on (D-51)", () => {
  const base = graph(["a source.rows", "c count 2", "out sink.table"], ["a>c shuffle id", "c>out"]);
  const print = (document: GraphDocument): string => planOf(document).fingerprint;
  const nodesWith = (index: number, change: object): GraphDocument["nodes"] =>
    base.nodes.map((node, at) => (at === index ? { ...node, ...change } : node));
  const [first, second] = base.edges;

  test("names, notes, places, annotations and hosts are no part of it", () => {
    const decorated: GraphDocument = {
      ...base,
      name: "other",
      nodes: nodesWith(0, { name: "A", notes: "n", ui: { x: 1, y: 2 } }),
      annotations: [{ id: "n", text: "t" }],
      settings: { ...base.settings, hosts: 2, ringBudgetMiB: 8, retainedCheckpoints: 1 },
    };
    expect(print(decorated)).toBe(print(base));
  });

  test.each<[string, GraphDocument, string[]]>([
    ["a config", { ...base, nodes: nodesWith(2, { config: { limit: 5 } }) }, ["the configuration of a node"]],
    [
      "an inline row",
      { ...base, nodes: nodesWith(0, { config: { schema, rows: [[1, "x"]] } }) },
      ["the configuration of a node"],
    ],
    [
      "a capacity",
      { ...base, edges: [{ ...first, capacity: 1 }, second] as GraphDocument["edges"] },
      ["the edges, their routes or capacities"],
    ],
    ["vnodes", { ...base, settings: { ...base.settings, vnodes: 64 } }, ["the edges, their routes or capacities"]],
    ["the barrier interval", { ...base, settings: { ...base.settings, barrierEveryMs: 7 } }, ["the settings"]],
    ["an attached file", { ...base, data: { x: { encoding: "text", content: "1" } } }, ["the attached files"]],
    [
      "parallelism",
      { ...base, nodes: nodesWith(1, { parallelism: 3 }) },
      ["the nodes, their columns or their parallelism", "the edges, their routes or capacities"],
    ],
    [
      "chaining",
      { ...base, settings: { ...base.settings, chaining: false }, nodes: nodesWith(1, { parallelism: 1 }) },
      ["the nodes, their columns or their parallelism", "the edges, their routes or capacities"],
    ],
  ])("%s changes it, and the difference is named", (_, changed, differences) => {
    expect(differencesBetween(print(base), print(changed))).toEqual(differences);
  });

  test("a fingerprint of other parts is of another version", () => {
    expect(differencesBetween(print(base), `${print(base)} more:1`)).toEqual(["the version of Weir"]);
  });
});
