import { describe, expect, it, test } from "vitest";
import { faultsOf } from "../testing/evaluate.ts";
import { schema } from "../testing/stage-kit.ts";
import { checkExpression, faultPlace, repaired } from "./check-expression.ts";
import type { ExpressionFault } from "./fault.ts";

const COLUMNS = schema(
  "id int64 not null, price float64, amount decimal(10,2), name utf8, ok boolean, at timestamp[ms], day date, from utf8, raw binary",
);

describe("what is wrong is told where it is, with what to do", () => {
  test.each([
    ["nme = 'x'", '0-3 there is no column "nme"; did you mean name?'],
    ["frm = 'x'", '0-3 there is no column "frm"; did you mean "from"?'],
    ["NAME = 'x'", '0-4 there is no column "NAME"; did you mean name?'],
    [
      'name = "x y"',
      '7-12 there is no column "x y"; the columns are id, price, amount, name, ok, at, day, from, raw; text is written in single quotes',
    ],
    ["lowr(name)", "0-4 there is no function lowr; did you mean lower?"],
    [
      "frobnicate(1)",
      "0-10 there is no function frobnicate; the functions are abs, ceil, coalesce, concat, date_trunc, epoch_ms, exp, floor, greatest, hash, least, length, ln, lower, mod, nullif, power, regexp_like, regexp_replace, replace, round, sign, split_part, sqrt, starts_with, substring, to_timestamp, trim, upper",
    ],
    [
      "max(id)",
      "0-3 there is no function max; an expression sees one row; nodes such as window, aggregate and rank see many",
    ],
    ["if(ok, 1, 2)", "0-2 there is no function if; write CASE WHEN … THEN … ELSE … END"],
    [
      "substring(name)",
      "0-15 substring takes at least 2 arguments, and here are 1; write substring(text, start [, count])",
    ],
    ["abs(1, 2)", "0-9 abs takes 1 argument, and here are 2; write abs(number)"],
    ["concat()", "0-8 concat takes at least 1 argument, and here are 0; write concat(value, …)"],
    ["lower(id)", "6-8 lower needs text, and this is int64; CAST(… AS utf8) makes a text of it"],
    ["sqrt(name)", "5-9 sqrt needs a number, and this is utf8; CAST(… AS float64) makes a number of a text"],
    ["id + name", "3-4 + adds numbers; text is joined by ||"],
    [
      "id - name",
      "3-4 - stands between numbers, and the right side is utf8; CAST(… AS int64) makes a number of a text",
    ],
    [
      "at + 1",
      "3-4 + stands between numbers, and the left side is timestamp[ms]; times take intervals: INTERVAL '1' HOUR",
    ],
    ["ok * 2", "3-4 * stands between numbers, and the left side is boolean"],
    ["-name", "1-5 - stands before a number, and this is utf8"],
    ["id || price", "3-5 || joins texts, and neither int64 nor float64 is one; CAST one side AS utf8"],
    [
      "id = 'x'",
      "5-8 this compares int64 and utf8; a text is no number: write numbers without quotes, or CAST one side",
    ],
    ["ok = 1", "5-6 this compares boolean and int64; CAST one of them"],
    [
      "at > 'yesterday'",
      '5-16 "yesterday" is no timestamp; write it as 2024-06-01T12:30:00Z; without a zone it is UTC',
    ],
    ["day in ('2024-06-01', 'x')", '22-25 "x" is no date; write it as 2024-06-01'],
    ["DATE '2024-02-30'", '5-17 "2024-02-30" is no date; write it as 2024-06-01'],
    ["id AND ok", "0-2 AND needs a condition, and this is int64; compare it with something: <> 0"],
    ["NOT name", "4-8 NOT needs a condition, and this is utf8; compare it with something"],
    ["CASE WHEN id THEN 1 END", "10-12 WHEN needs a condition, and this is int64; compare it with something: <> 0"],
    [
      "CASE WHEN ok THEN 1 ELSE 'x' END",
      "25-28 CASE gives int64 and utf8; a text is no number: write numbers without quotes, or CAST one side",
    ],
    ["COALESCE(name, id)", "15-17 COALESCE gives utf8 and int64; CAST one of them"],
    ["greatest(ok, name)", "13-17 greatest compares boolean and utf8; CAST one of them"],
    [
      "id IN (1, 'x')",
      "10-13 IN compares int64 and utf8; a text is no number: write numbers without quotes, or CAST one side",
    ],
    ["CAST(at AS int64)", "0-17 timestamp[ms] does not become int64; epoch_ms(…) makes a number of a time"],
    [
      "CAST(id AS timestamp)",
      "0-21 int64 does not become timestamp[us]; to_timestamp(…, 'ms') makes a time of a number",
    ],
    ["raw::date", "0-9 binary does not become date"],
    ["NULL", "0-4 NULL alone has no type; write CAST(NULL AS utf8), or another type"],
    ["at - day", "0-8 an interval is no value of a column; epoch_ms(…) makes a number of milliseconds of it"],
    [
      "INTERVAL '1' MONTH",
      "0-18 an interval is no value of a column; epoch_ms(…) makes a number of milliseconds of it",
    ],
    [
      "INTERVAL '1' MONTH > INTERVAL '1' DAY",
      "0-37 months have no fixed length to compare; compare times, or use days",
    ],
    [
      "INTERVAL '1' MONTH + INTERVAL '1' DAY",
      "19-20 an interval with months takes no +: its length depends on the time beside it; write one interval, such as INTERVAL '1 month 2 days', or add one after the other to a time",
    ],
    [
      "epoch_ms(INTERVAL '1' MONTH)",
      "9-27 an interval with months has no fixed length in milliseconds; subtract two times instead",
    ],
    ["price > 1e400", "8-13 1e400 is out of range for float64; write CAST('Infinity' AS float64), or 0e0"],
    ["price > 1.5e-400", "8-16 1.5e-400 is out of range for float64; write CAST('Infinity' AS float64), or 0e0"],
    ["concat(INTERVAL '1' DAY)", "7-23 concat takes no interval"],
    ["INTERVAL '1' DAY || 'x'", "0-16 an interval has no text; epoch_ms(…) makes it a number of milliseconds"],
    ["EXTRACT(yeer FROM at)", '8-12 there is no part of a time "yeer"; did you mean year?'],
    ["EXTRACT(year FROM name)", "18-22 EXTRACT needs a timestamp or a date, and this is utf8; CAST(… AS timestamp)"],
    ["date_trunc('hour', id)", "19-21 date_trunc needs a timestamp or a date, and this is int64"],
    ["date_trunc(name, at)", "11-15 the unit is a constant text; write 'hour'"],
    ["to_timestamp(id, 'min')", "17-22 the unit is one of 's', 'ms', 'us', 'ns'"],
    ["round(price, id)", "13-15 the number of places is a constant between -38 and 38"],
    ["name LIKE 'a!' ESCAPE '!'", "10-14 the pattern ends with its escape character"],
    ["name LIKE 'a' ESCAPE '!!'", "21-25 an escape is one character"],
    ["regexp_like(name, '(')", "18-21 this is no regular expression: a ( has no )"],
    ["regexp_like(name, name)", "18-22 a pattern is a constant text"],
    ["regexp_like(name, 'a', 'x')", '23-26 there is no option "x"; the options are i, m, s'],
    [
      "amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount * amount",
      "169-170 the result has 40 digits behind the point, and 38 are possible; CAST one side to a decimal with fewer digits behind the point",
    ],
    [
      "123456789012345678901234567890123456789",
      "0-39 a decimal has at most 38 digits; write 123456789012345678901234567890123456789e0 for the nearest float64",
    ],
  ])("%s", (text, fault) => {
    expect(faultsOf(text, COLUMNS)).toEqual([fault]);
  });

  it("all faults are told at once, in the order of the text", () => {
    expect(faultsOf("lowr(x) || upper(id) || CASE nam WHEN 1 THEN y END", COLUMNS)).toEqual([
      "0-4 there is no function lowr; did you mean lower?",
      expect.stringMatching(/^5-6 there is no column "x"/),
      "17-19 upper needs text, and this is int64; CAST(… AS utf8) makes a text of it",
      '29-32 there is no column "nam"; did you mean name?',
      expect.stringMatching(/^45-46 there is no column "y"/),
    ]);
  });

  it("a fault has its place as people count it, and a repair", () => {
    const text = "price > 1\n  AND nme = 'x'";
    const checked = checkExpression(text, COLUMNS, "condition");
    const [fault] = (checked as { faults: readonly ExpressionFault[] }).faults as [ExpressionFault];
    expect(faultPlace(text, fault)).toBe("line 2, character 7");
    expect(repaired(text, fault)).toBe("price > 1\n  AND name = 'x'");
    expect(faultPlace("nme", { from: 0, to: 3, message: "" })).toBe("character 1");
    expect(repaired(text, { ...fault, replacement: undefined })).toBeUndefined();
  });

  it("a condition is wanted where one is", () => {
    expect(checkExpression("id", COLUMNS, "condition")).toMatchObject({
      faults: [{ message: "a filter needs a condition, and this is int64" }],
    });
    expect(checkExpression("NULL", COLUMNS, "condition")).toMatchObject({ kind: "ok", type: { kind: "boolean" } });
  });
});

