import { copyWithin } from "./lz4.ts";

const wrong = (what: string): Error => new Error(`its Snappy data are wrong: ${what}`);

/**
 * Raw Snappy data that give `size` bytes. Whatever the input is, decoding ends, and reads and writes nothing outside of its arrays.
 * @throws Error
 */
export function decodeSnappy(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const end = input.length;
  let pos = 0;
  let out = 0;
  while (pos < end && (input[pos] as number) > 127) pos++;
  pos++;
  while (pos < end) {
    const tag = input[pos++] as number;
    if ((tag & 3) === 0) {
      let length = tag >> 2;
      if (length > 59) {
        const bytes = length - 59;
        length = littleEndian(input, pos, bytes);
        pos += bytes;
      }
      length++;
      if (pos + length > end || out + length > size) throw wrong("a literal is too long");
      if (length > 24) output.set(input.subarray(pos, pos + length), out);
      else for (let i = 0; i < length; i++) output[out + i] = input[pos + i] as number;
      pos += length;
      out += length;
      continue;
    }
    const wide = tag & 3;
    const length = wide === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const bytes = wide === 3 ? 4 : wide;
    const offset = littleEndian(input, pos, bytes) + (wide === 1 ? (tag >> 5) << 8 : 0);
    pos += bytes;
    if (pos > end || offset === 0 || offset > out || out + length > size) throw wrong("a copy lies outside");
    copyWithin(output, out, offset, length);
    out += length;
  }
  if (out !== size) throw wrong("it gives less than it says");
  return output;
}

/** 1 to 4 bytes as a number; missing ones count as 0. */
function littleEndian(input: Uint8Array, at: number, bytes: number): number {
  let value = 0;
  for (let i = bytes - 1; i >= 0; i--) value = value * 256 + (input[at + i] ?? 0);
  return value;
}
