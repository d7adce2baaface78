import { ExpressionError, type Span } from "./fault.ts";

/** How long an interval is: months have no fixed length, everything else is nanoseconds. */
export interface IntervalLength {
  readonly months: number;
  readonly nanoseconds: bigint;
}

type Unit = { readonly months: number } | { readonly nanoseconds: bigint };

const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["year", { months: 12 }],
  ["quarter", { months: 3 }],
  ["month", { months: 1 }],
  ["week", { nanoseconds: 604_800n * SECOND }],
  ["day", { nanoseconds: 86_400n * SECOND }],
  ["hour", { nanoseconds: 3_600n * SECOND }],
  ["minute", { nanoseconds: 60n * SECOND }],
  ["second", { nanoseconds: SECOND }],
  ["millisecond", { nanoseconds: 1_000_000n }],
  ["microsecond", { nanoseconds: 1_000n }],
  ["nanosecond", { nanoseconds: 1n }],
]);

const SHORT: ReadonlyMap<string, string> = new Map([
  ["mon", "month"],
  ["d", "day"],
  ["h", "hour"],
  ["min", "minute"],
  ["sec", "second"],
  ["s", "second"],
  ["ms", "millisecond"],
  ["us", "microsecond"],
  ["ns", "nanosecond"],
]);

/** The units of intervals in the singular. */
export const INTERVAL_UNITS: readonly string[] = [...UNITS.keys()];

function unitOf(word: string): Unit | undefined {
  const name = word.toLowerCase();
  return UNITS.get(SHORT.get(name) ?? name) ?? UNITS.get(name.replace(/s$/, ""));
}

/** ±292,277 years in months; beyond it no date exists that any unit holds. */
const MOST_MONTHS = 3_600_000;
/** About as many nanoseconds. */
const MOST_NANOSECONDS = 9_223_372_036_854_775_807n * SECOND;

const PART = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*([A-Za-z]*)/;

/**
 * The length of `INTERVAL '1 hour 30 minutes'`, or of `INTERVAL '90' MINUTE` with its unit behind the text.
 *
 * @throws ExpressionError at `span`
 */
export function parseInterval(text: string, unit: string | undefined, span: Span): IntervalLength {
  let months = 0;
  let nanoseconds = 0n;
  let rest = text;
  do {
    const match = PART.exec(rest);
    const [whole = "", sign = "", integer = "", fraction = "", name = ""] = match ?? [];
    if (integer + fraction === "" || whole.length > 60) throw notAnInterval(span);
    const word = unit ?? name;
    if (unit !== undefined && name !== "") throw notAnInterval(span);
    const length = unitOf(word);
    if (length === undefined) throw unknownUnit(word, span);
    const amount = BigInt(`${sign === "-" ? "-" : ""}${integer}${fraction}`);
    const parts = 10n ** BigInt(fraction.length);
    if ("months" in length) months += Number(wholeParts(amount * BigInt(length.months), parts, span));
    else nanoseconds += wholeParts(amount * length.nanoseconds, parts, span);
    rest = rest.slice(whole.length);
  } while (rest.trim() !== "");
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (Math.abs(months) > MOST_MONTHS || size > MOST_NANOSECONDS) {
    throw new ExpressionError(span, "the interval is longer than any time");
  }
  return { months, nanoseconds };
}

function wholeParts(amount: bigint, parts: bigint, span: Span): bigint {
  if (amount % parts === 0n) return amount / parts;
  throw new ExpressionError(span, "an interval is a whole number of months and of nanoseconds");
}

function notAnInterval(span: Span): ExpressionError {
  const hint = "write INTERVAL '90' MINUTE or INTERVAL '1 hour 30 minutes'";
  return new ExpressionError(span, "this is no interval", { hint });
}

function unknownUnit(word: string, span: Span): ExpressionError {
  const message = word === "" ? "the interval has no unit" : `there is no unit ${JSON.stringify(word)}`;
  return new ExpressionError(span, message, { hint: `the units are ${INTERVAL_UNITS.join(", ")}` });
}
