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
  let at = start;
  while (at < end) {
    const first = bytes[at] as number;
    at++;
    if (first < 0x80) continue;
    const more = first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
    if (more < 0 || at + more > end) return false;
    const second = bytes[at] as number;
    const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return false;
    for (let i = 1; i < more; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return false;
    at += more;
  }
  return true;
}
