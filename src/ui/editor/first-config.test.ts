import { expect, test } from "vitest";
import { KINDS, validate } from "../../engine/index.ts";
import { emptyGraph } from "../document/graph.ts";
import { addNode, newNode } from "../document/graph-edits.ts";
import { firstConfig } from "./first-config.ts";

const started = KINDS.filter((spec) => Object.keys(firstConfig(spec.kind)).length > 0);

test.each(started.map((spec) => spec.kind))("a new %s has nothing wrong in its configuration", (kind) => {
  const graph = addNode(emptyGraph(), newNode(emptyGraph(), kind, { x: 0, y: 0 }, firstConfig(kind)));
  expect(validate(graph).filter((problem) => problem.field?.startsWith("config"))).toEqual([]);
});
