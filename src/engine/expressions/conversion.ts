import type { LogicalType, TimeUnit } from "../data/types.ts";
import {
  asDecimal,
  type DecimalType,
  type ExprType,
  type IntType,
  intRange,
  isColumnType,
  sameExprType,
  unitSteps,
} from "./expr-type.ts";
import type { MakeKernel } from "./kernel.ts";
import { fromText } from "./kernels/cast-from-text.ts";
import { booleanToInt, decimalToInt, doubleToInt, intToInt, intToLong, longToInt } from "./kernels/cast-int.ts";
import {
  decimalToDecimal,
  decimalToDouble,
  doubleToDecimal,
  doubleToSingle,
  intToDecimal,
  intToDouble,
  longToDecimal,
  longToDouble,
  toBoolean,
} from "./kernels/cast-number.ts";
import { dateToTimestamp, timestampToDate, toUnit } from "./kernels/cast-time.ts";
import { toText } from "./kernels/cast-to-text.ts";
import { vecKind } from "./vec.ts";

/** How a value of one type becomes one of another. */
export interface Conversion {
  /** `null`: both are held in the same way, and every value fits. */
  readonly make: MakeKernel | null;
  readonly mayFail: boolean;
}

const SAME: Conversion = { make: null, mayFail: false };
const always = (make: MakeKernel): Conversion => ({ make, mayFail: false });
const checked = (make: MakeKernel): Conversion => ({ make, mayFail: true });

/** `undefined`: no cast leads from one type to the other. */
export function conversion(from: ExprType, to: ExprType): Conversion | undefined {
  if (sameExprType(from, to)) return SAME;
  if (from.kind === "duration" && to.kind === "duration") return unitConversion(from.unit, to.unit);
  if (!isColumnType(from) || !isColumnType(to)) return undefined;
  switch (to.kind) {
    case "utf8":
      return from.kind === "binary" ? checked(toText(from)) : always(toText(from));
    case "binary":
      return from.kind === "utf8" ? SAME : undefined;
    case "boolean":
      if (from.kind === "utf8") return checked(fromText(to));
      return from.kind === "int" ? always(toBoolean) : undefined;
    case "int":
      return toIntConversion(from, to);
    case "float":
      return toFloatConversion(from, to.bits);
    case "decimal":
      return toDecimalConversion(from, to);
    case "date":
      if (from.kind === "utf8") return checked(fromText(to));
      return from.kind === "timestamp" ? checked(timestampToDate(from.unit)) : undefined;
    case "timestamp":
      if (from.kind === "utf8") return checked(fromText(to));
      if (from.kind === "date")
        return { make: dateToTimestamp(to.unit), mayFail: to.unit === "us" || to.unit === "ns" };
      return from.kind === "timestamp" ? unitConversion(from.unit, to.unit) : undefined;
  }
}

function unitConversion(from: TimeUnit, to: TimeUnit): Conversion {
  return { make: toUnit(from, to), mayFail: unitSteps(from, to) > 0 };
}

function toIntConversion(from: LogicalType, to: IntType): Conversion | undefined {
  switch (from.kind) {
    case "int":
      return betweenInts(from, to);
    case "boolean":
      return always(booleanToInt(to));
    case "float":
      return checked(doubleToInt(to));
    case "decimal":
      return checked(decimalToInt(from, to));
    case "utf8":
      return checked(fromText(to));
    default:
      return undefined;
  }
}

/** Whether every value of one integer type is one of the other. */
export function holdsAll(to: IntType, from: IntType): boolean {
  const [least, greatest] = intRange(from);
  const [first, last] = intRange(to);
  return first <= least && greatest <= last;
}

function betweenInts(from: IntType, to: IntType): Conversion {
  const mayFail = !holdsAll(to, from);
  const isLong = vecKind(from) === "long";
  if (!mayFail && vecKind(to) === vecKind(from)) return SAME;
  if (!mayFail && to.signed) return always(intToLong);
  return { make: isLong ? longToInt(from, to) : intToInt(to), mayFail };
}

function toFloatConversion(from: LogicalType, bits: 32 | 64): Conversion | undefined {
  if (from.kind === "utf8") return checked(fromText({ kind: "float", bits }));
  if (from.kind === "float") return bits === 64 ? SAME : checked(doubleToSingle);
  const wide = wideFloat(from);
  if (wide === undefined || bits === 64) return wide && always(wide);
  return checked(inTurn(wide, doubleToSingle));
}

function wideFloat(from: LogicalType): MakeKernel | undefined {
  if (from.kind === "decimal") return decimalToDouble(from);
  if (from.kind !== "int") return undefined;
  return vecKind(from) === "long" ? longToDouble(from.signed) : intToDouble;
}

/** One kernel on the result of another; the value between has the NULLs of the frame. */
const inTurn =
  (first: MakeKernel, second: MakeKernel): MakeKernel =>
  () => {
    const [one, two] = [first(), second()];
    return (args, frame) => two([one(args, frame)], frame);
  };

function toDecimalConversion(from: LogicalType, to: DecimalType): Conversion | undefined {
  switch (from.kind) {
    case "int": {
      const make = vecKind(from) === "long" ? longToDecimal(from, to) : intToDecimal(to);
      return { make, mayFail: to.precision - to.scale < asDecimal(from).precision };
    }
    case "decimal": {
      const mayFail = to.precision - to.scale < from.precision - from.scale + (to.scale < from.scale ? 1 : 0);
      return to.scale === from.scale && !mayFail ? SAME : { make: decimalToDecimal(from, to), mayFail };
    }
    case "float":
      return checked(doubleToDecimal(to));
    case "utf8":
      return checked(fromText(to));
    default:
      return undefined;
  }
}
