import { expect, test } from "vitest";
import { hasNumber } from "./barrier-numbers.ts";

const written = (apart: number, from = 10, to = 40) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((epoch) => hasNumber(epoch, apart));

test("barriers have their numbers while there is room, then every second, fifth, tenth of them", () => {
  expect(written(25)).toHaveLength(31);
  expect(written(12, 10, 16)).toEqual([10, 12, 14, 16]);
  expect(written(5)).toEqual([10, 15, 20, 25, 30, 35, 40]);
  expect(written(2.1)).toEqual([10, 20, 30, 40]);
  expect(written(1.1)).toEqual([20, 40]);
});

test("barriers that nobody issues at a pace all have their numbers", () => {
  expect(written(0)).toHaveLength(31);
});
