import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { TurnMemory } from "../data/turn-memory.ts";
import { enableKernels, type KernelHeap, kernelHeap } from "../data/wasm/kernel-heap.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzz } from "../testing/fuzz.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import {
  combineTruths,
  eitherOf,
  othersThan,
  type PickedValues,
  packBits,
  putPicked,
  spreadBits,
  takeBranch,
  without,
} from "./masks.ts";
import { type BoolVec, Bytes } from "./vec.ts";

/** Arrays of one evaluation: private, or in the memory of the kernels with something behind them that is none of their rows. */
interface Place {
  bytes(values: readonly number[]): Uint8Array;
  words(values: readonly number[]): Int32Array;
  doubles(values: readonly number[]): Float64Array;
}

const PRIVATE: Place = {
  bytes: (values) => Uint8Array.from(values),
  words: (values) => Int32Array.from(values),
  doubles: (values) => Float64Array.from(values),
};

class OnHeap implements Place {
  private readonly heap: KernelHeap;
  private readonly given: (Uint8Array | Int32Array | Float64Array)[] = [];

  constructor(heap: KernelHeap) {
    this.heap = heap;
  }

  private filled<T extends Uint8Array | Int32Array | Float64Array>(array: T, values: readonly number[]): T {
    array.fill(1);
    array.set(values);
    this.given.push(array);
    return array.subarray(0, values.length) as T;
  }

  bytes(values: readonly number[]): Uint8Array {
    return this.filled(this.heap.bytes(values.length + 16), values);
  }

  words(values: readonly number[]): Int32Array {
    return this.filled(this.heap.words(values.length + 16), values);
  }

  doubles(values: readonly number[]): Float64Array {
    return this.filled(this.heap.numbers(values.length + 16), values);
  }

  release(): void {
    for (const array of this.given) this.heap.release(array);
  }
}

const bit = fc.integer({ min: 0, max: 1 });
const rows = fc.integer({ min: 1, max: 70 });
const mask = (length: number) => fc.array(bit, { minLength: length, maxLength: length });
/** A mask, or none. */
const nulls = (length: number) => fc.option(mask(length));
const step = fc.constantFrom<0 | 1>(0, 1, 1);
const truth = (length: number) =>
  fc.record({ values: mask(length), nulls: nulls(length), step }).map((of) => ({ ...of, length }));
type Truth = typeof truth extends (length: number) => fc.Arbitrary<infer T> ? T : never;

const vecOf = (place: Place, of: Truth): BoolVec => ({
  kind: "bool",
  values: place.bytes(of.step === 0 ? of.values.slice(0, 1) : of.values),
  nulls: of.nulls === null ? null : place.bytes(of.step === 0 ? of.nulls.slice(0, 1) : of.nulls),
  step: of.step,
});

/** What a run gives in private arrays and by kernels, which must be the same. */
function bothWays(run: (place: Place) => unknown): void {
  enableKernels(Number.POSITIVE_INFINITY);
  const byLoop = run(PRIVATE);
  enableKernels(1);
  const heap = new OnHeap(kernelHeap() as KernelHeap);
  const byKernel = run(heap);
  heap.release();
  expect(byKernel).toEqual(byLoop);
}

const RUNS = 150;
const listOf = (array: PickedValues): number[] => Array.from(array);

it("D-44: NULLs of any number of rows are found by kernels as they are by loops, from the fewest rows on that are worth a call", () => {
  const of = schema("f float64, o boolean, t utf8");
  for (const count of [63, 64, 65, 90, 300, 511, 512, 520]) {
    const input = batch(
      of,
      Array.from({ length: count }, (_, i) => [
        i % 5 === 0 ? null : i % 7,
        i % 3 === 0 ? null : i % 2 === 0,
        i % 4 === 0 ? null : "t",
      ]),
    );
    for (const text of ["f >= 2 AND o", "length(t)", "CASE WHEN o THEN f ELSE 1 END", "coalesce(f, 9) * 2"]) {
      enableKernels(Number.POSITIVE_INFINITY);
      const byLoops = evaluateOver(input, text).values;
      enableKernels();
      expect([count, text, evaluateOver(input, text, new TurnMemory()).values]).toEqual([count, text, byLoops]);
    }
  }
  enableKernels(Number.POSITIVE_INFINITY);
});

