import { WeirError } from "../base/errors.ts";

const BOM = [0xef, 0xbb, 0xbf];

/** Files that are opened as text by mistake, by their first bytes. */
const OTHERS: readonly { readonly start: readonly number[]; readonly what: string; readonly hint: string }[] = [
  { start: [0xff, 0xfe], what: "UTF-16 text", hint: "save the file as UTF-8" },
  { start: [0xfe, 0xff], what: "UTF-16 text", hint: "save the file as UTF-8" },
  { start: [0x1f, 0x8b], what: "compressed with gzip", hint: "decompress it first" },
  { start: [0x28, 0xb5, 0x2f, 0xfd], what: "compressed with zstd", hint: "decompress it first" },
  { start: [0x50, 0x4b, 3, 4], what: "a zip archive or a spreadsheet", hint: "save the table as csv" },
  { start: [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31], what: "an Arrow file", hint: 'set the format to "arrow"' },
  { start: [0x50, 0x41, 0x52, 0x31], what: "a Parquet file", hint: "convert it to csv, NDJSON or Arrow" },
];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.length <= bytes.length && start.every((byte, i) => bytes[i] === byte);

/**
 * Bytes of the byte order mark that a text file begins with (P-50): 0 or 3. `bytes` are the first ones, at least 6 where
 * there are as many.
 * @throws WeirError `wrong-format` when they are not the start of UTF-8 text
 */
export function bomLength(bytes: Uint8Array, file: string): 0 | 3 {
  const other = OTHERS.find(({ start }) => startsWith(bytes, start));
  if (other !== undefined) {
    throw new WeirError({
      code: "wrong-format",
      domain: "data",
      file,
      message: `the file is ${other.what}, not UTF-8 text`,
      hint: other.hint,
    });
  }
  return startsWith(bytes, BOM) ? 3 : 0;
}
