import fc from "fast-check";

/**
 * Random expressions with the SQL that means the same in DuckDB. A call that may fail is inside of TRY there, so that a row
 * error is NULL at the innermost call, as with `onError: "null"`. What the two see differently on purpose is written out: comparisons with
 * NaN, division of integers.
 */
export interface Sql {
  readonly ours: string;
  readonly duck: string;
}

export type Kind = "int" | "float" | "dec" | "text" | "bool" | "time" | "date";

const same = (text: string): Sql => ({ ours: text, duck: text });

/** Both sides from their templates; `?` stands for the next part, `?1` for the first, however often. */
function fill(ours: string, duck: string, parts: readonly Sql[]): Sql {
  const put = (template: string, side: keyof Sql): string => {
    let next = 0;
    return template.replace(/\?(\d?)/g, (_, number: string) => {
      const part = parts[number === "" ? next++ : Number(number) - 1] as Sql;
      return `(${part[side]})`;
    });
  };
  return { ours: put(ours, "ours"), duck: put(duck, "duck") };
}

/** A template of both dialects alike, or of each, over parts of some kinds. */
type Rule = readonly [parts: readonly Kind[], ours: string, duck?: string];

const BIG = "::BIGINT";

/** `a ? b` of floats as IEEE 754 says. */
function floatComparison(operator: string, withNaN: boolean): Rule {
  const cases = `WHEN ?1 IS NULL OR ?2 IS NULL THEN NULL WHEN isnan(?1) OR isnan(?2) THEN ${withNaN}`;
  const duck = `CASE ${cases} ELSE ?1 ${operator} ?2 END`;
  return [["float", "float"], `? ${operator} ?`, duck];
}

const COMPARED: readonly Kind[] = ["int", "dec", "text", "bool", "time", "date"];
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">="];

const choices = (kind: Kind): Rule[] => [
  [["bool", kind, kind], "CASE WHEN ? THEN ? ELSE ? END"],
  [["bool", kind, "bool", kind], "CASE WHEN ? THEN ? WHEN ? THEN ? END"],
  [[kind, kind], "COALESCE(?, ?)"],
  [[kind, kind, kind], "COALESCE(?, ?, ?)"],
  ...(kind === "float" ? [] : ([[[kind, kind], "NULLIF(?, ?)"]] as Rule[])),
  [[kind, kind], "greatest(?, ?)"],
  [[kind, kind, kind], "least(?, ?, ?)"],
];

