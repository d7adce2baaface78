import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnOfModel } from "../testing/arbitrary-batches.ts";
import { batchRows } from "../testing/batch-values.ts";
import { Batch } from "./batch.ts";
import { BytesInterner } from "./bytes-interner.ts";
import type { VarColumn } from "./column.ts";
import { sliceColumn } from "./kernels/slice.ts";
import { Schema } from "./schema.ts";
import { typeOf } from "./types.ts";
import { KernelHeap } from "./wasm/kernel-heap.ts";

const UTF8 = typeOf("utf8");
const SCHEMA = new Schema([{ name: "word", type: UTF8, nullable: false }]);

function heap(): KernelHeap {
  const made = KernelHeap.create();
  if (made === undefined) throw new Error("Node has WebAssembly");
  return made;
}

const wordsOf = (interner: BytesInterner) => {
  const words = interner.words(UTF8);
  return batchRows(new Batch(SCHEMA, words.length, [words])).map(([word]) => word);
};

/** Columns of words that repeat, also of ones with a common beginning, longer than a machine word, or empty. */
const columns = fc.array(
  fc.record({
    words: fc.array(
      fc.oneof(
        fc.nat(300).map((n) => `key ${n}`),
        fc.constantFrom("", "a", "\0", "a\0", "12345678", "123456789", "é".repeat(9)),
        // Around what a slot has of a word, and beyond what is hashed four at a time.
        fc
          .tuple(fc.constantFrom(15, 16, 17, 31, 32, 33, 70), fc.nat(3))
          .map(([most, n]) => `${"x".repeat(most - 1)}${n}`),
        fc.string({ unit: "grapheme", maxLength: 30 }),
      ),
      { minLength: 1, maxLength: 160 },
    ),
    from: fc.nat(5),
    grow: fc.boolean(),
    /** Whether the words get their numbers in the order of their text after that. */
    sorts: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe("numbers for words", () => {
  it("are those of a map from words to the order of their first coming, by kernels as by their TypeScript twin", () => {
    const kernels = heap();
    fc.assert(
      fc.property(columns, (steps) => {
        const twin = new BytesInterner();
        const byKernel = new BytesInterner(() => kernels);
        const model = new Map<string, number>();
        for (const { words, from, grow, sorts } of steps) {
          const whole = columnOfModel(UTF8, words) as VarColumn;
          const start = Math.min(from, words.length);
          const column = sliceColumn(whole, start, words.length) as VarColumn;
          const expected = words.slice(start).map((word) => {
            if (grow && !model.has(word)) model.set(word, model.size);
            return model.get(word) ?? -1;
          });
          for (const interner of [twin, byKernel]) {
            const out = new Int32Array(column.length);
            interner.numbers(column, column.length, grow, out);
            expect([...out]).toEqual(expected);
          }
          if (!sorts) continue;
          const known = [...model];
          const order = Int32Array.from(known.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, number]) => number));
          model.clear();
          for (const [word] of known) model.set(word, model.size);
          for (const interner of [twin, byKernel]) interner.renumber(order);
        }
        expect(wordsOf(twin)).toEqual([...model.keys()]);
        expect(wordsOf(byKernel)).toEqual([...model.keys()]);
        byKernel.release();
      }),
    );
  });

  it("stay the same while the table grows to thousands of words, and a number for NULL is no word's", () => {
    for (const interner of [new BytesInterner(), new BytesInterner(heap)]) {
      const words = Array.from({ length: 5000 }, (_, i) => `${i} ${"x".repeat(i % 23)}`);
      const column = columnOfModel(UTF8, words) as VarColumn;
      const out = new Int32Array(words.length);
      interner.numbers(column, 2500, true, out);
      expect(interner.addHole()).toBe(2500);
      interner.numbers(column, 5000, true, out);
      expect([...out]).toEqual(words.map((_, i) => (i < 2500 ? i : i + 1)));
      expect([interner.find(column.bytes, 0, 2), interner.intern(column.bytes, 0, 2)]).toEqual([0, 0]);
      expect(interner.size).toBe(5001);
    }
  });
});

it("a heap gives what was released again, and nothing twice", () => {
  const made = heap();
  const first = made.words(1000);
  const second = made.bytes(4000);
  expect(first.byteOffset + first.byteLength <= second.byteOffset).toBe(true);
  made.release(first);
  expect(made.words(900).byteOffset).toBe(first.byteOffset);
  expect(made.words(1000).byteOffset).toBeGreaterThan(second.byteOffset);
  const wide = made.bytes(3 << 20);
  made.release(wide);
  const halves = [made.bytes(3 << 19), made.bytes(3 << 19)];
  expect(halves.map(({ byteOffset }) => byteOffset - wide.byteOffset)).toEqual([0, 1 << 21]);
  const large = made.bytes(3 << 20);
  large[large.length - 1] = 7;
  expect([large.length, large.at(-1)]).toEqual([3 << 20, 7]);
});
