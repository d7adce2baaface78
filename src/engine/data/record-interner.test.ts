import fc from "fast-check";
import { expect, test } from "vitest";
import { RecordInterner } from "./record-interner.ts";

const WIDTH = 3;
const record = fc.tuple(fc.constantFrom(0, -1, 1), fc.integer({ min: -2, max: 2 }), fc.constantFrom(7, 2 ** 31 - 1));
const batches = fc.array(fc.array(record, { maxLength: 80 }), { maxLength: 6 });

type Record = readonly number[];

function numbersOf(interner: RecordInterner, records: readonly Record[], grow: boolean): number[] {
  const out = new Int32Array(records.length);
  interner.numbers(Int32Array.from(records.flat()), records.length, grow, out);
  return [...out];
}

const recordAt = ({ values }: RecordInterner, number: number): string =>
  values.subarray(WIDTH * number, WIDTH * (number + 1)).join();

test("records are numbered in order of appearance, as by a Map, and stand at their numbers", () => {
  fc.assert(
    fc.property(batches, (given) => {
      const interner = new RecordInterner(WIDTH);
      const known = new Map<string, number>();
      for (const records of given) {
        const found = records.map((each) => known.get(each.join()) ?? -1);
        expect(numbersOf(interner, records, false)).toEqual(found);
        for (const each of records) if (!known.has(each.join())) known.set(each.join(), known.size);
        expect(numbersOf(interner, records, true)).toEqual(records.map((each) => known.get(each.join())));
        expect(interner.size).toBe(known.size);
      }
      for (const [text, number] of known) expect(recordAt(interner, number)).toBe(text);
    }),
  );
});

test("of thousands of records those that are kept are found by their new numbers, and changed ones as they are then", () => {
  const interner = new RecordInterner(WIDTH);
  const records = Array.from({ length: 5000 }, (_, i): Record => [0, i % 70, -i]);
  numbersOf(interner, records, true);
  const kept = records.filter((_, i) => i % 3 === 2);
  interner.keep(
    Int32Array.from(kept.keys(), (i) => 3 * i + 2),
    (words, count) => {
      for (let i = 0; i < count; i++) words[WIDTH * i] = 5;
    },
  );
  const changed = kept.map(([, second, third]): Record => [5, second as number, third as number]);
  expect(numbersOf(interner, changed, false)).toEqual([...kept.keys()]);
  expect(numbersOf(interner, kept, false).every((number) => number === -1)).toBe(true);
  expect(numbersOf(interner, [[9, 9, 9]], true)).toEqual([kept.length]);
});