const RULES: Readonly<Record<Kind, readonly Rule[]>> = {
  int: [
    [["int", "int"], "? + ?", `TRY(?${BIG} + ?${BIG})`],
    [["int", "int"], "? - ?", `TRY(?${BIG} - ?${BIG})`],
    [["int", "int"], "? * ?", `TRY(?${BIG} * ?${BIG})`],
    // DuckDB has no remainder of the smallest integer by −1.
    [["int", "int"], "? % ?", `CASE WHEN ?2 = -1 THEN ?1 * 0 ELSE TRY(?1${BIG} % ?2${BIG}) END`],
    [["int", "int"], "? / ?", `TRY(?${BIG} // ?${BIG})`],
    [["int"], "-?", `TRY(-(?${BIG}))`],
    [["int"], "abs(?)", `TRY(abs(?${BIG}))`],
    [["int"], "sign(?)", "sign(?)::BIGINT"],
    // DuckDB wraps around where the rounded number is near the end of int64.
    [["int"], "round(? % 1000000, -2)", `round(?${BIG} % 1000000, -2)${BIG}`],
    [["text"], "length(?)", `length(?)${BIG}`],
    [["float"], "CAST(? AS int64)", `TRY_CAST(? AS BIGINT)`],
    [["dec"], "CAST(? AS int64)", `TRY_CAST(? AS BIGINT)`],
    [
      ["text"],
      "TRY_CAST(? AS int64)",
      "TRY_CAST(CASE WHEN regexp_full_match(trim(?1), '([+]|-|)[0-9]+') THEN ?1 END AS BIGINT)",
    ],
    [["bool"], "CAST(? AS int64)", `CAST(? AS BIGINT)`],
    [["int"], "CAST(CAST(? AS int8) AS int64)", `TRY_CAST(? AS TINYINT)${BIG}`],
    ...[
      "year",
      "month",
      "day",
      "hour",
      "minute",
      "second",
      "quarter",
      "dow",
      "isodow",
      "doy",
      "week",
      "isoyear",
      "millisecond",
      "microsecond",
    ].map((part): Rule => [["time"], `EXTRACT(${part} FROM ?)`]),
    ...["year", "week", "doy"].map((part): Rule => [["date"], `EXTRACT(${part} FROM ?)`]),
    [["time"], "epoch_ms(?)", "CAST(floor(epoch_us(?)::DECIMAL(38,0) / 1000) AS BIGINT)"],
    [["date", "date"], "? - ?"],
    ...choices("int"),
  ],
  float: [
    [["float", "float"], "? + ?"],
    [["float", "float"], "? - ?"],
    [["float", "float"], "? * ?"],
    [["float", "float"], "? / ?"],
    [["float", "int"], "? + ?", "? + ?::DOUBLE"],
    [["int", "float"], "? * ?", "?::DOUBLE * ?"],
    [["float"], "-?"],
    [["float"], "abs(?)"],
    [["float"], "floor(?)"],
    [["float"], "ceil(?)"],
    [["float"], "round(?)"],
    [["float"], "sqrt(abs(?))"],
    [["float"], "CAST(CAST(? AS float32) AS float64)", "TRY_CAST(? AS FLOAT)::DOUBLE"],
    [["int"], "CAST(? AS float64)", "CAST(? AS DOUBLE)"],
    [["dec"], "CAST(? AS float64)", "CAST(? AS DOUBLE)"],
    ...choices("float"),
  ],
  dec: [
    [["dec", "dec"], "CAST(? + ? AS decimal(14,2))", "TRY_CAST(?::DECIMAL(38,2) + ?::DECIMAL(38,2) AS DECIMAL(14,2))"],
    [["dec", "dec"], "CAST(? - ? AS decimal(14,2))", "TRY_CAST(?::DECIMAL(38,2) - ?::DECIMAL(38,2) AS DECIMAL(14,2))"],
    [["dec", "dec"], "CAST(? * ? AS decimal(14,2))", "TRY_CAST(?::DECIMAL(19,2) * ?::DECIMAL(19,2) AS DECIMAL(14,2))"],
    [
      ["dec", "dec"],
      "CAST(? % ? AS decimal(14,2))",
      "TRY_CAST(TRY(?::DECIMAL(38,2) % ?::DECIMAL(38,2)) AS DECIMAL(14,2))",
    ],
    [["dec"], "-?"],
    [["dec"], "abs(?)"],
    [["dec"], "CAST(round(?, 1) AS decimal(14,2))", "TRY_CAST(round(?::DECIMAL(20,2), 1) AS DECIMAL(14,2))"],
    [["dec"], "CAST(floor(?) AS decimal(14,2))", "TRY_CAST(floor(?::DECIMAL(20,2)) AS DECIMAL(14,2))"],
    [["dec"], "CAST(ceil(?) AS decimal(14,2))", "TRY_CAST(ceil(?::DECIMAL(20,2)) AS DECIMAL(14,2))"],
    [["int"], "CAST(? AS decimal(14,2))", "TRY_CAST(? AS DECIMAL(14,2))"],
    ...choices("dec"),
  ],
  text: [
    [["text", "text"], "? || ?"],
    [["text", "int"], "? || ?"],
    [["text", "text", "bool"], "concat(?, ?, ?)"],
    [["text"], "upper(?)"],
    [["text"], "lower(?)"],
    [["text"], "trim(?, ' ')"],
    [["text"], "trim(?, 'aä')"],
    [["text"], "substring(?, 2)"],
    [["text"], "substring(?, -2, 1)"],
    [["text"], "substring(?, 0, 2)"],
    [["text"], "substring(?, 3, -2)"],
    [["text", "text"], "replace(?, 'a', ?)"],
    [["text"], "replace(?, 'ä', '')"],
    [["text"], "split_part(?, 'a', 2)"],
    [["text"], "split_part(?, 'a', -1)"],
    [["text"], "regexp_replace(?, '[a-c]+', '<\\0>')"],
    [["text"], "regexp_replace(?, '(a|ä)(.)', '\\2\\1', 'g')"],
    [["int"], "CAST(? AS utf8)", "CAST(? AS VARCHAR)"],
    [["dec"], "CAST(? AS utf8)", "CAST(? AS VARCHAR)"],
    [["bool"], "CAST(? AS utf8)", "CAST(? AS VARCHAR)"],
    // Before the year 1 DuckDB counts backwards: 0002 (BC).
    [
      ["date"],
      "CASE WHEN ?1 > DATE '0001-01-01' THEN CAST(?1 AS utf8) END",
      "CASE WHEN ?1 > DATE '0001-01-01' THEN CAST(?1 AS VARCHAR) END",
    ],
    ...choices("text"),
  ],
  bool: [
    ...COMPARED.flatMap((kind) => COMPARISONS.map((operator): Rule => [[kind, kind], `? ${operator} ?`])),
    ...COMPARISONS.map((operator) => floatComparison(operator, operator === "<>")),
    [["int", "dec"], "? < ?", "?::DECIMAL(38,2) < ?::DECIMAL(38,2)"],
    [["time", "date"], "? >= ?"],
    [["bool", "bool"], "? AND ?"],
    [["bool", "bool"], "? OR ?"],
    [["bool", "bool", "bool"], "? OR ? AND ?"],
    [["bool"], "NOT ?"],
    ...[...COMPARED, "float" as const].flatMap((kind): Rule[] => [
      [[kind], "? IS NULL"],
      [[kind], "? IS NOT NULL"],
      [[kind, kind], "? IS DISTINCT FROM ?"],
      [[kind, kind], "? IS NOT DISTINCT FROM ?"],
    ]),
    [["bool"], "? IS TRUE"],
    [["bool"], "? IS NOT FALSE"],
    ...COMPARED.map((kind): Rule => [[kind, kind, kind], "? BETWEEN ? AND ?"]),
    [["int", "int", "int"], "? NOT BETWEEN ? AND ?"],
    [["int", "int"], "? IN (0, ?, 7)"],
    [["int"], "? IN (0, NULL, -1, 9223372036854775807)"],
    [["text"], "? NOT IN ('', 'abc', 'ä')"],
    [["text", "text"], "? IN (?, NULL)"],
    [["dec"], "? IN (0, 1.5, -0.05)"],
    [["text"], "? LIKE 'a%'"],
    [["text"], "? LIKE '%ä_%'"],
    [["text"], "? NOT LIKE '_'"],
    [["text"], "? ILIKE '%AÄ%'"],
    [["text"], "? LIKE '!%%' ESCAPE '!'"],
    [["text", "text"], "? LIKE ?"],
    [["text", "text"], "starts_with(?, ?)"],
    [["text"], "regexp_like(?, '^[a-c]*ä*$')", "regexp_matches(?, '^[a-c]*ä*$')"],
    [["int"], "CAST(? AS boolean)", "CAST(? AS BOOLEAN)"],
    ...choices("bool"),
  ],
  time: [
    ...[
      "INTERVAL '1' HOUR",
      "INTERVAL '-36' HOUR",
      "INTERVAL '1' MONTH",
      "INTERVAL '13 months 2 days'",
      "INTERVAL '1' MILLISECOND",
    ].flatMap((interval): Rule[] => [
      [["time"], `? + ${interval}`],
      [["time"], `? - ${interval}`],
    ]),
    ...["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"].map(
      (unit): Rule => [["time"], `date_trunc('${unit}', ?)`],
    ),
    [["date"], "CAST(? AS timestamp)"],
    ...choices("time"),
  ],
  date: [
    [["time"], "CAST(? AS date)"],
    [["date"], "? + 31", "? + 31"],
    [["date"], "? - 400", "? - 400"],
    ...choices("date"),
  ],
};

