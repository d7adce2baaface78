import { describe, expect, it } from "vitest";
import type { EngineEvent, NodeId, PackedBatch } from "../engine/index.ts";
import { RowsOutbox } from "./rows-outbox.ts";

const batch = (rowCount: number): PackedBatch => ({ fields: [], rowCount, columns: [], eventTimes: null });
const node = (name: string) => name as NodeId;

/** A page that takes an event when it is told to. */
function slowPage() {
  const told: EngineEvent[] = [];
  const taken: (() => void)[] = [];
  const tell = (event: EngineEvent) => {
    told.push(event);
    return new Promise<void>((resolve) => taken.push(resolve));
  };
  const sizes = () => told.map((event) => (event.kind === "rows" ? event.batches.map(({ rowCount }) => rowCount) : []));
  return { tell, sizes, take: () => taken.shift()?.() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("rows on their way to the page", () => {
  it("go at once when the page is free, and gather into one message while it is busy", async () => {
    const page = slowPage();
    const outbox = new RowsOutbox(page.tell);
    for (const rows of [1, 2, 3]) expect(outbox.add(node("a"), batch(rows))).toBeUndefined();
    expect(page.sizes()).toEqual([[1]]);
    page.take();
    await turn();
    expect(page.sizes()).toEqual([[1], [2, 3]]);
  });

  it("keep their order for each sink when they are flushed while the page is busy", async () => {
    const page = slowPage();
    const outbox = new RowsOutbox(page.tell);
    void outbox.add(node("a"), batch(1));
    void outbox.add(node("b"), batch(2));
    void outbox.add(node("a"), batch(3));
    void outbox.flush();
    expect(page.sizes()).toEqual([[1], [2], [3]]);
  });

  it("make whoever brings more wait once very many are under way", async () => {
    const page = slowPage();
    const outbox = new RowsOutbox(page.tell);
    void outbox.add(node("a"), batch(1));
    const wait = outbox.add(node("a"), batch(100_000));
    expect(wait).toBeDefined();
    page.take();
    await wait;
    expect(page.sizes()).toEqual([[1], [100_000]]);
  });
});
