import { describe, expect, it } from "vitest";
import type { VarColumn } from "../data/column.ts";
import { continues } from "../data/dictionary-growth.ts";
import { cellValue } from "../testing/batch-values.ts";
import { textColumn } from "../testing/sample-batches.ts";
import { DictionaryPool, DictionarySeats } from "./dictionary-seats.ts";

const words = textColumn(Array.from({ length: 100 }, (_, i) => `word ${i}`));
const prefix = (length: number): VarColumn => ({ ...words, length, offsets: words.offsets.subarray(0, length + 1) });
const contents = (column: VarColumn) => Array.from({ length: column.length }, (_, row) => cellValue(column, row));

describe("dictionaries of an edge", () => {
  it("P-42: a dictionary is known by being the same object, not by its words", () => {
    const seats = new DictionarySeats(2);
    seats.sit(1, words);
    expect([seats.find(words), seats.find({ ...words })]).toEqual([1, -1]);
  });

  it("a new dictionary takes the seat that was unused longest", () => {
    const seats = new DictionarySeats(3);
    const [a, b, c, d] = ["a", "b", "c", "d"].map((text) => textColumn([text])) as [
      VarColumn,
      VarColumn,
      VarColumn,
      VarColumn,
    ];
    for (const dictionary of [a, b, c]) seats.sit(seats.choose(dictionary).seat, dictionary);
    seats.find(a);
    expect(seats.choose(d)).toEqual({ seat: seats.find(b), from: 0 });
  });

  it("a dictionary that grew continues the longest one that it grew from", () => {
    const seats = new DictionarySeats(3);
    seats.sit(0, prefix(10));
    seats.sit(2, prefix(50));
    expect(seats.choose(words)).toEqual({ seat: 2, from: 50 });
    expect(seats.choose(prefix(20))).toEqual({ seat: 0, from: 10 });
  });

  it("what a pool gave out stays as it was while the pool grows", () => {
    const pool = new DictionaryPool();
    const given = [["a", "bc"], ["", "d"], Array.from({ length: 50 }, (_, i) => `${i}`)].map((texts) =>
      pool.append(textColumn(texts)),
    );
    expect(given.map((column) => contents(column).length)).toEqual([2, 4, 54]);
    expect(contents(given[0] as VarColumn)).toEqual(["a", "bc"]);
    expect(contents(given[1] as VarColumn)).toEqual(["a", "bc", "", "d"]);
    expect(contents(given[2] as VarColumn).slice(3, 6)).toEqual(["d", "0", "1"]);
    const [, second, third] = given as [VarColumn, VarColumn, VarColumn];
    expect(continues(pool.append(textColumn(["x"])), third)).toBe(true);
    expect(continues(third, second)).toBe(false);
  });
});
