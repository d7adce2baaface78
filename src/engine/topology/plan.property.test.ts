import fc from "fast-check";
import { expect, test } from "vitest";
import type { GraphDocument } from "./graph-document.ts";
import { documentOf } from "./parse-document.ts";
import type { Plan } from "./physical-plan.ts";
import { planOf } from "./plan.ts";
import { validate } from "./validate.ts";

/** What a random node is made of: `feeds` picks earlier nodes, `route` a legal route of each edge. */
const nodeShape = fc.record({
  kind: fc.constantFrom("source", "union", "throttle", "count"),
  parallelism: fc.integer({ min: 1, max: 4 }),
  feeds: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 }),
  routes: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  capacity: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined }),
});

const columns = { schema: [{ name: "id", type: "int64" }] };
const configs = new Map<string, object>([
  ["source", columns],
  ["union", {}],
  ["throttle", { rowsPerSecond: 1 }],
  ["count", { groupBy: ["id"] }],
]);

function routeFor(kind: string, from: number, to: number, pick: number): object | undefined {
  if (kind === "count") return { kind: "shuffle", columns: pick % 2 === 0 ? ["id"] : [] };
  const routes: (object | undefined)[] = [
    { kind: "shuffle", columns: ["id"] },
    { kind: "broadcast" },
    { kind: "rebalance" },
    ...(from === to || to === 1 ? [{ kind: "forward" }, undefined] : []),
  ];
  return routes[pick % routes.length];
}

/** A valid document out of any shapes: edges lead forwards, every loose end gets a sink, node order is shuffled. */
const documents = fc
  .record({
    shapes: fc.array(nodeShape, { minLength: 1, maxLength: 10 }),
    order: fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
    chaining: fc.boolean(),
    edgeCapacity: fc.integer({ min: 1, max: 16 }),
  })
  .map(({ shapes, order, chaining, edgeCapacity }): GraphDocument => {
    const nodes = shapes.map(({ kind, parallelism }, index) => {
      const real = index === 0 ? "source" : kind;
      return {
        id: `n${index}`,
        kind: real === "source" ? "source.rows" : real,
        parallelism,
        config: configs.get(real) ?? {},
      };
    });
    const feeders: number[] = [];
    const edges: { id: string; from: string; to: string; route?: object | undefined; capacity?: number | undefined }[] =
      [];
    shapes.forEach((shape, index) => {
      const node = nodes[index];
      if (node !== undefined && node.kind !== "source.rows") {
        for (const from of new Set(shape.feeds.map((pick) => feeders[pick % feeders.length] as number))) {
          const parallelism = nodes[from]?.parallelism ?? 1;
          const route = routeFor(node.kind, parallelism, node.parallelism, shape.routes[edges.length % 3] ?? 0);
          edges.push({ id: `e${edges.length}`, from: `n${from}`, to: node.id, route, capacity: shape.capacity });
        }
      }
      // The columns of a count are its own: it leads to a sink only.
      if (node?.kind !== "count") feeders.push(index);
    });
    for (const { id, parallelism } of [...nodes]) {
      if (edges.some((edge) => edge.from === id)) continue;
      nodes.push({ id: `${id}-sink`, kind: "sink.table", parallelism, config: {} });
      edges.push({ id: `e${edges.length}`, from: id, to: `${id}-sink` });
    }
    const sorted = nodes.map((node, index) => ({ node, at: order[index] ?? 0 })).sort((a, b) => a.at - b.at);
    const parsed = documentOf({
      format: "weir.graph/v1",
      settings: { chaining, edgeCapacity },
      nodes: sorted.map(({ node }) => node),
      edges: edges.map((edge) => Object.fromEntries(Object.entries(edge).filter(([, value]) => value !== undefined))),
    });
    if (parsed.kind === "problems") throw new Error(JSON.stringify(parsed.problems));
    return parsed.document;
  });

function checkPlan(document: GraphDocument, plan: Plan): void {
  const { tasks, edges } = plan;
  expect(tasks.map(({ id }) => Number(id))).toEqual(tasks.map((_, index) => index));
  expect(edges.map(({ id }) => Number(id))).toEqual(edges.map((_, index) => index));

  const written = tasks.flatMap((task) =>
    task.routes.flatMap(({ targets }) => targets.map((target) => ({ target, task: task.id }))),
  );
  expect(written.map(({ target }) => Number(target.edge))).toEqual(edges.map((_, index) => index));
  for (const { target, task } of written)
    expect(edges[target.edge]).toMatchObject({ from: { task }, to: { task: target.task } });

  const read = tasks.flatMap((task) => task.inEdges.map((edge) => ({ edge, task: task.id })));
  expect(new Set(read.map(({ edge }) => edge)).size).toBe(edges.length);
  for (const { edge, task } of read) expect(edges[edge]?.to.task).toBe(task);
  for (const { inEdges } of tasks) expect(inEdges).toEqual(inEdges.toSorted((a, b) => a - b));

  const placed = tasks
    .filter(({ subtask }) => subtask === 0)
    .flatMap(({ stages }) => stages.map(({ node }) => String(node)));
  expect(placed.toSorted()).toEqual(document.nodes.map(({ id }) => id).toSorted());
  for (const { stages } of tasks) {
    const roles = stages.map(({ role }) => role).join(" ");
    expect(roles).toMatch(/^(source)?( ?operator)*( ?sink)?$/);
    if (!document.settings.chaining) expect(stages).toHaveLength(1);
  }
  for (const { kind, targets } of tasks.flatMap(({ routes }) => routes)) {
    const ranges = targets.map(({ vnodes }) => vnodes);
    if (kind === "shuffle") {
      expect(ranges.map(([from]) => from)).toEqual([0, ...ranges.slice(0, -1).map(([, to]) => to)]);
      expect(ranges.at(-1)?.[1]).toBe(document.settings.vnodes);
    } else expect(ranges).toEqual(targets.map(() => [0, document.settings.vnodes]));
  }
}

/** For a machine that does much else at the same time. */
const DEADLINE_MS = 180_000;

test(
  "every valid document has a plan: dense ids, and each edge one writer and one reader (F-1, F-4, F-77)",
  () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(validate(document)).toEqual([]);
        checkPlan(document, planOf(document));
      }),
      { numRuns: 300 },
    );
  },
  DEADLINE_MS,
);

test(
  "the plan depends on the document alone, not on what was planned before",
  () => {
    fc.assert(
      fc.property(documents, documents, (a, b) => {
        const first = planOf(a);
        planOf(b);
        expect(planOf(structuredClone(a))).toEqual(first);
      }),
      { numRuns: 100 },
    );
  },
  DEADLINE_MS,
);

test(
  "whatever is broken in a document, validation tells it and does not throw",
  () => {
    const breaks = fc.array(
      fc.record({
        list: fc.constantFrom("nodes", "edges"),
        at: fc.nat(),
        key: fc.constantFrom("id", "kind", "parallelism", "config", "from", "to", "route"),
        value: fc.jsonValue(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(documents, breaks, (document, changes) => {
        const value = structuredClone<Record<string, unknown>>({ ...document });
        for (const { list, at, key, value: wrong } of changes) {
          const elements = value[list] as Record<string, unknown>[];
          const element = elements[at % Math.max(elements.length, 1)];
          if (element !== undefined) element[key] = wrong;
        }
        const parsed = documentOf(value);
        if (parsed.kind === "document") validate(parsed.document);
        else if (parsed.rest !== undefined) validate(parsed.rest.document, { malformed: parsed.rest.malformed });
      }),
      { numRuns: 500 },
    );
  },
  DEADLINE_MS,
);
