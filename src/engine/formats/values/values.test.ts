import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Schema } from "../../data/schema.ts";
import { parseTimestamp } from "../../data/temporal-parse.ts";
import { encodeUtf8 } from "../../data/text.ts";
import { typeOf } from "../../data/types.ts";
import { decodeCsv, reasons } from "../../testing/decode.ts";
import { canonicalTimestamp } from "./canonical-timestamp.ts";

const only = (type: string, nullable = false): Schema => new Schema([{ name: "v", type: typeOf(type), nullable }]);

/** The value of one csv field of a type, or why it is none. */
function parse(type: string, text: string, unit: "s" | "ms" | "us" | "ns" = "ms") {
  const decoded = decodeCsv(only(type), `"${text}"\n`, { timestampUnit: unit });
  const [value] = decoded.rows[0] ?? [];
  return value ?? decoded.bad[0]?.reason;
}

const bits64 = new Float64Array(1);
const words64 = new BigUint64Array(bits64.buffer);
const doubles = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((bits) => {
  words64[0] = bits;
  return bits64[0] as number;
});

describe("integers from text", () => {
  it.each([
    ["int8", "-128", "127", "128", "-129"],
    ["int16", "-32768", "32767", "32768", "-32769"],
    ["int32", "-2147483648", "2147483647", "2147483648", "-2147483649"],
    ["uint8", "0", "255", "256", "-1"],
    ["uint16", "0", "65535", "65536", "-1"],
    ["uint32", "0", "4294967295", "4294967296", "-1"],
  ])("%s takes its whole range and nothing beyond", (type, least, greatest, above, below) => {
    expect(parse(type, least)).toBe(Number(least));
    expect(parse(type, greatest)).toBe(Number(greatest));
    expect(parse(type, above)).toBe(`"${above}" is out of range for ${type}`);
    expect(parse(type, below)).toBe(`"${below}" is out of range for ${type}`);
  });

  it("keeps every digit of 64 bits (P-02)", () => {
    expect(parse("int64", "9007199254740993")).toBe(9007199254740993n);
    expect(parse("int64", "9223372036854775807")).toBe(9223372036854775807n);
    expect(parse("int64", "-9223372036854775808")).toBe(-9223372036854775808n);
    expect(parse("uint64", "18446744073709551615")).toBe(18446744073709551615n);
    for (const text of ["9223372036854775808", "-9223372036854775809", "99999999999999999999", "1".repeat(40)]) {
      expect(parse("int64", text)).toContain("out of range");
    }
    for (const text of ["18446744073709551616", "-1", "99999999999999999999"]) {
      expect(parse("uint64", text)).toContain("out of range");
    }
  });

  it("reads what BigInt reads, at every length", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.nat(4),
        fc.nat(62),
        (value, zeros, shift) => {
          const small = value >> BigInt(shift);
          const text = `${small < 0n ? "-" : ""}${"0".repeat(zeros)}${small < 0n ? -small : small}`;
          expect(parse("int64", text)).toBe(small);
          const unsigned = BigInt.asUintN(64, value) >> BigInt(shift);
          expect(parse("uint64", String(unsigned))).toBe(unsigned);
        },
      ),
    );
  });

  it.each(["", "-", "+", "1.0", "1e3", "0x10", "1_000", "12a", "a12", "--1", "1 2"])("refuses %j", (text) => {
    expect(parse("int64", text)).toBe(`${JSON.stringify(text)} is no int64`);
    expect(parse("int32", text)).toBe(`${JSON.stringify(text)} is no int32`);
  });

  it("passes over blanks around a number, and takes a plus", () => {
    expect(parse("int64", " \t+42 ")).toBe(42n);
    expect(parse("int32", " 7")).toBe(7);
    expect(parse("float64", "1.5 ")).toBe(1.5);
  });
});

