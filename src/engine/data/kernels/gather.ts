import type { Bits } from "../column.ts";

/**
 * Gather loops by element width: out[k] = in[rows[from + k]]. One loop for each width, so that each sees one kind of array and
 * compiles to straight code; the common widths go four rows at a time, which is a third faster. Rows must be in range: nothing is
 * checked here.
 */

export function gather8(source: Uint8Array, rows: Int32Array, from: number, to: number, out: Uint8Array): void {
  for (let k = from, o = 0; k < to; k++, o++) out[o] = source[rows[k] as number] as number;
}

export function gather16(source: Uint16Array, rows: Int32Array, from: number, to: number, out: Uint16Array): void {
  for (let k = from, o = 0; k < to; k++, o++) out[o] = source[rows[k] as number] as number;
}

export function gather32(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
  let k = from;
  let o = 0;
  for (; k + 4 <= to; k += 4, o += 4) {
    out[o] = source[rows[k] as number] as number;
    out[o + 1] = source[rows[k + 1] as number] as number;
    out[o + 2] = source[rows[k + 2] as number] as number;
    out[o + 3] = source[rows[k + 3] as number] as number;
  }
  for (; k < to; k++, o++) out[o] = source[rows[k] as number] as number;
}

export function gatherFloat64(
  source: Float64Array,
  rows: Int32Array,
  from: number,
  to: number,
  out: Float64Array,
): void {
  let k = from;
  let o = 0;
  for (; k + 4 <= to; k += 4, o += 4) {
    out[o] = source[rows[k] as number] as number;
    out[o + 1] = source[rows[k + 1] as number] as number;
    out[o + 2] = source[rows[k + 2] as number] as number;
    out[o + 3] = source[rows[k + 3] as number] as number;
  }
  for (; k < to; k++, o++) out[o] = source[rows[k] as number] as number;
}

/** Pairs of words: never as Float64, which would change the bits of integers that look like a NaN. */
export function gatherPairs(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
  let k = from;
  let o = 0;
  for (; k + 4 <= to; k += 4, o += 8) {
    const a = (rows[k] as number) << 1;
    const b = (rows[k + 1] as number) << 1;
    const c = (rows[k + 2] as number) << 1;
    const d = (rows[k + 3] as number) << 1;
    out[o] = source[a] as number;
    out[o + 1] = source[a + 1] as number;
    out[o + 2] = source[b] as number;
    out[o + 3] = source[b + 1] as number;
    out[o + 4] = source[c] as number;
    out[o + 5] = source[c + 1] as number;
    out[o + 6] = source[d] as number;
    out[o + 7] = source[d + 1] as number;
  }
  for (; k < to; k++, o += 2) {
    const at = (rows[k] as number) << 1;
    out[o] = source[at] as number;
    out[o + 1] = source[at + 1] as number;
  }
}

export function gatherQuads(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void {
  for (let k = from, o = 0; k < to; k++, o += 4) {
    const at = (rows[k] as number) << 2;
    out[o] = source[at] as number;
    out[o + 1] = source[at + 1] as number;
    out[o + 2] = source[at + 2] as number;
    out[o + 3] = source[at + 3] as number;
  }
}

/** `out` must be 0. */
export function gatherBits(
  { bits, bitOffset }: Bits,
  rows: Int32Array,
  from: number,
  to: number,
  out: Uint8Array,
): void {
  for (let k = from, o = 0; k < to; k++, o++) {
    const at = bitOffset + (rows[k] as number);
    out[o >> 3] = (out[o >> 3] as number) | ((((bits[at >> 3] as number) >> (at & 7)) & 1) << (o & 7));
  }
}

/** Lengths of the rows, added up: `out` gets to − from + 1 offsets from 0. Answers the number of bytes. */
export function gatherOffsets(
  offsets: Int32Array,
  rows: Int32Array,
  from: number,
  to: number,
  out: Int32Array,
): number {
  let end = 0;
  out[0] = 0;
  for (let k = from, o = 1; k < to; k++, o++) {
    const row = rows[k] as number;
    end += (offsets[row + 1] as number) - (offsets[row] as number);
    out[o] = end;
  }
  return end;
}

/** Beyond this many bytes a row is copied by the host's memory copy. */
const LONG = 256;

/**
 * Copies the bytes of the rows one behind the other to `out`. Goes word by word and so writes up to three bytes more than a row
 * has, which the next row overwrites: `out` needs four bytes of slack, and rows too near to the end of the source go byte by byte.
 */
export function gatherText(
  offsets: Int32Array,
  bytes: Uint8Array,
  source: DataView,
  rows: Int32Array,
  from: number,
  to: number,
  out: DataView,
): void {
  const safeEnd = source.byteLength - 4;
  let end = 0;
  for (let k = from; k < to; k++) {
    const row = rows[k] as number;
    let read = offsets[row] as number;
    const readEnd = offsets[row + 1] as number;
    let write = end;
    end += readEnd - read;
    if (readEnd > safeEnd || readEnd - read > LONG) copyRow(bytes, read, readEnd, out, write);
    else for (; write < end; write += 4, read += 4) out.setInt32(write, source.getInt32(read, true), true);
  }
}

function copyRow(bytes: Uint8Array, from: number, to: number, out: DataView, at: number): void {
  if (to > from) new Uint8Array(out.buffer, out.byteOffset + at, to - from).set(bytes.subarray(from, to));
}
