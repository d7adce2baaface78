import { expect, test } from "vitest";
import { planned } from "../testing/planned.ts";
import { batchBytesOf } from "./batch-bytes.ts";

test("a usual batch is as many rows of the edge's columns, of a shuffle what one target gets of them", () => {
  const schema = [
    { name: "k", type: "int64" },
    { name: "text", type: "utf8" },
    { name: "yes", type: "boolean" },
  ];
  const nodes = [
    { id: "rows", kind: "source.rows", parallelism: 2, config: { schema, rows: [[1, "a", true]] } },
    { id: "some", kind: "filter", parallelism: 4, config: { expression: "yes" } },
    { id: "result", kind: "sink.blackhole", config: {} },
  ];
  const edges = [
    { id: "split", from: "rows", to: "some", route: { kind: "shuffle", columns: ["k"] } },
    { id: "whole", from: "some", to: "result" },
  ];
  const { plan } = planned({ format: "weir.graph/v1", nodes, edges });
  const bytes = batchBytesOf(plan);
  // An int64, a text, a bit, and the event time.
  const row = 8 + 20 + 1 / 8 + 8;
  const found = plan.edges.map(({ id, edge }) => `${edge} ${bytes(id)}`);
  expect(new Set(found)).toEqual(new Set([`split ${(8192 * row) / 4}`, `whole ${8192 * row}`]));
});
