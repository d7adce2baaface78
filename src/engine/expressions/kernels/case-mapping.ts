import { decodeUtf8 } from "../../data/text.ts";
import type { MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { type TextVec, wordAt } from "../vec.ts";
import { LOWER_RUNS, UPPER_RUNS } from "./case-tables.generated.ts";

/**
 * Lower and upper case by Unicode's simple mapping: one character for one character, whatever stands beside it, of no language. The tables are the engine's
 * own: hosts know different versions of Unicode (D-50).
 */
export type LetterCase = "lower" | "upper";

const RUNS: Readonly<Record<LetterCase, string>> = { lower: LOWER_RUNS, upper: UPPER_RUNS };
const TABLES: { [letterCase in LetterCase]?: ReadonlyMap<number, number> } = {};

/** What characters beyond ASCII become, by code point. */
function tableOf(letterCase: LetterCase): ReadonlyMap<number, number> {
  const known = TABLES[letterCase];
  if (known !== undefined) return known;
  const table = new Map<number, number>();
  let code = 0;
  for (const run of RUNS[letterCase].split(" ")) {
    const [behind, count, step, by] = run.split(",").map((digits) => Number.parseInt(digits, 36)) as Run;
    code += behind;
    for (let i = 0; i < count; i++, code += step) table.set(code, code + by);
    code -= step;
  }
  TABLES[letterCase] = table;
  return table;
}

type Run = [behind: number, count: number, step: number, by: number];

function inAscii(code: number, letterCase: LetterCase): number {
  const first = letterCase === "lower" ? 65 : 97;
  return code >= first && code < first + 26 ? code ^ 32 : code;
}

export function mapCase(text: string, letterCase: LetterCase): string {
  const table = tableOf(letterCase);
  let mapped = "";
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    mapped += String.fromCodePoint(code < 128 ? inAscii(code, letterCase) : (table.get(code) ?? code));
  }
  return mapped;
}

/** Writes bytes [start, end) in the case to `out` where they are ASCII, and answers whether they are. */
function mapAscii(
  bytes: Uint8Array,
  start: number,
  end: number,
  letterCase: LetterCase,
  out: Uint8Array,
  at: number,
): boolean {
  const first = letterCase === "lower" ? 65 : 97;
  let all = 0;
  for (let i = start, j = at; i < end; i++, j++) {
    const byte = bytes[i] as number;
    all |= byte;
    out[j] = byte - first < 26 && byte >= first ? byte ^ 32 : byte;
  }
  return all < 128;
}

/** Adds bytes [start, end) in the case to the row. */
export function addMapped(bytes: Uint8Array, start: number, end: number, letterCase: LetterCase, room: TextRoom): void {
  let isAscii = false;
  room.write(end - start, (target, at) => {
    isAscii = mapAscii(bytes, start, end, letterCase, target, at);
    return isAscii ? at + end - start : at;
  });
  if (!isAscii) room.addString(mapCase(decodeUtf8(bytes, start, end), letterCase));
}

export const inCase =
  (letterCase: LetterCase): MakeKernel =>
  () => {
    const room = new TextRoom();
    return ([x], frame) => {
      const text = x as TextVec;
      room.begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (frame.wants(i)) {
          const word = wordAt(text, i);
          addMapped(text.bytes, text.offsets[word] as number, text.offsets[word + 1] as number, letterCase, room);
        }
        room.close();
      }
      return room.finish();
    };
  };
