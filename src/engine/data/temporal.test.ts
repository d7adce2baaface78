import fc from "fast-check";
import { expect, test } from "vitest";
import cases from "./cases.json" with { type: "json" };
import { columnBuilder, type WordBuilder } from "./column-builder.ts";
import { formatDate, formatTimestamp, toEventMs } from "./temporal.ts";
import { dateOfText, lastDate, timestampOfText } from "./temporal-parse.ts";
import { type TimeUnit, typeOf } from "./types.ts";
import { type WordPair, wordOfBigInt, wordsToBigInt } from "./words.ts";

const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
const DIGITS = { s: 0n, ms: 3n, us: 6n, ns: 9n };
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

function parse(text: string, unit: TimeUnit): bigint | string {
  const out: WordPair = { lo: 0, hi: 0 };
  const fault = timestampOfText(text, unit, out);
  return fault === "none" ? wordsToBigInt([out.lo, out.hi], 0, true) : fault;
}

const format = (value: bigint, unit: TimeUnit): string =>
  formatTimestamp(wordOfBigInt(value, 0), wordOfBigInt(value, 1), unit);

function timestamps(unit: TimeUnit, values: readonly (bigint | null)[]) {
  const builder = columnBuilder(typeOf(`timestamp[${unit}]`)) as WordBuilder;
  for (const value of values) value === null ? builder.appendNull() : builder.appendBigInt(value);
  return builder.finish();
}

test("every 64-bit instant of every unit is written and read back exactly (P-39)", () => {
  fc.assert(
    fc.property(fc.constantFrom(...UNITS), fc.bigInt(INT64), (unit, value) => {
      expect(parse(format(value, unit), unit)).toBe(value);
    }),
  );
  for (const unit of UNITS)
    for (const value of Object.values(INT64)) expect(parse(format(value, unit), unit)).toBe(value);
});

test("text of an instant is that of Date wherever Date has one, floored to its milliseconds", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...UNITS),
      fc.bigInt({ min: -8640000000000000n, max: 8640000000000000n }),
      (unit, ms) => {
        const value = unit === "s" ? ms / 1000n : ms * 10n ** (DIGITS[unit] - 3n);
        fc.pre(value >= INT64.min && value <= INT64.max);
        const ofDate = new Date(Number(unit === "s" ? value * 1000n : ms)).toISOString();
        const digits = Number(DIGITS[unit]);
        const fraction = digits === 0 ? "" : `.${ofDate.slice(-4, -1).padEnd(digits, "0").slice(0, digits)}`;
        expect(format(value, unit)).toBe(`${ofDate.slice(0, -5)}${fraction}Z`);
      },
    ),
  );
});

test("instants of the pitfall are the same in every unit, before 1970 too, and two a nanosecond apart stay two (P-39)", () => {
  for (const text of ["1969-12-31T23:59:59Z", "1900-01-01T00:00:00Z", "2023-03-01T17:44:27Z"]) {
    const seconds = parse(text, "s") as bigint;
    expect(seconds).toBe(BigInt(Date.parse(text)) / 1000n);
    for (const unit of UNITS) {
      expect(parse(text, unit)).toBe(seconds * 10n ** DIGITS[unit]);
      expect([...toEventMs(timestamps(unit, [parse(text, unit) as bigint]), "ms")]).toEqual([Date.parse(text)]);
    }
  }
  expect(parse("2300-01-01T00:00:00Z", "us")).toBe(10413792000000000n);
  expect(parse("2300-01-01", "ns")).toBe("out-of-range");
  expect(format(1677692667000000001n, "ns")).toBe("2023-03-01T17:44:27.000000001Z");
  expect(format(1677692667000000002n, "ns")).toBe("2023-03-01T17:44:27.000000002Z");
});

