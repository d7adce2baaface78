import { expect, it } from "vitest";
import { inTurns, perSecond } from "./measure.ts";
import { cost, measurement, ratio, spreadOf } from "./results.ts";
import { short, tableOf } from "./table.ts";

it("a spread is the median, the quartiles and the extremes, between two values where none is in the middle", () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1.75, high: 3.25, min: 1, max: 4, turns: 4 });
  expect(spreadOf([7])).toEqual({ median: 7, low: 7, high: 7, min: 7, max: 7, turns: 1 });
});

it("a ratio compares turn by turn, not median by median", () => {
  expect(ratio("a to b", [10, 2, 9], [1, 2, 3]).spread.median).toBe(3);
});

it("a cost is the part by which a rate without the burden is higher", () => {
  const found = cost("of b", [102, 102, 102], [100, 100, 100], { atMost: 0.03 });
  expect(found.spread.median).toBeCloseTo(0.02);
  expect(found.met).toBe(true);
});

it("an aim is met from its own value on, in its own direction", () => {
  expect(ratio("r", [4], [1], { atLeast: 4 }).met).toBe(true);
  expect(ratio("r", [3.9], [1], { atLeast: 4 }).met).toBe(false);
  expect(measurement("m", "rows/s", [3], { atMost: 2 }).met).toBe(false);
  expect(measurement("m", "rows/s", [3]).met).toBeUndefined();
});

it("variants are measured once a turn, each turn begins with another one, and the first turn does not count", async () => {
  const order: string[] = [];
  let measured = 0;
  const variant = (name: string) => () => {
    order.push(name);
    return measured++;
  };
  const values = await inTurns({ a: variant("a"), b: variant("b") }, 2);
  expect(order).toEqual(["a", "b", "b", "a", "a", "b"]);
  expect(values).toEqual({ a: [3, 4], b: [2, 5] });
});

it("a rate repeats as often as fits the window, going by the time before", async () => {
  const counts: number[] = [];
  // A thousand a second: 100 fit into 100 ms.
  const variant = perSecond((count) => {
    counts.push(count);
    return count;
  }, 100);
  expect([await variant(), await variant()]).toEqual([1000, 1000]);
  expect(counts).toEqual([16, 100]);
});

it("numbers have three digits that count", () => {
  expect([0.123, 12.34, 1234, 12_345, 45_678_901, 2e9].map(short)).toEqual([
    "0.12",
    "12.3",
    "1234",
    "12.3 k",
    "45.7 M",
    "2.00 G",
  ]);
});

it("a table tells the machine, the spread, and whether an aim is met", () => {
  const table = tableOf({
    benchmark: "example",
    machine: { runtime: "Node 20", cpu: "a processor", cores: 2 },
    cases: [
      {
        name: "a case",
        measurements: [measurement("rows", "rows/s", [1e6, 2e6, 3e6])],
        comparisons: [ratio("to bare", [2], [4], { atLeast: 0.35 }), cost("of probes", [105], [100], { atMost: 0.03 })],
      },
    ],
  });
  expect(table.split("\n")).toEqual([
    "example · Node 20 · a processor, 2 cores",
    "",
    "a case",
    "  rows         2.00 M rows/s  (1.50 M rows/s – 2.50 M rows/s)",
    "  → to bare    0.50×  (0.50× – 0.50×)  meets the aim of at least 0.35×",
    "  → of probes  5.0 %  (5.0 % – 5.0 %)  misses the aim of at most 3.0 %",
    "",
  ]);
});
