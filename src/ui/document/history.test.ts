import { describe, expect, test } from "vitest";
import { fragmentOf, fragmentText, paste, readFragment } from "./clipboard.ts";
import { createDocumentStore, type DocumentStore } from "./document-store.ts";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, changeNode, connect, moveItems, newNode, removeItems } from "./graph-edits.ts";
import { HISTORY_LIMIT } from "./history.ts";
import { createSelectionStore, NOTHING } from "./selection.ts";

/** a → b → c, as an editor that was just opened has it. */
function chain(): DocumentStore {
  let graph = emptyGraph("chain");
  for (const [index, kind] of ["source.rows", "throttle", "sink.table"].entries()) {
    const node = newNode(graph, kind, { x: index * 250, y: 40 }, kind === "throttle" ? { rowsPerSecond: 5 } : {});
    graph = addNode(graph, { ...node, id: "abc"[index] as string });
  }
  graph = connect(graph, { node: "a", port: "out" }, { node: "b", port: "in" }, { kind: "forward" });
  graph = connect(graph, { node: "b", port: "out" }, { node: "c", port: "in" }, { kind: "rebalance" });
  return createDocumentStore("d", graph);
}

const graphOf = (store: DocumentStore): GraphDocument => store.getState().graph;
const ids = (store: DocumentStore): string[] => graphOf(store).nodes.map((node) => node.id);
const add = (store: DocumentStore, id: string) =>
  store.edit(`add ${id}`, (graph) => addNode(graph, { ...newNode(graph, "union", { x: 0, y: 0 }), id }));
const only = (...nodes: string[]) => ({ ...NOTHING, nodes: new Set(nodes) });

describe("undo by gesture (P-59)", () => {
  test("a fresh document has nothing to undo or redo", () => {
    const store = chain();
    const before = graphOf(store);
    store.undo();
    store.redo();
    expect(graphOf(store)).toBe(before);
    expect(store.getState().history).toEqual({ past: [], future: [] });
  });

  test("deleting a node takes its edges along, and one undo brings back the node, both edges, config and place", () => {
    const store = chain();
    const before = graphOf(store);
    store.edit("delete", (graph) => removeItems(graph, only("b")));
    expect(ids(store)).toEqual(["a", "c"]);
    expect(graphOf(store).edges).toEqual([]);
    store.undo();
    expect(graphOf(store)).toEqual(before);
    store.redo();
    expect(ids(store)).toEqual(["a", "c"]);
    expect(graphOf(store).edges).toEqual([]);
    store.undo();
    expect(graphOf(store)).toEqual(before);
  });

  test("pasting three nodes with their edges is one step", () => {
    const store = chain();
    const before = graphOf(store);
    const fragment = readFragment(fragmentText(fragmentOf(before, only("a", "b", "c"))));
    if (fragment === undefined) throw new Error("what was copied cannot be read");
    store.edit("paste", (graph) => paste(graph, fragment, { x: 20, y: 20 }).graph);
    expect(graphOf(store).nodes).toHaveLength(6);
    expect(graphOf(store).edges).toHaveLength(4);
    store.undo();
    expect(graphOf(store)).toEqual(before);
  });

  test("add A, add B, undo leaves A; redo gives B back", () => {
    const store = createDocumentStore("d", emptyGraph());
    add(store, "A");
    add(store, "B");
    store.undo();
    expect(ids(store)).toEqual(["A"]);
    store.redo();
    expect(ids(store)).toEqual(["A", "B"]);
  });

  test("sixty moves of one drag are one step, and nudges that follow each other are one", () => {
    const store = chain();
    const before = graphOf(store);
    for (let x = 1; x <= 60; x++) {
      store.edit("move", (graph) => moveItems(graph, new Map([["b", { x, y: 0 }]]), new Map()), "nudge:b");
    }
    expect(store.getState().history.past).toHaveLength(1);
    store.undo();
    expect(graphOf(store)).toEqual(before);
  });

  test("typing into a field is one step until the field is left", () => {
    const store = chain();
    const type = (text: string) => store.edit("rename", (graph) => changeNode(graph, "b", { name: text }), "name:b");
    for (const text of ["s", "sl", "slo", "slow"]) type(text);
    store.seal();
    for (const text of ["slow ", "slow f"]) type(text);
    store.undo();
    expect(graphOf(store).nodes[1]?.name).toBe("slow");
    store.undo();
    expect(graphOf(store).nodes[1]?.name).toBeUndefined();
  });

  test("an undo ends the gesture: what is typed afterwards is a new step", () => {
    const store = chain();
    const type = (text: string) => store.edit("rename", (graph) => changeNode(graph, "b", { name: text }), "name:b");
    type("one");
    store.seal();
    type("two");
    store.undo();
    type("three");
    store.undo();
    expect(graphOf(store).nodes[1]?.name).toBe("one");
  });

  test("a new edit empties redo, also at the start of the history", () => {
    const store = createDocumentStore("d", emptyGraph());
    add(store, "A");
    add(store, "B");
    store.undo();
    store.undo();
    expect(ids(store)).toEqual([]);
    add(store, "C");
    store.redo();
    expect(ids(store)).toEqual(["C"]);
    expect(store.getState().history.future).toEqual([]);
  });

  test("an edit that changes nothing is no step", () => {
    const store = chain();
    store.edit("move", (graph) => moveItems(graph, new Map([["b", { x: 250, y: 40 }]]), new Map()));
    store.edit("rename", (graph) => changeNode(graph, "b", { name: undefined }));
    store.edit("delete", (graph) => removeItems(graph, NOTHING));
    expect(store.getState().history.past).toEqual([]);
  });

  test("selection is no part of the history, and forgets what is gone", () => {
    const store = chain();
    const selection = createSelectionStore();
    selection.select({ nodes: new Set(["a", "b"]) });
    expect(store.getState().history.past).toEqual([]);
    store.edit("delete", (graph) => removeItems(graph, only("b")));
    selection.prune(graphOf(store));
    expect([...selection.getState().nodes]).toEqual(["a"]);
  });

  test("loading another document forgets the history of the last one", () => {
    const store = chain();
    add(store, "d");
    store.load("other", emptyGraph("other"));
    store.undo();
    expect(graphOf(store).name).toBe("other");
    expect(ids(store)).toEqual([]);
  });

  test("a read-only document refuses edits, undo and redo", () => {
    const store = chain();
    add(store, "d");
    store.setReadOnly(true);
    expect(add(store, "e")).toBe(false);
    store.undo();
    expect(ids(store)).toEqual(["a", "b", "c", "d"]);
  });

  test("the history is bounded", () => {
    const store = chain();
    for (let n = 0; n < HISTORY_LIMIT + 10; n++) add(store, `n${n}`);
    expect(store.getState().history.past).toHaveLength(HISTORY_LIMIT);
  });
});