describe("floats from text", () => {
  it("rounds correctly, whatever the number of digits", () => {
    fc.assert(
      fc.property(doubles, fc.constantFrom("shortest", "precise", "fixed"), (value, form) => {
        fc.pre(Number.isFinite(value));
        const text =
          form === "shortest" ? String(value) : form === "precise" ? value.toPrecision(60) : value.toExponential(14);
        fc.pre(Number.isFinite(Number(text)));
        expect(parse("float64", text)).toBe(Number(text));
      }),
      { numRuns: 500 },
    );
  });

  it("rounds once, not twice, to float32", () => {
    // In the middle between two float32, and a little above and below it: a double cannot tell the three apart.
    expect(parse("float32", "1.000000059604644775390625")).toBe(1);
    expect(parse("float32", "1.00000005960464477539062500001")).toBe(1 + 2 ** -23);
    expect(parse("float32", "1.00000005960464477539062499999")).toBe(1);
    expect(parse("float32", "1.000000178813934326171875")).toBe(1 + 2 ** -22);
    expect(parse("float32", "1.00000017881393432617187499999")).toBe(1 + 2 ** -23);
    expect(parse("float32", "-1.00000005960464477539062500001")).toBe(-1 - 2 ** -23);
    expect(parse("float32", "0.1")).toBe(Math.fround(0.1));
  });

  it("knows zero's sign, NaN and the infinities", () => {
    expect(parse("float64", "-0")).toBe(-0);
    expect(parse("float64", "-0.000")).toBe(-0);
    expect(parse("float64", "NaN")).toBe(NaN);
    expect(parse("float64", "-Infinity")).toBe(-Infinity);
    expect(parse("float64", "inf")).toBe(Infinity);
    expect(parse("float64", ".5")).toBe(0.5);
    expect(parse("float64", "5.")).toBe(5);
  });

  it("never turns a number into infinity or zero", () => {
    for (const text of ["1e309", "-1e400", "1e-400", `1${"0".repeat(400)}`]) {
      expect(parse("float64", text)).toContain("out of range");
    }
    expect(parse("float32", "1e39")).toContain("out of range");
    expect(parse("float32", "1e-60")).toContain("out of range");
    expect(parse("float64", "0e999999999")).toBe(0);
  });

  it.each(["", ".", "-", "e5", "1e", "1e+", "1.2.3", "1,5", "0x1p3", "infinit", "NaNa"])("refuses %j", (text) => {
    expect(parse("float64", text)).toBe(`${JSON.stringify(text)} is no float64`);
  });
});

describe("decimals from text", () => {
  it("keeps every digit and refuses to lose one", () => {
    expect(parse("decimal(5,2)", "123.45")).toBe(12345n);
    expect(parse("decimal(5,2)", "-1.5")).toBe(-150n);
    expect(parse("decimal(5,2)", "1.2300")).toBe(123n);
    expect(parse("decimal(5,2)", "1.239")).toBe('"1.239" has more digits than decimal(5,2) keeps');
    expect(parse("decimal(5,2)", "1234")).toBe('"1234" is out of range for decimal(5,2)');
    expect(parse("decimal(5,2)", "1e2")).toBe(10000n);
    expect(parse("decimal(5,2)", "12345e-2")).toBe(12345n);
    expect(parse("decimal(5,2)", "1e-3")).toContain("more digits");
    expect(parse("decimal(5,2)", "0e999999")).toBe(0n);
    expect(parse("decimal(38,0)", "9".repeat(38))).toBe(BigInt("9".repeat(38)));
    expect(parse("decimal(38,0)", `-${"9".repeat(38)}`)).toBe(-BigInt("9".repeat(38)));
    expect(parse("decimal(38,0)", `1${"0".repeat(38)}`)).toContain("out of range");
    expect(parse("decimal(38,38)", `0.${"0".repeat(37)}1`)).toBe(1n);
    for (const text of ["", ".", "1.2.3", "1e", "abc"]) expect(parse("decimal(5,2)", text)).toContain("is no");
  });

  it("reads what BigInt reads", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.nat(38), (unscaled, scale) => {
        const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
        const split = digits.length - scale;
        const text = `${unscaled < 0n ? "-" : ""}${digits.slice(0, split)}.${digits.slice(split)}`;
        expect(parse(`decimal(38,${scale})`, text)).toBe(unscaled);
      }),
    );
  });
});

