import { expect, test } from "vitest";
import { emptyGraph } from "../document/graph.ts";
import { addNode, addNote, newNode } from "../document/graph-edits.ts";
import { isAbout } from "./example-search.ts";

test("a graph is found by its name, its notes and the kinds in it, by all of the words", () => {
  const place = { x: 0, y: 0 };
  const empty = emptyGraph("Gate screens");
  const graph = addNote(addNode(empty, newNode(empty, "join.interval", place)), place, "Late rows correct").graph;
  for (const words of ["", "  ", "gate", "LATE", "interval join", "screens late join"])
    expect(isAbout(graph, words)).toBe(true);
  for (const words of ["rank", "gate rank"]) expect(isAbout(graph, words)).toBe(false);
});
