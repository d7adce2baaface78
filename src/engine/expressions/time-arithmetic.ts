import type { ArithmeticOperator } from "./ast.ts";
import { convert, typedNull } from "./coerce.ts";
import { durationConstant } from "./constants.ts";
import { DATE, duration, type ExprType, finerUnit, INT64, timestamp, timeUnit } from "./expr-type.ts";
import type { Span } from "./fault.ts";
import { call } from "./fold.ts";
import { addMonths } from "./kernels/add-months.ts";
import { addDays, daysBetween } from "./kernels/date-math.ts";
import { addLongs, multiplyLongs, subtractLongs } from "./kernels/long-math.ts";
import type { MonthsNode, Typed } from "./typed.ts";

/**
 * Times and intervals: time ± interval, time − time, interval ± interval, interval · integer, date ± days. The unit of the result is the
 * finer one; a date with an interval becomes a timestamp.
 */
export function timeArithmetic(
  operator: ArithmeticOperator,
  given: Typed,
  other: Typed,
  span: Span,
): Typed | undefined {
  const [left, right] = [lengthBeside(given, other), lengthBeside(other, given)];
  switch (operator) {
    case "+":
      return isInterval(left.type) && isTime(right.type) ? shifted(right, left, 1, span) : added(left, right, 1, span);
    case "-":
      return added(left, right, -1, span);
    case "*":
      return multiplied(left, right, span) ?? multiplied(right, left, span);
    default:
      return undefined;
  }
}

/** A NULL beside a time is an interval. */
const lengthBeside = (node: Typed, other: Typed): Typed =>
  isTime(other.type) || other.type.kind === "duration" ? typedNull(node, duration("s")) : node;

const isTime = (type: ExprType): boolean => type.kind === "timestamp" || type.kind === "date";
const isInterval = (type: ExprType): boolean => type.kind === "duration" || type.kind === "months";

function added(left: Typed, right: Typed, sign: 1 | -1, span: Span): Typed | undefined {
  if (isTime(left.type) && isInterval(right.type)) return shifted(left, right, sign, span);
  if (left.type.kind === "duration" && right.type.kind === "duration") {
    const type = duration(finerUnit(left.type.unit, right.type.unit));
    const make = sign === 1 ? addLongs : subtractLongs;
    return call(span, type, [convert(left, type), convert(right, type)], make, { mayFail: true });
  }
  if (left.type.kind === "date" && right.type.kind === "int") {
    return call(span, DATE, [left, convert(right, INT64)], addDays(sign), { mayFail: true });
  }
  if (left.type.kind === "int" && right.type.kind === "date" && sign === 1) return added(right, left, 1, span);
  return sign === -1 && isTime(left.type) && isTime(right.type) ? difference(left, right, span) : undefined;
}

/** Dates differ by days, everything else by an interval. */
function difference(left: Typed, right: Typed, span: Span): Typed {
  if (left.type.kind === "date" && right.type.kind === "date") return call(span, INT64, [left, right], daysBetween);
  const unit = finerUnit(timeUnit(left.type) ?? "s", timeUnit(right.type) ?? "s");
  const args = [convert(left, timestamp(unit)), convert(right, timestamp(unit))];
  return call(span, duration(unit), args, subtractLongs, { mayFail: true });
}

/** Months first, on the calendar, then the rest. */
function shifted(time: Typed, interval: Typed, sign: 1 | -1, span: Span): Typed {
  if (interval.kind === "months") return shiftedByMonths(time, interval, sign, span);
  const unit = finerUnit(timeUnit(time.type) ?? "s", interval.type.kind === "duration" ? interval.type.unit : "s");
  const args = [convert(time, timestamp(unit)), convert(interval, duration(unit))];
  return call(span, timestamp(unit), args, sign === 1 ? addLongs : subtractLongs, { mayFail: true });
}

function shiftedByMonths(time: Typed, interval: MonthsNode, sign: 1 | -1, span: Span): Typed {
  const type = timestamp(timeUnit(time.type) ?? "s");
  const make = addMonths(sign * interval.months, type.kind === "timestamp" ? type.unit : "s");
  const moved = call(span, type, [convert(time, type)], make, { mayFail: true });
  return interval.nanoseconds === 0n
    ? moved
    : shifted(moved, durationConstant(interval.nanoseconds, interval), sign, span);
}

function multiplied(interval: Typed, factor: Typed, span: Span): Typed | undefined {
  if (interval.type.kind !== "duration" || factor.type.kind !== "int") return undefined;
  return call(span, interval.type, [interval, convert(factor, INT64)], multiplyLongs, { mayFail: true });
}
