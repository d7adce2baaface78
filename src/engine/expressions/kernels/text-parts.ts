import type { MakeKernel } from "../kernel.ts";
import { TextRoom } from "../text-room.ts";
import { isNullAt, type TextVec, wordAt } from "../vec.ts";

/** Text from pieces of text, by bytes. */

/** One behind the other. */
export const concat: MakeKernel = () => {
  const room = new TextRoom();
  return (args, frame) => {
    const texts = args as readonly TextVec[];
    room.begin(frame.rows);
    for (let i = 0; i < frame.rows; i++) {
      if (frame.wants(i)) for (const text of texts) addWord(room, text, i);
      room.close();
    }
    return room.finish();
  };
};

/** NULL is no text at all. Not strict; never NULL. */
export const concatKnown: MakeKernel = () => {
  const room = new TextRoom();
  return (args, { rows }) => {
    const texts = args as readonly TextVec[];
    room.begin(rows);
    for (let i = 0; i < rows; i++) {
      for (const text of texts) if (!isNullAt(text, i)) addWord(room, text, i);
      room.close();
    }
    return room.finish();
  };
};

function addWord(room: TextRoom, text: TextVec, row: number): void {
  const word = wordAt(text, row);
  room.add(text.bytes, text.offsets[word] as number, text.offsets[word + 1] as number);
}