describe("dates and timestamps from text", () => {
  it("takes a time without a zone as UTC, and bare numbers in the unit of the setting (D-42)", () => {
    expect(parse("timestamp[ms]", "2023-03-01T17:44:27")).toBe(BigInt(Date.UTC(2023, 2, 1, 17, 44, 27)));
    expect(parse("timestamp[ms]", "2023-03-01 17:44:27.5+01:00")).toBe(BigInt(Date.UTC(2023, 2, 1, 16, 44, 27, 500)));
    expect(parse("timestamp[ms]", "1677692667000")).toBe(1677692667000n);
    expect(parse("timestamp[us]", "1677692667000", "ms")).toBe(1677692667000000n);
    expect(parse("timestamp[ms]", "-1500", "s")).toBe(-1500000n);
    expect(parse("timestamp[s]", "2000000000", "ns")).toBe(2n);
    expect(parse("timestamp[s]", "-2000000000", "ns")).toBe(-2n);
    expect(parse("timestamp[s]", "1500", "ms")).toContain("more digits");
    expect(parse("timestamp[ns]", "9223372036854775807", "ns")).toBe(9223372036854775807n);
    expect(parse("timestamp[ns]", "9223372036854775807", "s")).toContain("out of range");
  });

  it("keeps each unit's instants apart, before 1970 as well (P-39)", () => {
    expect(parse("timestamp[s]", "1969-12-31T23:59:59Z")).toBe(-1n);
    expect(parse("timestamp[ns]", "1969-12-31T23:59:59.999999999Z")).toBe(-1n);
    expect(parse("timestamp[us]", "1900-01-01")).toBe(-2208988800000000n);
    expect(parse("timestamp[ns]", "2023-03-01T17:44:27.000000001Z")).toBe(1677692667000000001n);
    expect(parse("timestamp[ms]", "2023-03-01T17:44:27.0001Z")).toContain("more digits");
    expect(parse("timestamp[ns]", "2300-01-01")).toContain("out of range");
    expect(parse("date", "1969-12-31")).toBe(-1);
    expect(parse("date", "2023-02-29")).toContain("out of range");
    expect(parse("date", "1")).toContain("is no date");
  });
});

describe("the usual form of timestamps", () => {
  it("is read as the general parser reads it, digit by digit, right or wrong", () => {
    const digit = fc.constantFrom(..."0123456789");
    const form = fc
      .tuple(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 61 }),
        fc.array(digit, { maxLength: 10 }),
        fc.constantFrom("Z", "", "z", "+01:00", "Q"),
        fc.constantFrom("T", " ", "t", "x"),
      )
      .map(([year, month, day, hour, minute, fraction, zone, separator]) => {
        const pad = (n: number, width = 2) => String(n).padStart(width, "0");
        const time = `${pad(hour)}:${pad(minute)}:${pad(minute)}`;
        return `${pad(year, 4)}-${pad(month)}-${pad(day)}${separator}${time}${fraction.length > 0 ? "." : ""}${fraction.join("")}${zone}`;
      });
    const units = fc.constantFrom("s", "ms", "us", "ns");
    const general = { lo: 0, hi: 0 };
    const fast = { lo: 0, hi: 0 };
    fc.assert(
      fc.property(form, units, fc.nat(30), digit, (text, unit, at, other) => {
        for (const each of [text, text.slice(0, at) + other + text.slice(at + 1)]) {
          const bytes = encodeUtf8(each);
          if (!canonicalTimestamp(bytes, 0, bytes.length, unit, fast)) continue;
          expect(parseTimestamp(bytes, 0, bytes.length, unit, general), each).toBe("none");
          expect(fast).toEqual(general);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is taken wherever it can be", () => {
    const words = { lo: 0, hi: 0 };
    for (const text of [
      "2023-03-01T17:44:27Z",
      "2023-03-01 17:44:27.1",
      "1969-12-31T23:59:59.999Z",
      "2024-02-29T00:00:00Z",
    ]) {
      const bytes = encodeUtf8(text);
      expect(canonicalTimestamp(bytes, 0, bytes.length, "ms", words), text).toBe(true);
    }
  });
});

describe("the other types from text", () => {
  it("booleans are true and false in any case", () => {
    expect(parse("boolean", "TRUE")).toBe(true);
    expect(parse("boolean", "false")).toBe(false);
    for (const text of ["1", "yes", "", "truee"]) expect(parse("boolean", text)).toContain("is no boolean");
  });

  it("binary is base64", () => {
    expect(parse("binary", "AP8=")).toBe("00ff");
    expect(parse("binary", "")).toBe("");
    expect(parse("binary", "AP8")).toContain("is no binary");
  });

  it("text that is no UTF-8 is a bad row, not a column of broken characters", () => {
    const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 10, 0x6f, 0x6b, 10);
    const decoded = decodeCsv(only("utf8"), latin1);
    expect(decoded.rows).toEqual([["ok"]]);
    expect(reasons(decoded)).toEqual(['1 v: "caf\ufffd" is not UTF-8']);
  });
});
