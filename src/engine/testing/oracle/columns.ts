import fc from "fast-check";

/** A value as a document writes it; `null` is NULL. */
export type Value = string | boolean | null;

/** A column of the random rows, with what DuckDB calls its type. */
export interface OracleColumn {
  readonly name: string;
  readonly type: string;
  readonly duck: string;
  /** Digits behind the point of a decimal. */
  readonly scale?: number;
  readonly is: "number" | "float" | "decimal" | "other";
  /** Whether sums of it fit int64; where they do not, the run fails (D-25), which is no case for an oracle. */
  readonly sums: boolean;
  /** Whether its variance is free of cancellation, so that both engines come to the same one. */
  readonly spreads: boolean;
  readonly values: fc.Arbitrary<Value>;
}

const nullable = <T extends Value>(values: fc.Arbitrary<T>): fc.Arbitrary<Value> => fc.option(values, { freq: 5 });

const small = fc.integer({ min: -4, max: 4 }).map(String);
const halves = fc.integer({ min: -9, max: 9 }).map((n) => String(n / 2));
const specials = fc.constantFrom("NaN", "Infinity", "-Infinity", "-0.0", "0");
const texts = fc.constantFrom("", "a", "b", "ab", "ä", "a\u0308", "😀", "null", "it's", "日本");

type Given = Omit<OracleColumn, "name" | "sums" | "spreads"> & Partial<OracleColumn>;

const column = (name: string, given: Given): OracleColumn => ({
  name,
  sums: given.is !== "other",
  spreads: given.is !== "other",
  ...given,
  values: nullable(given.values),
});

const large = fc.constantFrom("9007199254740993", "9007199254740992", "144115188075855873", "-144115188075855873");
const unsigned = fc.oneof(fc.constantFrom("18446744073709551615", "9223372036854775808", "0"), fc.nat(3).map(String));
const cents = fc.oneof(
  fc.constantFrom("0.00", "1.50", "-0.05"),
  fc.integer({ min: -500, max: 500 }).map((n) => (n / 100).toFixed(2)),
);
const micros = fc.constantFrom(
  "1970-01-01T00:00:00.000000",
  "1969-12-31T23:59:59.999999",
  "2024-02-29T12:34:56.789012",
  "2024-02-29T12:34:56.789",
);

/** Few different values of each type, so that equal ones meet, and those at the edges. */
export const COLUMNS: readonly OracleColumn[] = [
  column("s", { type: "utf8", duck: "VARCHAR", is: "other", values: texts }),
  column("i", { type: "int64", duck: "BIGINT", is: "number", spreads: false, values: fc.oneof(small, large) }),
  column("j", { type: "int32", duck: "INTEGER", is: "number", values: small }),
  column("y", { type: "int8", duck: "TINYINT", is: "number", values: fc.oneof(small, fc.constantFrom("127", "-128")) }),
  column("u", { type: "uint64", duck: "UBIGINT", is: "number", sums: false, spreads: false, values: unsigned }),
  column("v", { type: "uint32", duck: "UINTEGER", is: "number", values: fc.constantFrom("0", "1", "4294967295") }),
  column("f", { type: "float64", duck: "DOUBLE", is: "float", values: fc.oneof(specials, halves) }),
  column("r", { type: "float32", duck: "FLOAT", is: "float", values: fc.oneof(halves, specials) }),
  column("d", { type: "decimal(14,2)", duck: "DECIMAL(14,2)", scale: 2, is: "decimal", values: cents }),
  column("e", { type: "decimal(20,6)", duck: "DECIMAL(20,6)", scale: 6, is: "decimal", values: cents }),
  column("o", { type: "boolean", duck: "BOOLEAN", is: "other", values: fc.boolean() }),
  column("t", { type: "timestamp[us]", duck: "TIMESTAMP", is: "other", values: micros }),
  column("g", { type: "date", duck: "DATE", is: "other", values: fc.constantFrom("1969-12-31", "2024-02-29") }),
  column("b", { type: "binary", duck: "BLOB", is: "other", values: fc.constantFrom("", "AP8=", "AA==", "/w==") }),
];

/** Three to five of them, in any order. */
export const someColumns: fc.Arbitrary<readonly OracleColumn[]> = fc.shuffledSubarray([...COLUMNS], {
  minLength: 3,
  maxLength: 5,
});

/** Up to so many of the columns, as a key. */
export const someOf = (columns: readonly OracleColumn[], maxLength: number): fc.Arbitrary<readonly OracleColumn[]> =>
  fc.shuffledSubarray([...columns], { minLength: 0, maxLength });

/** The text of a value as a value of the column, in DuckDB. */
export function duckCast({ name, duck }: OracleColumn): string {
  if (duck === "BLOB") return `from_base64(${name}::VARCHAR) AS ${name}`;
  return `CAST(${name} AS ${duck}) AS ${name}`;
}

/** The column as a key: equal zeros are one. */
export const duckKey = ({ name, is }: OracleColumn): string =>
  is === "float" ? `CASE WHEN ${name} = 0 THEN 0 ELSE ${name} END` : name;
