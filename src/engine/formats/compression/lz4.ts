/**
 * LZ4: blocks, as Parquet has them (LZ4_RAW), and frames of blocks, as Arrow has them. Whatever the input is, decoding ends, and reads
 * and writes nothing outside of its arrays; checksums are not looked at.
 */

/** Start of a frame. */
const MAGIC = 0x184d2204;

/** Start of a frame that is to be skipped, without its last four bits. */
const SKIPPED = 0x184d2a5;

const wrong = (what: string): Error => new Error(`its LZ4 data are wrong: ${what}`);

/**
 * One block, bytes [from, end) of `input`, to `output` from `at`. A block may refer to what stands before `at`.
 * @returns where its output ends
 * @throws Error
 */
export function decodeLz4Block(input: Uint8Array, from: number, end: number, output: Uint8Array, at: number): number {
  let pos = from;
  let out = at;
  const extended = (length: number): number => {
    if (length !== 15) return length;
    let sum = length;
    for (;;) {
      if (pos >= end) throw wrong("it ends inside a length");
      const byte = input[pos++] as number;
      sum += byte;
      if (byte !== 255) return sum;
    }
  };
  while (pos < end) {
    const token = input[pos++] as number;
    const literals = extended(token >> 4);
    if (pos + literals > end || out + literals > output.length) throw wrong("a literal is too long");
    output.set(input.subarray(pos, pos + literals), out);
    pos += literals;
    out += literals;
    if (pos === end) break;
    if (pos + 2 > end) throw wrong("it ends inside an offset");
    const offset = (input[pos] as number) | ((input[pos + 1] as number) << 8);
    pos += 2;
    const length = extended(token & 15) + 4;
    if (offset === 0 || offset > out || out + length > output.length) throw wrong("a copy lies outside");
    copyWithin(output, out, offset, length);
    out += length;
  }
  return out;
}

/** Repeats the last `offset` bytes before `at` over the next `length`; the two may overlap. */
export function copyWithin(bytes: Uint8Array, at: number, offset: number, length: number): void {
  if (offset >= length && length > 24) bytes.copyWithin(at, at - offset, at - offset + length);
  else for (let i = at, end = at + length; i < end; i++) bytes[i] = bytes[i - offset] as number;
}

/**
 * Frames, one behind the other, that give `size` bytes.
 * @throws Error
 */
export function decodeLz4Frames(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let pos = 0;
  let out = 0;
  while (pos < input.length) {
    if (view.getUint32(pos, true) >>> 4 === SKIPPED) {
      pos += 8 + view.getUint32(pos + 4, true);
      continue;
    }
    if (view.getUint32(pos, true) !== MAGIC) throw wrong("no frame begins where one should");
    const flags = view.getUint8(pos + 4);
    if (flags >> 6 !== 1) throw wrong("it has another version");
    if ((flags & 1) !== 0) throw wrong("it needs a dictionary");
    pos += 7 + ((flags & 8) !== 0 ? 8 : 0);
    for (;;) {
      const word = view.getUint32(pos, true);
      pos += 4;
      if (word === 0) break;
      const length = word & 0x7fffffff;
      if (pos + length > input.length) throw wrong("a block is longer than the data");
      if (word >>> 31 === 0) out = decodeLz4Block(input, pos, pos + length, output, out);
      else {
        if (out + length > size) throw wrong("it gives more than it says");
        output.set(input.subarray(pos, pos + length), out);
        out += length;
      }
      pos += length + ((flags & 16) !== 0 ? 4 : 0);
    }
    if ((flags & 4) !== 0) pos += 4;
  }
  if (out !== size) throw wrong("it gives less than it says");
  return output;
}
