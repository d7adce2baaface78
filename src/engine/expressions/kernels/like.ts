import { decodeUtf8, encodeUtf8 } from "../../data/text.ts";
import type { MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { Bytes, type TextVec, wordAt } from "../vec.ts";
import { addMapped, mapCase } from "./case-mapping.ts";

/** LIKE on UTF-8: % is any text, _ is one character. In time that grows with text times pattern at worst. */

const MANY = -1;
const ONE = -2;

/** Bytes of the pattern, MANY and ONE; `undefined` where the escape character escapes nothing. */
function tokens(pattern: string, escapeSign: string | undefined, ignoreCase: boolean): Int32Array | undefined {
  const found: number[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === escapeSign) isEscaped = true;
    else {
      if (!isEscaped && character === "%") found.push(MANY);
      else if (!isEscaped && character === "_") found.push(ONE);
      else found.push(...encodeUtf8(ignoreCase ? mapCase(character, "lower") : character));
      isEscaped = false;
    }
  }
  return isEscaped ? undefined : Int32Array.from(found);
}

/** The byte behind the character at `at`. */
function nextCharacter(bytes: Uint8Array, at: number, end: number): number {
  let next = at + 1;
  while (next < end && ((bytes[next] as number) & 0xc0) === 0x80) next++;
  return next;
}

/** Only the last % is ever tried again: an earlier one that takes more gives nothing that the last one does not. */
function matches(pattern: Int32Array, bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  let token = 0;
  let many = -1;
  let mark = start;
  while (at < end) {
    const wanted = pattern[token];
    if (wanted === bytes[at]) {
      token++;
      at++;
    } else if (wanted === ONE) {
      token++;
      at = nextCharacter(bytes, at, end);
    } else if (wanted === MANY) {
      many = token++;
      mark = at;
    } else if (many >= 0) {
      mark = nextCharacter(bytes, mark, end);
      at = mark;
      token = many + 1;
    } else return false;
  }
  while (pattern[token] === MANY) token++;
  return token === pattern.length;
}

export const like =
  (escapeSign: string | undefined, ignoreCase: boolean): MakeKernel =>
  () => {
    const room = new Bytes();
    const lower = new TextRoom();
    const compiled = new Patterns(escapeSign, ignoreCase);
    return ([x, y], frame) => {
      const [text, pattern] = [x as TextVec, y as TextVec];
      const values = room.take(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (!frame.wants(i)) continue;
        const known = compiled.at(pattern, i);
        if (known === undefined) {
          frame.fail(i, () => "the pattern ends with its escape character");
          continue;
        }
        const word = wordAt(text, i);
        const [from, to] = [text.offsets[word] as number, text.offsets[word + 1] as number];
        if (ignoreCase) {
          lower.begin(1);
          addMapped(text.bytes, from, to, "lower", lower);
          lower.close();
          const { bytes, offsets } = lower.finish();
          values[i] = matches(known, bytes, 0, offsets[1] as number) ? 1 : 0;
        } else values[i] = matches(known, text.bytes, from, to) ? 1 : 0;
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };

/** The patterns of rows, each read once as long as it stays the same. */
class Patterns {
  private readonly escapeSign: string | undefined;
  private readonly ignoreCase: boolean;
  private text: string | undefined;
  private tokens: Int32Array | undefined;
  private constant: TextVec | undefined;

  constructor(escapeSign: string | undefined, ignoreCase: boolean) {
    this.escapeSign = escapeSign;
    this.ignoreCase = ignoreCase;
  }

  at(patterns: TextVec, row: number): Int32Array | undefined {
    if (patterns.step === 0 && patterns === this.constant) return this.tokens;
    this.constant = patterns;
    const word = wordAt(patterns, row);
    const text = decodeUtf8(patterns.bytes, patterns.offsets[word], patterns.offsets[word + 1]);
    if (text !== this.text) {
      this.text = text;
      this.tokens = tokens(text, this.escapeSign, this.ignoreCase);
    }
    return this.tokens;
  }
}
