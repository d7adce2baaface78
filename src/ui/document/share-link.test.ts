import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, newNode } from "./graph-edits.ts";
import { readGraph } from "./read-graph.ts";
import { isShareHash, LINK_LIMIT, shareLink, textOfShareHash, UNFOLDED_LIMIT } from "./share-link.ts";

const graph: GraphDocument = addNode(
  { ...emptyGraph("Größe ≥ 1"), data: { "a.csv": { encoding: "text", content: "x\n1\n" } } },
  newNode(
    emptyGraph(),
    "source.rows",
    { x: 10, y: 20 },
    { rows: [[9007199254740993n]], schema: [{ name: "n", type: "int64" }] },
  ),
);

const inLink = (bytes: Uint8Array) => `#graph=1.${Buffer.from(bytes).toString("base64url")}`;

describe("a shared link", () => {
  test("holds the whole graph, its data and every digit (P-02)", () => {
    const { hash, leftOut } = shareLink(graph);
    expect(isShareHash(hash)).toBe(true);
    expect(hash).toMatch(/^#graph=1\.[\w-]+$/);
    expect(leftOut).toEqual([]);
    const read = readGraph(textOfShareHash(hash));
    if (read.kind !== "graph") throw new Error("the link is refused");
    expect(read.graph).toEqual(graph);
    expect(read.graph.nodes[0]?.config["rows"]).toEqual([[9007199254740993n]]);
  });

  test("leaves out data that would make it too long, and says which", () => {
    const noise = Array.from({ length: 20_000 }, (_, n) => Math.imul(n, 2_654_435_761).toString(36)).join("\n");
    const large: GraphDocument = { ...graph, data: { "a.csv": { encoding: "text", content: noise } } };
    const { hash, leftOut } = shareLink(large);
    expect(leftOut).toEqual(["a.csv"]);
    expect(hash.length).toBeLessThan(LINK_LIMIT);
    const read = readGraph(textOfShareHash(hash));
    expect(read.kind === "graph" && read.graph.data).toBeUndefined();
  });

  test.each([
    ["cut off", shareLink(graph).hash.slice(0, -20)],
    ["with a foreign character", `${shareLink(graph).hash}!`],
    ["with nothing in it", "#graph=1."],
    ["of a later version", "#graph=2.abcd"],
  ])("%s says that it is wrong", (_, hash) => {
    expect(() => textOfShareHash(hash)).toThrow(/link/);
  });

  test("that unfolds without end is stopped at a limit", () => {
    const bomb = deflateSync(new Uint8Array(UNFOLDED_LIMIT + 1_000_000));
    expect(bomb.length).toBeLessThan(60_000);
    expect(() => textOfShareHash(inLink(bomb))).toThrow("more than a graph can be");
  });
});
