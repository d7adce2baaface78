import type * as arrow from "apache-arrow";
import { WeirError } from "../../base/errors.ts";
import type { VarColumn } from "../column.ts";
import { bytesOf, newTextBytes } from "../storage.ts";
import { damaged } from "./damaged.ts";

type Text = Pick<VarColumn, "offsets" | "bytes">;

const MAX_BYTES = 2 ** 31 - 1;
/** Bytes of a view: length, then either up to 12 bytes of text or its first four, a buffer and a place in it. */
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/** Text with 64-bit offsets: the part that the rows use must fit 31 bits. */
export function largeText(data: arrow.Data, bytes: Uint8Array): Text {
  const { length } = data;
  const large = data.valueOffsets as unknown as BigInt64Array;
  const base = Number(large[0] ?? 0n);
  const end = Number(large[length] ?? 0n);
  if (end - base > MAX_BYTES) {
    throw new WeirError({
      code: "column-too-large",
      domain: "data",
      message: "a column of text holds at most 2 GiB a batch",
      hint: "write smaller batches",
    });
  }
  const offsets = new Int32Array(length + 1);
  for (let row = 1; row <= length; row++) offsets[row] = Number((large[row] as bigint) - BigInt(base));
  return { offsets, bytes: bytes.subarray(base, end) };
}

/** Text by views: copied together, because the engine has one buffer a column. */
export function viewText(data: arrow.Data): Text {
  const { length } = data;
  const views = bytesOf(data.values as Uint8Array);
  if (views.length < VIEW_BYTES * length) throw damaged("it has too few views");
  const access = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const offsets = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) {
    const size = data.getValid(row) ? access.getInt32(VIEW_BYTES * row, true) : 0;
    if (size < 0) throw damaged("a view is wrong");
    offsets[row + 1] = (offsets[row] as number) + size;
  }
  const bytes = newTextBytes(offsets[length] as number);
  for (let row = 0; row < length; row++) {
    const at = VIEW_BYTES * row;
    const size = (offsets[row + 1] as number) - (offsets[row] as number);
    if (size <= INLINE_BYTES) bytes.set(views.subarray(at + 4, at + 4 + size), offsets[row]);
    else {
      const buffer = data.variadicBuffers[access.getInt32(at + 8, true)];
      const from = access.getInt32(at + 12, true);
      if (buffer === undefined || from < 0 || from + size > buffer.length) throw damaged("a view is wrong");
      bytes.set(buffer.subarray(from, from + size), offsets[row]);
    }
  }
  return { offsets, bytes };
}
