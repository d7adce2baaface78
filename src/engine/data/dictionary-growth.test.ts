import { describe, expect, it } from "vitest";
import { textColumn } from "../testing/sample-batches.ts";
import type { VarColumn } from "./column.ts";
import { continues, WordNumbers } from "./dictionary-growth.ts";
import { wordHashes } from "./kernels/hash.ts";

const words = textColumn(Array.from({ length: 100 }, (_, i) => `word ${i}`));
const prefix = (length: number): VarColumn => ({ ...words, length, offsets: words.offsets.subarray(0, length + 1) });

describe("dictionaries that grow", () => {
  it("a dictionary continues another only on the same memory, from the same start, without NULL", () => {
    expect(continues(words, prefix(10))).toBe(true);
    expect(continues(prefix(10), words)).toBe(false);
    expect(continues(words, words)).toBe(false);
    expect(continues(textColumn(["word 0", "word 1"]), prefix(1))).toBe(false);
    expect(continues({ ...words, bytes: words.bytes.slice() }, prefix(10))).toBe(false);
    expect(continues({ ...words, length: 99, offsets: words.offsets.subarray(1) }, prefix(10))).toBe(false);
    expect(continues(words, { ...prefix(10), validity: { bits: new Uint8Array(2), bitOffset: 0 } })).toBe(false);
  });

  it("numbers of words go on where a dictionary grows, and belong to no other dictionary (P-42)", () => {
    const numbers = new WordNumbers();
    const small = prefix(2);
    numbers.of(small).set([7, 8]);
    numbers.of(textColumn(["word 1", "word 0"])).set([5, 6]);
    expect([...numbers.of(small)]).toEqual([7, 8]);
    const grown = prefix(4);
    expect([...numbers.of(grown)]).toEqual([7, 8, 0, 0]);
    expect(numbers.of(grown)).toBe(numbers.of(grown));
  });

  it("hashes of words are the same for a dictionary that grew as for one that came whole (D-45)", () => {
    const grown = [1, 10, 11, 100].map((length) => [...wordHashes(prefix(length))]);
    const whole = [...wordHashes(textColumn(Array.from({ length: 100 }, (_, i) => `word ${i}`)))];
    expect(grown).toEqual([1, 10, 11, 100].map((length) => whole.slice(0, length)));
  });
});
