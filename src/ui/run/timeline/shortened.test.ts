import { describe, expect, test } from "vitest";
import { shortened } from "./shortened.ts";

describe("a name in the timeline", () => {
  const measure = (text: string): number => text.length * 6;

  test("stays whole where it has room, else is cut before its subtask", () => {
    expect(shortened(measure, "join · 1", 90)).toBe("join · 1");
    expect(shortened(measure, "orders of the last hour · 12", 90)).toBe("orders of… · 12");
    expect(shortened(measure, "orders of the last hour", 60)).toBe("orders of…");
    expect(shortened(measure, "wide", 1)).toBe("w…");
  });

  test("is measured a few times, however long it is", () => {
    let letters = 0;
    const label = shortened(
      (text) => {
        letters += text.length;
        return measure(text);
      },
      `${"N".repeat(100_000)} · 3`,
      90,
    );
    expect(label).toBe(`${"N".repeat(10)}… · 3`);
    expect(letters).toBeLessThan(5000);
  });
});
