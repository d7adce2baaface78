/** Bytes that are taken in at once. */
const STEP = 8;

/** Table k, from 256 · k on: what a byte does to the sum once k more bytes have passed. */
const TABLES = new Int32Array(STEP * 256);
for (let byte = 0; byte < 256; byte++) {
  let word = byte;
  for (let bit = 0; bit < 8; bit++) word = (word & 1) === 1 ? (word >>> 1) ^ 0xedb88320 : word >>> 1;
  TABLES[byte] = word;
}
for (let i = 256; i < TABLES.length; i++) {
  const word = TABLES[i - 256] as number;
  TABLES[i] = (TABLES[word & 0xff] as number) ^ (word >>> 8);
}

/** CRC-32 (ISO-HDLC, as in zip and PNG) of bytes [start, end). Eight bytes at a time: the sum of a large snapshot takes longer than its encoding else. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let i = start;
  for (; i + STEP <= end; i += STEP) {
    const low =
      crc ^
      ((bytes[i] as number) |
        ((bytes[i + 1] as number) << 8) |
        ((bytes[i + 2] as number) << 16) |
        ((bytes[i + 3] as number) << 24));
    crc =
      (TABLES[1792 + (low & 0xff)] as number) ^
      (TABLES[1536 + ((low >>> 8) & 0xff)] as number) ^
      (TABLES[1280 + ((low >>> 16) & 0xff)] as number) ^
      (TABLES[1024 + (low >>> 24)] as number) ^
      (TABLES[768 + (bytes[i + 4] as number)] as number) ^
      (TABLES[512 + (bytes[i + 5] as number)] as number) ^
      (TABLES[256 + (bytes[i + 6] as number)] as number) ^
      (TABLES[bytes[i + 7] as number] as number);
  }
  for (; i < end; i++) crc = (TABLES[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
