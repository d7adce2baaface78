import { decodeUtf8 } from "../../data/text.ts";
import type { Frame } from "../frame.ts";
import type { MakeKernel } from "../kernel.ts";
import { Matcher, nextPlace } from "../regexp/matcher.ts";
import type { PatternFlags } from "../regexp/syntax.ts";
import { TextRoom } from "../text-room.ts";
import { Bytes, type TextVec, type Vec, wordAt } from "../vec.ts";

const TOO_LONG = "the text is too long for this pattern";

function textAt(vec: Vec, row: number): string {
  const text = vec as TextVec;
  const word = wordAt(text, row);
  return decodeUtf8(text.bytes, text.offsets[word], text.offsets[word + 1]);
}

/** Whether the pattern is anywhere in the text. */
export const regexpLike =
  (pattern: string, flags: PatternFlags): MakeKernel =>
  () => {
    const room = new Bytes();
    const matcher = new Matcher(pattern, flags);
    return ([x], frame) => {
      const values = room.take(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (!frame.wants(i)) continue;
        const match = matcher.find(textAt(x as Vec, i));
        values[i] = match === null ? 0 : 1;
        if (match === "too long") frame.fail(i, () => TOO_LONG);
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };

/** The text with the first match, or every one, replaced; in the replacement `\1` is the first group and `\0` the match. */
export const regexpReplace =
  (pattern: string, flags: PatternFlags, isGlobal: boolean): MakeKernel =>
  () => {
    const room = new TextRoom();
    const matcher = new Matcher(pattern, flags);
    return ([x, by], frame) => {
      room.begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (frame.wants(i)) addReplaced(matcher, textAt(x as Vec, i), textAt(by as Vec, i), isGlobal, room, frame, i);
        room.close();
      }
      return room.finish();
    };
  };

function addReplaced(
  matcher: Matcher,
  text: string,
  replacement: string,
  isGlobal: boolean,
  room: TextRoom,
  frame: Frame,
  row: number,
): void {
  let copied = 0;
  let from = 0;
  let isFirst = true;
  while (from <= text.length) {
    const match = matcher.find(text, from);
    if (match === "too long") {
      frame.fail(row, () => TOO_LONG);
      return;
    }
    if (match === null) break;
    const [start = 0, end = 0] = match;
    from = end > start ? end : nextPlace(text, end);
    // An empty match that touches the match before is none.
    if (start === end && start === copied && !isFirst) continue;
    room.addString(text.slice(copied, start) + filled(replacement, text, match));
    copied = end;
    isFirst = false;
    if (!isGlobal) break;
  }
  room.addString(text.slice(copied));
}

const filled = (replacement: string, text: string, match: readonly number[]): string =>
  replacement.replace(/\\([0-9\\])/g, (_, which: string) => {
    if (which === "\\") return "\\";
    const start = match[2 * Number(which)] ?? -1;
    return start < 0 ? "" : text.slice(start, match[2 * Number(which) + 1]);
  });
