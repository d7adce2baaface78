/** Found without going back, so that a text may be as long as it likes. */
const FOREIGN = /[^A-Za-z0-9+/]/;

/** Short enough for the arguments of one call. */
const CHUNK = 8190;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}

/** `undefined` when the text is no padded base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (text.length % 4 !== 0 || FOREIGN.test(text.slice(0, text.length - padding))) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
