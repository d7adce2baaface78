import { expect, test } from "vitest";
import { planned } from "../testing/planned.ts";
import { taskName } from "./coordinator-spec.ts";
import { hostDied } from "./host-died.ts";

test("a dead worker and its tasks are told by the names that the person gave, and a move list does not depend on them (D-51)", () => {
  const graph = (name?: string) => ({
    format: "weir.graph/v1",
    settings: { chaining: false },
    nodes: [
      { id: "n1", name, kind: "source.rows", config: { schema: [{ name: "n", type: "int64" }], rows: [[1]] } },
      { id: "table", kind: "sink.table" },
    ],
    edges: [{ id: "e", from: "n1", to: "table" }],
  });
  const { plan } = planned(graph("Orders of today"));
  expect(
    hostDied(
      plan,
      [plan.tasks[0]?.id, plan.tasks[1]?.id].filter((id) => id !== undefined),
      "it was ended",
    ),
  ).toMatchObject({
    node: "n1",
    message: "the worker that ran Orders of today · 0, table · 0 died: it was ended",
  });
  expect(plan.tasks.map(taskName)).toEqual(["Orders of today · 0", "table · 0"]);
  expect(plan.fingerprint).toBe(planned(graph()).plan.fingerprint);
});
