import { describe, expect, it } from "vitest";
import type { Batch } from "../data/batch.ts";
import { barrier, data, type EdgeFactory, edgeContractCases, fill, takeAll } from "../testing/edge-contract.ts";
import { textBatch } from "../testing/sample-batches.ts";
import { MemoryEdge } from "./memory-edge.ts";

const options = { rowsOf: (batch: Batch) => batch.rowCount, bytesOf: (batch: Batch) => batch.rowCount };
const make: EdgeFactory = ({ capacity }) => new MemoryEdge<Batch>({ capacity, ...options });

describe("memory edge", () => {
  for (const { name, run } of edgeContractCases) it(name, () => run(make));

  it("D-50: goes back to a keyframe as often as wanted, and works on from there", () => {
    const edge = new MemoryEdge<Batch>({ capacity: 3, ...options });
    const first = data(textBatch(["a", "b"]));
    edge.writer.trySend(first);
    edge.writer.trySend(barrier(1));
    const keyframe = edge.snapshot();
    for (let round = 0; round < 2; round++) {
      takeAll(edge.reader);
      edge.writer.close();
      edge.reader.close();
      edge.restore(keyframe);
      expect(edge.contents()).toEqual([first, barrier(1)]);
      expect(edge.snapshot()).toEqual(keyframe);
      expect([edge.view.dataQueued, edge.view.queued, edge.view.bytesQueued, edge.view.rowsSent]).toEqual([1, 2, 2, 2]);
      expect(fill(edge.writer, first)).toBe(2);
      expect(edge.reader.exhausted).toBe(false);
    }
  });

  it("shows its messages without taking them", () => {
    const edge = new MemoryEdge<string>({ capacity: 2 });
    edge.writer.trySend({ kind: "data", batch: "a" });
    expect(edge.contents()).toEqual([{ kind: "data", batch: "a" }]);
    expect(edge.contents()).toEqual([{ kind: "data", batch: "a" }]);
  });
});