/** Columns and literals. Every type has a literal that stands beside a column, and one that is an edge. */
const LEAVES: Readonly<Record<Kind, readonly Sql[]>> = {
  int: [
    same("i"),
    same("i"),
    { ours: "j", duck: "j::BIGINT" },
    { ours: "3", duck: "3::BIGINT" },
    { ours: "-1", duck: "(-1)::BIGINT" },
    { ours: "0", duck: "0::BIGINT" },
  ],
  float: [same("f"), same("f"), same("h"), { ours: "1.5e0", duck: "1.5::DOUBLE" }, { ours: "0e0", duck: "0::DOUBLE" }],
  dec: [same("d"), same("d"), { ours: "CAST(1.25 AS decimal(14,2))", duck: "1.25::DECIMAL(14,2)" }],
  text: [same("s"), same("s"), same("w"), same("'aä'"), same("''")],
  bool: [same("o"), same("o"), same("p"), same("TRUE"), { ours: "CAST(NULL AS boolean)", duck: "NULL::BOOLEAN" }],
  time: [
    same("t"),
    same("t"),
    { ours: "TIMESTAMP '1969-12-31 23:59:59.999999'", duck: "TIMESTAMP '1969-12-31 23:59:59.999999'" },
  ],
  date: [same("g"), same("g"), same("DATE '2024-02-29'")],
};

/** An expression of the kind, of at most so many calls in one another. */
export function randomExpression(kind: Kind, depth: number): fc.Arbitrary<Sql> {
  const leaf = fc.constantFrom(...LEAVES[kind]);
  if (depth === 0) return leaf;
  const call = fc
    .constantFrom(...RULES[kind])
    .chain(([parts, ours, duck]) =>
      fc
        .tuple(...parts.map((part) => randomExpression(part, depth - 1)))
        .map((filled) => fill(ours, duck ?? ours, filled)),
    );
  return fc.oneof({ arbitrary: call, weight: 4 }, { arbitrary: leaf, weight: 1 });
}

export const KINDS: readonly Kind[] = ["int", "float", "dec", "text", "bool", "time", "date"];