test.each([
  ["2023-03-01", "s", 1677628800n],
  ["2023-03-01T17:44", "s", 1677692640n],
  ["2023-03-01 17:44:27", "s", 1677692667n],
  ["2023-03-01t17:44:27z", "s", 1677692667n],
  ["2023-03-01T17:44:27+01:00", "s", 1677689067n],
  ["2023-03-01T17:44:27-0130", "s", 1677698067n],
  ["2023-03-01T17:44:27+02", "s", 1677685467n],
  ["2023-03-01T17:44:27.5Z", "ms", 1677692667500n],
  ["2023-03-01T17:44:27.500000000Z", "ms", 1677692667500n],
  ["0000-01-01T00:00:00Z", "s", -62167219200n],
  ["-000001-12-31T23:59:59Z", "s", -62167219201n],
  ["+010000-01-01", "s", 253402300800n],
  ["2024-02-29", "s", 1709164800n],
  ["2023-03-01T17:44:27.5Z", "s", "too-precise"],
  ["2023-03-01T17:44:27.1234Z", "ms", "too-precise"],
  ["2023-02-29", "s", "out-of-range"],
  ["2023-13-01", "s", "out-of-range"],
  ["2023-00-10", "s", "out-of-range"],
  ["2023-01-00", "s", "out-of-range"],
  ["2023-01-01T24:00", "s", "out-of-range"],
  ["2023-01-01T10:00:60", "s", "out-of-range"],
  ["+999999999999-01-01", "s", "out-of-range"],
  ["23-01-01", "s", "malformed"],
  ["10000-01-01", "s", "malformed"],
  ["2023-1-1", "s", "malformed"],
  ["2023-01-01T", "s", "malformed"],
  ["2023-01-01T10", "s", "malformed"],
  ["2023-01-01T10:00Zx", "s", "malformed"],
  ["2023-01-01T10:00:00.", "ms", "malformed"],
  ["2023-01-01x", "s", "malformed"],
  ["", "s", "malformed"],
] as const)("%j in %s is %s: zone-less is UTC (D-42), nothing is rounded", (text, unit, expected) => {
  expect(parse(text, unit)).toBe(expected);
});

test("dates are written and read back over all of int32, as Date does where it can", () => {
  fc.assert(
    fc.property(fc.integer(), (days) => {
      expect(dateOfText(formatDate(days))).toBe("none");
      expect(lastDate()).toBe(days);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
      expect(formatDate(days)).toBe(new Date(days * 86_400_000).toISOString().slice(0, -14));
    }),
  );
  expect(dateOfText("+5881580-07-12")).toBe("out-of-range");
});

test("event times are floored milliseconds; NULL is NaN; what overflows is an error (WMK-05)", () => {
  const { input, expected } = cases["WMK-05"];
  expect(input.values.length).toBe(expected.length);
  input.values.forEach(({ unit: name, v }, i) => {
    const unit = name as TimeUnit;
    const value = v === null ? null : BigInt(v);
    const wanted = expected[i];
    for (const column of [timestamps(unit, [value]), { ...timestamps("ms", [value]), type: typeOf("int64") }]) {
      if (typeof wanted === "string") expect(() => toEventMs(column, unit, "ts")).toThrow(/overflows milliseconds/);
      else expect([...toEventMs(column, unit)]).toEqual([wanted === null ? Number.NaN : wanted]);
    }
  });
});

test("event times of any 64-bit value are the exact floor, or an error (A-13)", () => {
  const perMs = { us: 1000n, ns: 1_000_000n };
  fc.assert(
    fc.property(fc.constantFrom(...UNITS), fc.bigInt(INT64), (unit, value) => {
      const floored =
        unit === "s" || unit === "ms"
          ? value * (unit === "s" ? 1000n : 1n)
          : (value - (((value % perMs[unit]) + perMs[unit]) % perMs[unit])) / perMs[unit];
      const column = timestamps(unit, [0n, value]);
      if (floored > BigInt(Number.MAX_SAFE_INTEGER) || floored < -BigInt(Number.MAX_SAFE_INTEGER)) {
        expect(() => toEventMs(column, "ms")).toThrow(/overflows/);
      } else expect(toEventMs(column, "ms")[1]).toBe(Number(floored));
    }),
  );
});

test("an overflow names column and row; a NULL row's leftover bytes overflow nothing (P-10)", () => {
  const column = timestamps("ms", [1n, INT64.max]);
  expect(() => toEventMs(column, "ms", "ts")).toThrow(
    expect.objectContaining({ data: expect.objectContaining({ code: "event-time-overflow", field: "ts", row: 2 }) }),
  );
  const nulled = { ...column, nullCount: 1, validity: { bits: new Uint8Array([0b01]), bitOffset: 0 } };
  expect([...toEventMs(nulled, "ms")]).toEqual([1, Number.NaN]);
});

test("event times come from dates and narrow integers, and from no other type", () => {
  const days = columnBuilder(typeOf("date"));
  if (days.kind === "number") days.append(-1);
  expect([...toEventMs(days.finish(), "s")]).toEqual([-86_400_000]);
  const ints = columnBuilder(typeOf("int32"));
  if (ints.kind === "number") ints.append(-1500);
  const column = ints.finish();
  expect(UNITS.map((unit) => toEventMs(column, unit)[0])).toEqual([-1_500_000, -1500, -2, -1]);
  for (const name of ["utf8", "float64", "boolean", "decimal(5,0)"]) {
    const builder = columnBuilder(typeOf(name));
    builder.appendNull();
    expect(() => toEventMs(builder.finish(), "ms", "ts")).toThrow(/holds no event time/);
  }
});
