import { assert, assertNever } from "../base/assert.ts";
import type { Column, VarColumn } from "./column.ts";
import { type ColumnBuilder, columnBuilder } from "./column-builder.ts";
import { stripped, unitNumber, unstripDecimal, unstripInstant } from "./key-canonical.ts";
import { KeyTag } from "./key-encoding.ts";
import type { LogicalType } from "./types.ts";

/**
 * The columns of keys that `encodeKeys` made of columns of these types: of values that are equal, one (0 for −0). `rows` are the
 * keys wanted, in this order.
 */
export function decodeKeys(keys: VarColumn, rows: Int32Array, types: readonly LogicalType[]): Column[] {
  const view = new DataView(keys.bytes.buffer, keys.bytes.byteOffset, keys.bytes.byteLength);
  const builders = types.map((type) => columnBuilder(type, rows.length));
  for (const row of rows) {
    let at = keys.offsets[row] as number;
    for (const builder of builders) at = appendValue(builder, keys.bytes, view, at);
    assert(at === keys.offsets[row + 1], "a key has one value for each column");
  }
  return builders.map((builder) => builder.finish());
}

/** Answers where the value ends. */
function appendValue(builder: ColumnBuilder, bytes: Uint8Array, view: DataView, start: number): number {
  const tag = bytes[start];
  const at = start + 1;
  if (tag === KeyTag.null) {
    builder.appendNull();
    return at;
  }
  switch (builder.kind) {
    case "boolean":
      builder.append(bytes[at] === 1);
      return at + 1;
    case "number":
      if (tag === KeyTag.float) builder.append(view.getFloat64(at, true));
      else builder.append(view.getInt32(at, true));
      return at + (tag === KeyTag.date ? 4 : 8);
    case "words":
      return appendWords(builder, bytes, view, at);
    case "decimal": {
      const more = (builder.type.kind === "decimal" ? builder.type.scale : 0) - (bytes[at] as number);
      assert(more >= 0, "a key has no more decimal places than its type");
      for (let word = 0; word < 4; word++) stripped[word] = view.getInt32(at + 1 + 4 * word, true);
      builder.appendBigInt(unstripDecimal(more));
      return at + 17;
    }
    case "text": {
      const end = at + 4 + view.getInt32(at, true);
      builder.appendBytes(bytes, at + 4, end);
      return end;
    }
    default:
      return assertNever(builder);
  }
}

function appendWords(
  builder: ColumnBuilder & { kind: "words" },
  bytes: Uint8Array,
  view: DataView,
  at: number,
): number {
  const { type } = builder;
  const isInstant = type.kind === "timestamp";
  const from = isInstant ? at + 1 : at;
  stripped[0] = view.getInt32(from, true);
  stripped[1] = view.getInt32(from + 4, true);
  if (isInstant) {
    const finer = unitNumber(type.unit) - (bytes[at] as number);
    assert(finer >= 0, "a key is no finer than the unit of its type");
    unstripInstant(finer);
  }
  builder.append(stripped[0] as number, stripped[1] as number);
  return from + 8;
}