describe("masks by kernels are those of the loops", () => {
  afterEach(() => enableKernels(Number.POSITIVE_INFINITY));

  it("D-44: bits become bytes and bytes bits, from any bit on", () => {
    const setup = fc.record({
      all: rows.chain(mask),
      from: fc.nat(20),
      flip: fc.constantFrom<0 | 1>(0, 1),
      apart: fc.boolean(),
    });
    fuzz(
      fc.property(setup, ({ all, from, flip, apart }) => {
        bothWays((place) => {
          const bits = new Uint8Array((from + all.length + 7) >> 3).fill(255);
          all.forEach((one, i) => {
            const at = from + i;
            if (one === 0) bits[at >> 3] = (bits[at >> 3] as number) & ~(1 << (at & 7));
          });
          const out = place.bytes(all.map(() => 7));
          const source = { bits: apart ? bits : place.bytes(listOf(bits)), bitOffset: from };
          spreadBits(source, all.length, out, flip, new Bytes());
          expect(listOf(out)).toEqual(all.map((one) => one ^ flip));
          const packed = place.bytes(new Array((all.length + 7) >> 3).fill(0));
          expect(packBits(out, 1, all.length, flip, packed)).toBe(listOf(out).filter((one) => one === 1).length);
          return listOf(packed);
        });
      }),
      RUNS,
    );
  });

  it("NULLs of several sides, rows without others, and the others", () => {
    const setup = rows.chain((length) => fc.tuple(mask(length), mask(length)));
    fuzz(
      fc.property(setup, ([a, b]) => {
        bothWays((place) => {
          const [x, y] = [place.bytes(a), place.bytes(b)];
          const outs = [0, 1, 2].map(() => place.bytes(a));
          eitherOf(x, y, outs[0] as Uint8Array, a.length);
          without(x, y, outs[1] as Uint8Array, a.length);
          othersThan(x, outs[2] as Uint8Array, a.length);
          return outs.map(listOf);
        });
      }),
      RUNS,
    );
  });

  it("P-40: AND and OR with NULLs are three-valued, also into the first side", () => {
    const setup = rows.chain((length) =>
      fc.record({ x: truth(length), y: truth(length), decides: fc.constantFrom<0 | 1>(0, 1), own: fc.boolean() }),
    );
    fuzz(
      fc.property(setup, ({ x, y, decides, own }) => {
        bothWays((place) => {
          const [a, b] = [vecOf(place, x), vecOf(place, y)];
          const zeros = place.bytes(x.values);
          const isIn = own && a.step === 1;
          const out = isIn ? a.values : zeros;
          const unknown = isIn && a.nulls !== null ? a.nulls : place.bytes(x.values);
          combineTruths(a, b, decides, out, unknown, x.length);
          return [listOf(unknown), listOf(out).map((value, i) => (unknown[i] === 1 ? null : value))];
        });
      }),
      RUNS,
    );
  });

  it("P-40: branches take the open rows for which their condition is true, and values go to the rows that picked them", () => {
    const values = (length: number) => fc.array(fc.integer(), { minLength: 4 * length, maxLength: 4 * length });
    const branch = (length: number) =>
      fc.record({ when: truth(length), all: fc.boolean(), value: values(length), step });
    const setup = rows.chain((length) =>
      fc.record({ open: mask(length), branches: fc.array(branch(length), { minLength: 1, maxLength: 4 }) }),
    );
    const KINDS = [
      { width: 1, of: "bytes" },
      { width: 1, of: "words" },
      { width: 2, of: "words" },
      { width: 4, of: "words" },
      { width: 1, of: "doubles" },
    ] as const;
    fuzz(
      fc.property(setup, ({ open, branches }) => {
        bothWays((place) => {
          const { length } = open;
          const choice = { open: place.bytes(open), picks: place.words(open.map(() => 0)) };
          const taken = branches.map(({ when, all }) => {
            const out = place.bytes(open);
            const vec = vecOf(place, when);
            return [takeBranch(all ? null : vec.values, vec, choice, out, length), listOf(out)];
          });
          const put = KINDS.map(({ width, of }) => {
            const out = place[of](new Array(width * length).fill(0));
            branches.forEach(({ value, step: each }, k) => {
              const source = place[of](of === "bytes" ? value.map((word) => word & 1) : value);
              putPicked(choice.picks, k, source as never, each, width, out as never, length);
            });
            return listOf(out);
          });
          return [taken, listOf(choice.open), listOf(choice.picks), put];
        });
      }),
      RUNS,
    );
  });
});
