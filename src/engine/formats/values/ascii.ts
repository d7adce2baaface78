const SPACE = 32;
const TAB = 9;

/** Bytes [start, end) as text, each byte one character: for what is ASCII already. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}

/** First byte of [start, end) that is neither space nor tab. */
export function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
  return at;
}

/** End of [start, end) without spaces and tabs behind. */
export function trimBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && (bytes[at - 1] === SPACE || bytes[at - 1] === TAB)) at--;
  return at;
}