describe("what may be NULL, and what may fail", () => {
  test.each<[string, boolean, boolean]>([
    ["id", false, false],
    ["name", true, false],
    ["id + 1", false, true],
    ["id * 1.5", false, false],
    ["price * id", true, false],
    ["id = 1", false, false],
    ["name IS NULL", false, false],
    ["name IS DISTINCT FROM 'x'", false, false],
    ["ok IS TRUE", false, false],
    ["id IN (1, 2)", false, false],
    ["id IN (1, NULL)", true, false],
    ["COALESCE(name, 'x')", false, false],
    ["COALESCE(name, CAST(id AS utf8))", false, false],
    ["NULLIF(id, 0)", true, false],
    ["CASE WHEN ok THEN 1 ELSE 2 END", false, false],
    ["CASE WHEN ok THEN 1 END", true, false],
    ["CAST(id AS int8)", false, true],
    ["TRY_CAST(id AS int8)", true, false],
    ["CAST(id AS float64)", false, false],
    ["COALESCE(TRY_CAST(name AS int64), id / 2)", false, true],
    ["concat(name, 'x')", false, false],
    ["name || 'x'", true, false],
    ["greatest(id, price)", false, false],
    ["hash(name)", false, false],
    ["at + INTERVAL '1' DAY", true, true],
    ["1 / 0", false, true],
    ["1 / 1", false, false],
  ])("%s", (text, nullable, mayFail) => {
    expect(checkExpression(text, COLUMNS)).toMatchObject({ kind: "ok", nullable, mayFail });
  });
});
