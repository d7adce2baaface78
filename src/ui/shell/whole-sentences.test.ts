import { expect, test } from "vitest";
import { wholeSentences } from "./whole-sentences.ts";

test("a summary ends with a sentence, not in one", () => {
  const text = "Reads a file. Counts by 1.5 keys! Shows it?";
  expect(wholeSentences(text, 100)).toBe(text);
  expect(wholeSentences(text, 36)).toBe("Reads a file. Counts by 1.5 keys!");
  expect(wholeSentences(text, 3)).toBe("Reads a file.");
  expect(wholeSentences("", 10)).toBe("");
});
