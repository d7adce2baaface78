import { assertNever } from "../../base/assert.ts";
import { widenDecimals, widenHalfs } from "../../data/arrow/widen.ts";
import type { Bits, FixedValues } from "../../data/column.ts";
import { bytesOf, newFixedValues, newTextBytes } from "../../data/storage.ts";
import type { LogicalType } from "../../data/types.ts";
import type { ColumnType, Storage } from "./column-types.ts";
import type { RawTexts } from "./delta.ts";
import type { PageReader } from "./page-reader.ts";

/** The values of a page without its NULLs, as the engine stores them. */
export type Values =
  | { readonly encoding: "fixed"; readonly values: FixedValues }
  | { readonly encoding: "bits"; readonly values: Bits }
  | { readonly encoding: "var"; readonly offsets: Int32Array; readonly bytes: Uint8Array };

const fixed = (values: FixedValues): Values => ({ encoding: "fixed", values });

/** Bytes of a value in a page; `undefined` where they vary, or are bits. */
export function bytesPerValue(storage: Storage): number | undefined {
  switch (storage.kind) {
    case "bits":
      return undefined;
    case "narrow":
      return 4;
    case "half":
      return 2;
    case "uuid":
      return 16;
    case "int96":
      return 12;
    default:
      return storage.bytes;
  }
}

/** Plain values of fixed width, one behind the other from byte `start`. */
export function fixedValues({ type, storage }: ColumnType, bytes: Uint8Array, start: number, count: number): Values {
  switch (storage.kind) {
    case "words":
      return fixed(copied(type, bytes, start, count * storage.bytes, count));
    case "narrow":
      return fixed(narrowed(type, int32s(bytes, start, count), count));
    case "short-decimal":
      return fixed(widenDecimals(bytes.subarray(start), 8 * storage.bytes, count));
    case "half": {
      const halfs = new Uint16Array(count);
      bytesOf(halfs).set(bytes.subarray(start, start + 2 * count));
      return fixed(widenHalfs(halfs, count));
    }
    case "int96":
      return fixed(nanoseconds(bytes, start, count));
    case "uuid":
      return uuids(bytes, start, count);
    case "long-decimal":
    case "texts": {
      const width = storage.bytes ?? 0;
      const offsets = Int32Array.from({ length: count + 1 }, (_, i) => i * width);
      return textValues(storage, { offsets, bytes: bytes.slice(start, start + count * width) });
    }
    case "bits":
      throw new Error("booleans in an encoding that is not theirs");
    default:
      return assertNever(storage);
  }
}

/** Values whose length varies, or might. */
export function textValues(storage: Storage, texts: RawTexts): Values {
  if (storage.kind === "long-decimal") return fixed(longDecimals(texts));
  return { encoding: "var", offsets: texts.offsets, bytes: texts.bytes };
}

function copied(type: LogicalType, bytes: Uint8Array, start: number, size: number, count: number): FixedValues {
  const values = newFixedValues(type, count);
  bytesOf(values).set(bytes.subarray(start, start + size));
  return values;
}

function int32s(bytes: Uint8Array, start: number, count: number): Int32Array {
  const values = new Int32Array(count);
  bytesOf(values).set(bytes.subarray(start, start + 4 * count));
  return values;
}

/** A number that its type does not hold is damage: cut to size it would be another one. */
function narrowed(type: LogicalType, wide: Int32Array, count: number): FixedValues {
  const values = newFixedValues(type, count);
  values.set(wide);
  for (let i = 0; i < count; i++) {
    if (values[i] !== wide[i]) throw new Error(`${wide[i]} lies outside of its type`);
  }
  return values;
}

/** Each value behind its length. */
export function readPlainTexts(reader: PageReader, count: number): RawTexts {
  const { bytes } = reader;
  const offsets = new Int32Array(count + 1);
  if (reader.left < 4 * count) reader.skip(4 * count);
  const target = newTextBytes(reader.left - 4 * count);
  let at = 0;
  let pos = reader.at;
  for (let i = 0; i < count; i++) {
    if (pos + 4 > reader.end) reader.skip(reader.left + 1);
    const length =
      (bytes[pos] as number) |
      ((bytes[pos + 1] as number) << 8) |
      ((bytes[pos + 2] as number) << 16) |
      ((bytes[pos + 3] as number) << 24);
    pos += 4;
    if (length < 0 || pos + length > reader.end || at + length > target.length) reader.skip(reader.left + 1);
    if (length > 24) target.set(bytes.subarray(pos, pos + length), at);
    else for (let k = 0; k < length; k++) target[at + k] = bytes[pos + k] as number;
    pos += length;
    at += length;
    offsets[i + 1] = at;
  }
  reader.at = pos;
  return { offsets, bytes: target };
}

/** Two's complement, most significant byte first, as four words, lowest first. */
function longDecimals({ offsets, bytes }: RawTexts): Int32Array {
  const count = offsets.length - 1;
  const values = new Int32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const from = offsets[i] as number;
    const end = offsets[i + 1] as number;
    const sign = end > from && (bytes[from] as number) > 127 ? -1 : 0;
    if (sign !== 0) values.fill(-1, 4 * i, 4 * i + 4);
    for (let at = end - 1, bit = 0; at >= from; at--, bit += 8) {
      const byte = bytes[at] as number;
      if (bit >= 128) {
        if (byte !== (sign & 255)) throw new Error("a decimal has more than 128 bits");
        continue;
      }
      const word = 4 * i + (bit >> 5);
      const shift = bit & 31;
      values[word] = ((values[word] as number) & ~(255 << shift)) | (byte << shift);
    }
  }
  return values;
}

const JULIAN_1970 = 2_440_588;
const SECONDS_A_DAY = 86_400;

/** Nanoseconds since 1970 as two words, without a BigInt for each: seconds times 10⁹ in pieces that stay below 2⁵³. */
function nanoseconds(bytes: Uint8Array, start: number, count: number): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 12 * count);
  const values = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const ofDay = view.getUint32(12 * i, true) + view.getInt32(12 * i + 4, true) * 2 ** 32;
    const days = view.getInt32(12 * i + 8, true) - JULIAN_1970;
    const whole = Math.floor(ofDay / 1e9);
    const seconds = days * SECONDS_A_DAY + whole;
    const highPart = Math.floor(seconds / 65_536);
    const low = (seconds - highPart * 65_536) * 1e9 + (ofDay - whole * 1e9);
    const middle = highPart * 1e9;
    const top = Math.floor(middle / 65_536);
    const rest = (middle - top * 65_536) * 65_536 + low;
    const high = top + Math.floor(rest / 2 ** 32);
    if (high < -(2 ** 31) || high >= 2 ** 31) {
      throw new Error("a time lies outside of the years 1677 to 2262, which a timestamp[ns] holds");
    }
    values[2 * i] = (rest % 2 ** 32) | 0;
    values[2 * i + 1] = high;
  }
  return values;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const DASHES: ReadonlySet<number> = new Set([4, 6, 8, 10]);

function uuids(bytes: Uint8Array, start: number, count: number): Values {
  const target = newTextBytes(36 * count);
  const offsets = Int32Array.from({ length: count + 1 }, (_, i) => i * 36);
  let at = 0;
  for (let i = 0; i < 16 * count; i++) {
    if (DASHES.has(i & 15)) target[at++] = 45;
    const hex = HEX[bytes[start + i] as number] as string;
    target[at++] = hex.charCodeAt(0);
    target[at++] = hex.charCodeAt(1);
  }
  return { encoding: "var", offsets, bytes: target };
}
