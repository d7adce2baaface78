import { closest } from "../../base/edit-distance.ts";
import type { TimeUnit } from "../../data/types.ts";
import { convert, typedNull } from "../coerce.ts";
import { constantText } from "../constants.ts";
import { conversion } from "../conversion.ts";
import { type ExprType, FLOAT64, INT64, timestamp, timeUnit, UTF8 } from "../expr-type.ts";
import { ExpressionError, type Span } from "../fault.ts";
import { call } from "../fold.ts";
import { toUnit } from "../kernels/cast-time.ts";
import { identity } from "../kernels/identity.ts";
import { PARTS, partOf, partOfDate, secondsOf } from "../kernels/time-parts.ts";
import { secondsToTimestamp } from "../kernels/to-timestamp.ts";
import { TRUNCATIONS, type Truncation, truncate, truncateDate } from "../kernels/truncate-time.ts";
import type { Typed } from "../typed.ts";
import { type FunctionSpec, numberArgument, wrongArgument } from "./spec.ts";

const plural = (word: string): string => word.toLowerCase().replace(/s$/, "");

function unknownWord(node: Span, word: string, words: readonly string[], what: string): ExpressionError {
  const near = closest(word, words);
  return new ExpressionError(node, `there is no ${what} ${JSON.stringify(word)}`, {
    hint: near === undefined ? `use one of ${words.join(", ")}` : `did you mean ${near}?`,
  });
}

/** EXTRACT(part FROM time). */
export function extract(word: string, wordSpan: Span, given: Typed, span: Span): Typed {
  const name = word.toLowerCase();
  const part = PARTS.find((known) => known === name || known === plural(name));
  if (part === undefined) throw unknownWord(wordSpan, word, PARTS, "part of a time");
  const x = typedNull(given, timestamp("us"));
  const { type } = x;
  if (part !== "epoch") {
    if (type.kind === "date") return call(span, INT64, [x], partOfDate(part));
    if (type.kind === "timestamp") return call(span, INT64, [x], partOf(part, type.unit));
  } else if (type.kind === "duration" || type.kind === "timestamp") {
    return call(span, FLOAT64, [x], secondsOf(type.unit));
  } else if (type.kind === "date") return call(span, FLOAT64, [convert(x, timestamp("s"))], secondsOf("s"));
  throw wrongArgument(x, "EXTRACT", "a timestamp or a date", type.kind === "utf8" ? "CAST(… AS timestamp)" : undefined);
}

function truncated([word, given]: readonly Typed[], span: Span): Typed {
  const text = constantText(word as Typed);
  if (text === undefined)
    throw new ExpressionError(word as Typed, "the unit is a constant text", { hint: "write 'hour'" });
  const unit = TRUNCATIONS.find((known) => known === text.toLowerCase() || known === plural(text));
  if (unit === undefined) throw unknownWord(word as Typed, text, TRUNCATIONS, "unit");
  const x = typedNull(given as Typed, timestamp("us"));
  if (x.type.kind === "date") return call(span, x.type, [x], truncateDate(unit as Truncation));
  if (x.type.kind === "timestamp")
    return call(span, x.type, [x], truncate(unit as Truncation, x.type.unit), { mayFail: true });
  throw wrongArgument(x, "date_trunc", "a timestamp or a date");
}

const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];

function toTimestamp([given, unitNode]: readonly Typed[], span: Span): Typed {
  const x = typedNull(given as Typed, INT64);
  const unit = unitNode === undefined ? undefined : UNITS.find((known) => known === constantText(unitNode));
  if (unitNode !== undefined && unit === undefined) {
    throw new ExpressionError(unitNode, "the unit is one of 's', 'ms', 'us', 'ns'");
  }
  if (x.type.kind === "utf8") {
    const type = timestamp(unit ?? "us");
    const parse = conversion(UTF8, type);
    return call(span, type, [x], parse?.make ?? identity, { mayFail: true });
  }
  if (x.type.kind === "int") return call(span, timestamp(unit ?? "s"), [convert(x, INT64)], identity);
  if (unitNode !== undefined) throw wrongArgument(x, "to_timestamp", "a whole number beside a unit");
  return call(span, timestamp("us"), [convert(numberArgument(x, "to_timestamp"), FLOAT64)], secondsToTimestamp, {
    mayFail: true,
  });
}

function epochMs([given]: readonly Typed[], span: Span): Typed {
  const x = typedNull(given as Typed, timestamp("ms"));
  const { type } = x;
  if (type.kind === "int") return call(span, timestamp("ms"), [convert(x, INT64)], identity);
  if (type.kind === "date") return call(span, INT64, [convert(x, timestamp("ms"))], identity);
  const unit = unitOf(type);
  if (unit !== undefined) return call(span, INT64, [x], toUnit(unit, "ms"), { mayFail: unit === "s" });
  if (type.kind === "months") {
    const hint = "subtract two times instead";
    throw new ExpressionError(x, "an interval with months has no fixed length in milliseconds", { hint });
  }
  throw wrongArgument(x, "epoch_ms", "a time, an interval, or a whole number of milliseconds");
}

const unitOf = (type: ExprType): TimeUnit | undefined => (type.kind === "duration" ? type.unit : timeUnit(type));

export const TIME_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: "date_trunc",
    group: "time",
    signature: "date_trunc('unit', time)",
    help: `The beginning of the unit in which a time lies, in UTC: ${TRUNCATIONS.join(", ")}. Weeks begin on Monday.`,
    example: "date_trunc('hour', TIMESTAMP '2024-06-01 12:34:56') → 2024-06-01T12:00:00.000000Z",
    arity: [2, 2],
    resolve: truncated,
  },
  {
    name: "to_timestamp",
    group: "time",
    signature: "to_timestamp(value [, 'unit'])",
    help: "The time of so many seconds since 1970, or of so many 's', 'ms', 'us' or 'ns'; or the time that a text says in ISO 8601.",
    example: "to_timestamp(1717243200000, 'ms') → 2024-06-01T12:00:00.000Z",
    arity: [1, 2],
    resolve: toTimestamp,
  },
  {
    name: "epoch_ms",
    group: "time",
    signature: "epoch_ms(time)",
    help: "Whole milliseconds since 1970, or of an interval, rounded down. Of a whole number it is the time of so many milliseconds.",
    example: "epoch_ms(TIMESTAMP '1970-01-01 00:00:01') → 1000",
    arity: [1, 1],
    resolve: epochMs,
  },
];

/** What EXTRACT and its parts are called in help and completion. */
export const EXTRACT_HELP = {
  name: "extract",
  group: "time",
  signature: "extract(part FROM time)",
  help: `A part of a time, in UTC: ${PARTS.join(", ")}.`,
  example: "extract(hour FROM TIMESTAMP '2024-06-01 12:34:56') → 12",
} as const;
