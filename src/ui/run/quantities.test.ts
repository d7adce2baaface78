import { expect, it } from "vitest";
import { bytes, clock, plural, rate, shortCount, stay, took } from "./quantities.ts";

it("counts are short, and never round up into a wrong scale", () => {
  expect([0, 210, 999, 999.6, 1000, 4100, 71_000, 999_400, 999_600, 1_310_000, 2e9].map(shortCount)).toEqual([
    "0",
    "210",
    "999",
    "1.00 k",
    "1.00 k",
    "4.10 k",
    "71.0 k",
    "999 k",
    "1.00 M",
    "1.31 M",
    "2.00 G",
  ]);
  expect(rate(64_000)).toBe("64.0 k/s");
});

it("times have the unit in which they are read", () => {
  expect([0, 41, 999, 1400, 61_000].map(stay)).toEqual(["0 ms", "41 ms", "999 ms", "1.4 s", "1 min"]);
  expect([0.42, 12.4, 1420].map(took)).toEqual(["0.4 ms", "12 ms", "1.42 s"]);
  expect([84_000, 3_661_000].map(clock)).toEqual(["00:01:24", "01:01:01"]);
});

it("bytes and words", () => {
  expect([0, 999, 1200, 1_200_000, 999_600].map(bytes)).toEqual(["0 B", "999 B", "1.20 kB", "1.20 MB", "1.00 MB"]);
  expect([plural(1, "row"), plural(48_210, "row")]).toEqual(["1 row", "48,210 rows"]);
});
