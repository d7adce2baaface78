import { describe, expect, test } from "vitest";
import { createAnalysisStore } from "../document/analysis.ts";
import { fragmentOf } from "../document/clipboard.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { emptyGraph } from "../document/graph.ts";
import { createSelectionStore } from "../document/selection.ts";
import { cardRoom } from "./card-room.ts";
import { Editor } from "./editor.ts";

function setUp() {
  const document = createDocumentStore("d", emptyGraph());
  const analysis = createAnalysisStore(document);
  const selection = createSelectionStore();
  const refusals: string[] = [];
  const editor = new Editor({ document, analysis, selection, refuse: (reason) => void refusals.push(reason) });
  const edges = () => document.getState().graph.edges.map((edge) => `${edge.from.node} → ${edge.to.node}`);
  const steps = () => document.getState().history.past.length;
  return { document, selection, editor, refusals, edges, steps };
}

describe("adding nodes", () => {
  test("one after the other makes a pipeline: each goes on from the one that was added before", () => {
    const { editor, edges, steps, selection } = setUp();
    for (const kind of ["source.generator", "throttle", "sink.table"]) editor.add(kind);
    expect(edges()).toEqual(["generator → throttle", "throttle → table-out"]);
    expect(steps()).toBe(3);
    expect([...selection.getState().nodes]).toEqual(["table-out"]);
  });

  test("a note is put where no card lies", () => {
    const { editor, document } = setUp();
    editor.add("union");
    editor.addNote();
    const { nodes, annotations } = document.getState().graph;
    const below = (nodes[0]?.ui?.y ?? 0) + cardRoom({ kind: "union", parallelism: 1 });
    expect(annotations?.[0]?.ui?.y).toBeGreaterThanOrEqual(below);
  });

  test("a source is not joined to what is selected, nor anything to a sink", () => {
    const { editor, edges } = setUp();
    editor.add("sink.table");
    editor.add("throttle");
    editor.add("source.generator");
    expect(edges()).toEqual([]);
  });

  test("a node that is put somewhere is not joined to what happens to be selected", () => {
    const { editor, edges } = setUp();
    editor.add("source.generator");
    editor.add("throttle", { at: { x: 400, y: 300 } });
    expect(edges()).toEqual([]);
  });

  test("new nodes do not cover each other, nor will in a run", () => {
    const { editor, selection, document } = setUp();
    for (let n = 0; n < 4; n++) {
      selection.clear();
      editor.add("union");
    }
    const places = document.getState().graph.nodes.map((node) => node.ui?.y ?? 0);
    const gaps = places.slice(1).map((y, index) => y - (places[index] ?? 0));
    // As much as a card with one task, its watermark and its chain takes in a run.
    expect(gaps.every((gap) => gap >= cardRoom({ kind: "union", parallelism: 1 }))).toBe(true);
  });

  test("into an edge: one step, route kept; where the engine refuses, the node stands beside it", () => {
    const { editor, edges, steps, document } = setUp();
    for (const kind of ["source.generator", "sink.table"]) editor.add(kind);
    editor.add("throttle", { at: { x: 0, y: 0 }, onEdge: "generator-table-out" });
    expect(edges()).toEqual(["throttle → table-out", "generator → throttle"]);
    expect(steps()).toBe(3);
    editor.add("sink.log", { at: { x: 0, y: 0 }, onEdge: "generator-throttle" });
    expect(edges()).toHaveLength(2);
    document.undo();
    document.undo();
    expect(edges()).toEqual(["generator → table-out"]);
  });
});

describe("the other gestures", () => {
  test("a connection that cannot be says why and changes nothing", () => {
    const { editor, refusals, steps } = setUp();
    editor.add("union");
    expect(editor.connect({ node: "union", port: "out" }, { node: "union", port: "in" })).toBe(false);
    expect(refusals[0]).toContain("feeds itself");
    expect(steps()).toBe(1);
  });

  test("nudges of one selection are one step; of another they are another", () => {
    const { editor, selection, steps, document } = setUp();
    editor.add("union");
    selection.clear();
    editor.add("throttle");
    for (let n = 0; n < 5; n++) editor.nudge(10, 0);
    expect(steps()).toBe(3);
    selection.select({ nodes: new Set(["union"]) });
    editor.nudge(0, 10);
    expect(steps()).toBe(4);
    document.undo();
    document.undo();
    expect(steps()).toBe(2);
  });

  test("pasting again goes a step further", () => {
    const { editor, selection, document } = setUp();
    editor.add("union");
    const fragment = fragmentOf(editor.graph, selection.getState());
    editor.paste(fragment);
    editor.paste(fragment);
    const [first, second, third] = document.getState().graph.nodes.map((node) => node.ui?.x ?? 0);
    expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (first ?? 0)]).toEqual([30, 60]);
  });

  test("a name that is the id, or none, is no name", () => {
    const { editor, document, steps } = setUp();
    editor.add("union");
    editor.rename("union", " Merged ");
    expect(document.getState().graph.nodes[0]?.name).toBe("Merged");
    editor.rename("union", "");
    expect(document.getState().graph.nodes[0]).not.toHaveProperty("name");
    editor.rename("union", "union");
    expect(steps()).toBe(3);
  });

  test("nothing happens to a read-only document", () => {
    const { editor, document, selection } = setUp();
    editor.add("union");
    const before = document.getState().graph;
    document.setReadOnly(true);
    editor.add("throttle");
    editor.addNote();
    editor.duplicate();
    editor.deleteSelected();
    editor.nudge(10, 10);
    expect(document.getState().graph).toBe(before);
    expect([...selection.getState().nodes]).toEqual(["union"]);
  });
});
