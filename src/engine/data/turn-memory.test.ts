import { beforeAll, describe, expect, it } from "vitest";
import type { Room } from "./storage.ts";
import { TurnMemory } from "./turn-memory.ts";
import { enableKernels } from "./wasm/kernel-heap.ts";

/** Each chunk a buffer of its own: without kernels. */
beforeAll(() => enableKernels(Number.POSITIVE_INFINITY));

const MIB = 1 << 20;
/** The largest room within a chunk. */
const CHUNK = MIB - 1024;

/** Fills a room with a number. */
const filled = (room: Room, length: number, value: number) => room.bytes(length).fill(value);

describe("memory of a turn", () => {
  it("gives rooms that do not overlap until it is settled, and then the same memory again", () => {
    const memory = new TurnMemory();
    const lengths = [1, 100, 64, CHUNK, CHUNK - 1, 300_000, 900_000, 7];
    const views = lengths.map((length, i) => filled(memory.room(length), length, i + 1));
    views.forEach((view, i) => {
      expect(view.every((byte) => byte === i + 1)).toBe(true);
    });
    memory.settled();
    const again = memory.room(1).bytes(1);
    expect([again.buffer === views[0]?.buffer, again.byteOffset]).toEqual([true, views[0]?.byteOffset]);
  });

  it("gives private memory for what is larger than a chunk, and for what goes beyond a few chunks", () => {
    const memory = new TurnMemory();
    expect(memory.room(CHUNK + 1).bytes(1).buffer.byteLength).toBe(CHUNK + 1);
    const buffers = new Set(Array.from({ length: 8 }, () => memory.room(CHUNK).bytes(1).buffer));
    expect(buffers.size).toBe(8);
    expect(memory.room(5).bytes(5).buffer.byteLength).toBe(5);
  });

  it("gives zeros where zeros are asked for, whatever was there", () => {
    const memory = new TurnMemory();
    filled(memory.room(64), 64, 255);
    memory.settled();
    expect([...memory.room(16).zeros(9)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
