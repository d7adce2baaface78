/** Float16 as float32, exactly. */
export function widenHalfs(halfs: Uint16Array, length: number): Float32Array {
  const out = new Float32Array(length);
  for (let row = 0; row < length; row++) out[row] = widenHalf(halfs[row] as number);
  return out;
}

function widenHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Decimals of 32 or 64 bits as 128. */
export function widenDecimals(bytes: Uint8Array, bitWidth: number, length: number): Int32Array {
  const words = bitWidth / 32;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Int32Array(4 * length);
  for (let row = 0; row < length; row++) {
    for (let word = 0; word < words; word++) out[4 * row + word] = view.getInt32(4 * (row * words + word), true);
    const sign = (out[4 * row + words - 1] as number) >> 31;
    for (let word = words; word < 4; word++) out[4 * row + word] = sign;
  }
  return out;
}
