import { expect, test } from "vitest";
import { emptyGraph } from "../document/graph.ts";
import { newNode } from "../document/graph-edits.ts";
import { nodeSummary } from "./node-summary.ts";

test("a card says the window that its node has, also where the document leaves it to the default", () => {
  const node = { ...newNode(emptyGraph(), "window", { x: 0, y: 0 }), name: "Per minute" };
  expect(nodeSummary(node)).toBe("window · tumbling 1 min");
  const sliding = { kind: "sliding", sizeMs: 10_000, slideMs: 2500 };
  expect(nodeSummary({ ...node, parallelism: 2, config: { window: sliding } })).toBe(
    "window · sliding 10 s / 2.5 s · ×2",
  );
});

test("a card does not say its kind twice, unless there is nothing else to say", () => {
  const derive = newNode(emptyGraph(), "derive", { x: 0, y: 0 });
  expect(nodeSummary(derive)).toBe("derive");
  const columns = [{ name: "gross", expression: "net * 1.19" }, {}, null, { name: "tax", expression: "net * 0.19" }];
  expect(nodeSummary({ ...derive, config: { columns } })).toBe("gross, tax");
  expect(nodeSummary({ ...derive, name: "Prices", config: { columns } })).toBe("derive · gross, tax");
  expect(nodeSummary({ ...newNode(emptyGraph(), "union", { x: 0, y: 0 }), parallelism: 2 })).toBe("union · ×2");
});
