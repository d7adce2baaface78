import { describe, expect, it } from "vitest";
import type { Batch } from "../data/batch.ts";
import { type EdgeFactory, edgeContractCases } from "../testing/edge-contract.ts";
import { MemoryEdge } from "./memory-edge.ts";

const options = { rowsOf: (batch: Batch) => batch.rowCount, bytesOf: (batch: Batch) => batch.rowCount };
const make: EdgeFactory = ({ capacity }) => new MemoryEdge<Batch>({ capacity, ...options });

describe("memory edge", () => {
  for (const { name, run } of edgeContractCases) it(name, () => run(make));

  it("shows its messages without taking them", () => {
    const edge = new MemoryEdge<string>({ capacity: 2 });
    edge.writer.trySend({ kind: "data", batch: "a" });
    expect(edge.contents()).toEqual([{ kind: "data", batch: "a" }]);
    expect(edge.contents()).toEqual([{ kind: "data", batch: "a" }]);
  });
});
