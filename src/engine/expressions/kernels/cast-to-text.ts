import { assertNever } from "../../base/assert.ts";
import { formatDecimal } from "../../data/decimal.ts";
import { MAX_INTEGER_BYTES, writeInteger } from "../../data/digits.ts";
import { MAX_TEMPORAL_BYTES, writeDate, writeTimestamp } from "../../data/temporal.ts";
import { isUtf8 } from "../../data/text.ts";
import type { LogicalType } from "../../data/types.ts";
import { wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import type { Frame } from "../frame.ts";
import type { MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { type TextVec, type Vec, wordAt } from "../vec.ts";

/**
 * Values as text, as the table and the files of the project write them: integers with every digit, floats with the fewest digits that
 * read back the same, decimals with all digits of their scale, times as ISO 8601 in UTC with the digits of their unit.
 */
export const toText =
  (from: LogicalType): MakeKernel =>
  () => {
    const room = new TextRoom();
    return ([x], frame) => {
      const write = writer(from, x as Vec, room, frame);
      room.begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (frame.wants(i)) write(i);
        room.close();
      }
      return room.finish();
    };
  };

type Write = (row: number) => void;

function writer(from: LogicalType, vec: Vec, room: TextRoom, frame: Frame): Write {
  switch (vec.kind) {
    case "bool":
      return (row) => room.addString(vec.values[row * vec.step] === 1 ? "true" : "false");
    case "double":
      return (row) => room.addString(floatText(vec.values[row * vec.step] as number));
    case "int":
      return intWriter(from, vec.values, vec.step, room);
    case "long":
      return longWriter(from, vec.values, vec.step, room);
    case "decimal": {
      const scale = from.kind === "decimal" ? from.scale : 0;
      return (row) => room.addString(formatDecimal(vec.values, 4 * row * vec.step, scale));
    }
    case "text":
      return bytesWriter(vec, room, frame);
    default:
      return assertNever(vec);
  }
}

/** The sign of −0 is kept. */
const floatText = (value: number): string => (Object.is(value, -0) ? "-0.0" : String(value));

function intWriter(from: LogicalType, values: Int32Array, step: number, room: TextRoom): Write {
  if (from.kind === "date") {
    return (row) => room.write(MAX_TEMPORAL_BYTES, (target, at) => writeDate(values[row * step] as number, target, at));
  }
  return (row) => room.write(MAX_INTEGER_BYTES, (target, at) => writeInteger(values[row * step] as number, target, at));
}

function longWriter(from: LogicalType, values: Int32Array, step: number, room: TextRoom): Write {
  if (from.kind === "timestamp") {
    const { unit } = from;
    return (row) => {
      const lo = values[2 * row * step] as number;
      const hi = values[2 * row * step + 1] as number;
      room.write(MAX_TEMPORAL_BYTES, (target, at) => writeTimestamp(lo, hi, unit, target, at));
    };
  }
  const signed = from.kind !== "int" || from.signed;
  return (row) => {
    const at = 2 * row * step;
    const high = values[at + 1] as number;
    if (high < -2097152 || high >= 2097152) room.addString(String(wordsToBigInt(values, at, signed)));
    else {
      const value = wordsToNumber(values[at] as number, signed ? high : high >>> 0);
      if (value > Number.MAX_SAFE_INTEGER) room.addString(String(wordsToBigInt(values, at, signed)));
      else room.write(MAX_INTEGER_BYTES, (target, end) => writeInteger(value, target, end));
    }
  };
}

/** Bytes of a binary that are text already. */
function bytesWriter(vec: TextVec, room: TextRoom, frame: Frame): Write {
  return (row) => {
    const word = wordAt(vec, row);
    const start = vec.offsets[word] as number;
    const end = vec.offsets[word + 1] as number;
    if (isUtf8(vec.bytes, start, end)) room.add(vec.bytes, start, end);
    else frame.fail(row, () => "the bytes are no UTF-8");
  };
}
