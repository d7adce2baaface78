import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cargo, RingBook } from "./ring-book.ts";

const BYTES = 4096;
const SLOTS = 32;
const CAPACITY = 4;

interface Queued {
  readonly cargo: Cargo;
  readonly from: number;
  readonly to: number;
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    cargo: fc.constantFrom<Cargo>("data", "dictionary"),
    size: fc.integer({ min: 1, max: BYTES }),
  }),
  fc.record({ kind: fc.constant("put" as const), cargo: fc.constant<Cargo>("control"), size: fc.constant(0) }),
  fc.record({ kind: fc.constant("take" as const), count: fc.integer({ min: 1, max: 5 }) }),
);

describe("ring book", () => {
  it("payloads lie inside the ring, on lines, and never on one another, also when the count wraps", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.constantFrom(0, -7), (steps, start) => {
        const book = new RingBook(CAPACITY, SLOTS, BYTES, start);
        const queue: Queued[] = [];
        let taken: number = start;
        for (const next of steps) {
          if (next.kind === "take") {
            const gone = queue.splice(0, next.count).length;
            taken = (taken + gone) | 0;
            book.settle(taken);
            continue;
          }
          if (!book.fits(next.cargo, next.size)) continue;
          const from = book.place(next.size);
          book.put(next.cargo, next.size);
          const to = from + next.size;
          expect([from % 64, to <= BYTES]).toEqual([0, true]);
          if (next.size > 0) for (const other of queue) expect(other.to <= from || to <= other.from).toBe(true);
          queue.push({ cargo: next.cargo, from: next.size > 0 ? from : BYTES, to });
          expect(queue.filter(({ cargo }) => cargo === "data").length).toBeLessThanOrEqual(CAPACITY);
          expect(queue.length).toBeLessThanOrEqual(SLOTS);
        }
        expect((book.sent - taken) | 0).toBe(queue.length);
      }),
    );
  });

  it("what has no room has it from the forecast count on, and not before", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: BYTES }), (steps, size) => {
        const book = new RingBook(CAPACITY, SLOTS, BYTES, 0);
        for (const next of steps)
          if (next.kind === "put" && book.fits(next.cargo, next.size)) book.put(next.cargo, next.size);
        if (book.fits("data", size)) return;
        const { roomAt, wakeAt } = book.forecast("data", size);
        expect(wakeAt).toBeGreaterThanOrEqual(roomAt);
        expect(wakeAt).toBeLessThanOrEqual(book.sent);
        for (let taken = 1; taken <= book.sent; taken++) {
          book.settle(taken);
          if (taken === roomAt) expect(book.fits("data", size)).toBe(true);
          if (taken < roomAt) expect(book.fits("data", size)).toBe(false);
        }
      }),
    );
  });

  it("an empty ring takes a payload as large as itself, wherever the last one ended", () => {
    const book = new RingBook(CAPACITY, SLOTS, BYTES, 0);
    book.put("data", 1000);
    expect(book.fits("data", BYTES)).toBe(false);
    book.settle(1);
    expect([book.fits("data", BYTES), book.fits("data", BYTES + 1), book.place(BYTES)]).toEqual([true, false, 0]);
  });
});
