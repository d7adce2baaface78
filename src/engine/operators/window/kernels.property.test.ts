import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column, VarColumn } from "../../data/column.ts";
import { Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { enableKernels } from "../../data/wasm/kernel-heap.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import { arbitraryValue, columnOfModel, type ModelCell, modelOf } from "../../testing/arbitrary-batches.ts";
import { windowOver } from "../../testing/window-kit.ts";

/** Other files in this process begin without kernels. */
afterEach(() => enableKernels(Number.POSITIVE_INFINITY));

/** With the kernels that runs have, and with the TypeScript twins that the lab has: the same results to the last bit. */

const VALUES = ["int8", "uint32", "int64", "uint64", "float64", "float32", "timestamp[us]", "date"] as const;
const KEYS = ["utf8", "int64", "int32"] as const;

interface Scenario {
  readonly seed: number;
  readonly key: (typeof KEYS)[number];
  readonly keys: number;
  readonly coded: boolean;
  readonly nulls: boolean;
  readonly window: object;
  readonly pools: readonly (readonly ModelCell[])[];
}

/** Of 64-bit integers a part, so that sums of a few hundred fit. */
const part = (value: ModelCell): ModelCell => (typeof value === "bigint" ? value / 1000n : value);
const pool = (type: string) => fc.array(arbitraryValue(typeOf(type)).map(part), { minLength: 20, maxLength: 20 });

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.nat(),
  key: fc.constantFrom(...KEYS),
  keys: fc.constantFrom(1, 7, 90, 3000),
  coded: fc.boolean(),
  nulls: fc.boolean(),
  window: fc.constantFrom(
    { kind: "tumbling", sizeMs: 50 },
    { kind: "sliding", sizeMs: 60, slideMs: 20 },
    { kind: "sliding", sizeMs: 50, slideMs: 20, offsetMs: 7 },
    { kind: "session", gapMs: 3 },
  ),
  pools: fc.tuple(...VALUES.map(pool)),
});

const SCHEMAS = new Map(
  KEYS.map((key) => [
    key,
    new Schema([
      { name: "k", type: typeOf(key), nullable: true },
      ...VALUES.map((type, i) => ({ name: `c${i}`, type: typeOf(type), nullable: i % 2 === 0 })),
    ]),
  ]),
);

const AGGREGATES = [
  { name: "n", fn: "count" },
  ...VALUES.flatMap((type, i) => {
    const of = (fn: string) => ({ name: `${fn}${i}`, fn, column: `c${i}` });
    const ordered = [of("min"), of("max"), of("count")];
    return type === "date" || type.startsWith("timestamp") ? ordered : [...ordered, of("sum"), of("avg")];
  }),
];

const ROWS = 200;

function columnsOf({ key, keys, coded, nulls, pools }: Scenario, next: () => number): Column[] {
  const keyOf = (number: number): ModelCell => {
    if (key === "utf8") return `key ${number}${"é".repeat(number % 9)}`;
    return key === "int64" ? BigInt(number) * 1_000_003n - 5n : number - 5;
  };
  const numbers = Int32Array.from({ length: ROWS }, () => Math.floor(next() * keys));
  const isNull = () => nulls && next() < 0.1;
  const columns = pools.map((values, i) => {
    const cells = Array.from(numbers, () =>
      i % 2 === 0 && isNull() ? null : (values[Math.floor(next() * 20)] ?? null),
    );
    return columnOfModel(typeOf(VALUES[i] as string), cells);
  });
  if (key === "utf8" && coded && keys < ROWS) {
    const type = typeOf(key);
    const dictionary = columnOfModel(
      type,
      Array.from({ length: keys }, (_, number) => keyOf(number)),
    ) as VarColumn;
    const shape = { type, length: ROWS, nullCount: 0, validity: null };
    return [{ encoding: "dictionary", ...shape, codes: numbers, dictionary }, ...columns];
  }
  const cells = Array.from(numbers, (number) => (isNull() ? null : keyOf(number)));
  return [columnOfModel(typeOf(key), cells), ...columns];
}

/** All that comes out of a few batches out of order, with watermarks and a restore between them. */
function told(scenario: Scenario): unknown[] {
  const next = random(scenario.seed);
  const schema = SCHEMAS.get(scenario.key) as Schema;
  const config = { groupBy: ["k"], window: scenario.window, aggregates: AGGREGATES, late: "drop" };
  const out: unknown[] = [];
  const output = {
    nowMs: 0,
    emit: (batch: Batch) => out.push(modelOf(batch)),
    mark: () => undefined,
    delay: () => undefined,
  };
  let operator: Operator<Batch> = windowOver(schema, config).operator;
  try {
    for (let step = 0; step < 6; step++) {
      const columns = columnsOf(scenario, next);
      const times = Float64Array.from({ length: ROWS }, () => Math.floor(step * 40 - 100 + next() * 60));
      operator.process(new Batch(schema, ROWS, columns, times), "in", output);
      operator.onTime?.(step * 40 - 100, output);
      if (step !== 3) continue;
      const saved = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
      operator = windowOver(schema, config).operator;
      operator.restore?.(saved);
    }
    operator.onEnd?.(output);
  } catch (error) {
    out.push(String(error));
  }
  return out;
}

function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

describe("windows by kernels", () => {
  it("tell what their TypeScript twins tell, bit by bit: all types, NULLs, NaN, late rows, restores (D-23 to D-26, D-7)", () => {
    const seed = 20261129;
    const cases = fc.sample(scenarios, { seed, numRuns: 12 });
    const twins = cases.map(told);
    enableKernels();
    cases.forEach((scenario, i) => {
      expect(told(scenario), `case ${i} of seed ${seed}`).toEqual(twins[i]);
    });
    expect(twins.filter((each) => each.length > 3).length).toBeGreaterThan(8);
  });
});
