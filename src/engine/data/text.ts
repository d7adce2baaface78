/**
 * Text to and from UTF-8. Everything in the engine goes through here, because browsers refuse to decode from, and to
 * encode into, shared memory, while Node does not (P-01): bytes are copied to private memory first.
 */

// Without `ignoreBOM` the decoder would eat a U+FEFF that is part of a value.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Up to here a loop over the bytes is faster than the decoder. */
const SHORT = 48;

let scratch = new Uint8Array(1024);

/** The text in bytes [start, end), which may lie in shared memory. Malformed bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const length = end - start;
  if (length <= SHORT) {
    let text = "";
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > 127) break;
      text += String.fromCharCode(byte);
    }
    if (at === end) return text;
  }
  return decoder.decode(privateBytes(bytes, start, end));
}

/** The bytes themselves where they are private, else a copy that is valid until the next call. */
function privateBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const view = bytes.subarray(start, end);
  if (bytes.buffer instanceof ArrayBuffer) return view;
  if (scratch.length < view.length) scratch = new Uint8Array(2 * view.length);
  scratch.set(view);
  return scratch.subarray(0, view.length);
}

/** Private bytes. A lone surrogate becomes U+FFFD: UTF-8 has no place for it. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/**
 * Writes text to `target` from `at` and answers where it ends. `target` must be private and have room for three bytes
 * a UTF-16 unit.
 */
export function encodeInto(text: string, target: Uint8Array, at: number): number {
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return at + i + encoder.encodeInto(text.slice(i), target.subarray(at + i)).written;
    target[at + i] = unit;
  }
  return at + length;
}

/** Whether bytes [start, end) are well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. */
export function isUtf8(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  // Much text is looked at by words of four bytes as long as it is ASCII.
  const words = end - start < LONG_TEXT ? NO_WORDS : wordsUnder(bytes);
  const shift = bytes.byteOffset & 3;
  for (let at = start; at < end; ) {
    if (words.length > 0 && ((at + shift) & 3) === 0) {
      let word = (at + shift) >> 2;
      const last = Math.min((end + shift) >> 2, words.length);
      while (word < last && ((words[word] as number) & 0x80808080) === 0) word++;
      at = Math.max(at, (word << 2) - shift);
      if (at >= end) break;
    }
    const length = sequenceLength(bytes, at, end);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

const LONG_TEXT = 64;
const NO_WORDS = new Int32Array(0);

/** The whole words of memory that the bytes lie in. */
function wordsUnder({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  const from = byteOffset & ~3;
  return new Int32Array(buffer, from, (byteOffset + byteLength - from) >> 2);
}

/** Whether bytes [start, end) are below 128. */
export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  const words = wordsUnder(bytes);
  const shift = bytes.byteOffset & 3;
  const first = Math.min((start + shift + 3) >> 2, (end + shift) >> 2);
  const last = Math.max((end + shift) >> 2, first);
  let high = 0;
  for (let word = first; word < last; word++) high |= words[word] as number;
  const head = Math.min((first << 2) - shift, end);
  for (let at = start; at < head; at++) high |= bytes[at] as number;
  for (let at = Math.max((last << 2) - shift, start); at < end; at++) high |= bytes[at] as number;
  return (high & 0x80808080) === 0;
}

/** Bytes of the UTF-8 character at `at`; 0 where there is none that ends before `end`. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1] as number;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  return length;
}
