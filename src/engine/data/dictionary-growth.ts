import type { VarColumn } from "./column.ts";

/**
 * Whether `longer` is `shorter` and more words behind it. Columns are immutable, so two that start at the same place of
 * the same buffers have their common entries in common.
 */
export function continues(longer: VarColumn, shorter: VarColumn): boolean {
  return (
    longer.length > shorter.length &&
    longer.validity === null &&
    shorter.validity === null &&
    sameStart(longer.offsets, shorter.offsets) &&
    sameStart(longer.bytes, shorter.bytes)
  );
}

function sameStart(a: Int32Array | Uint8Array, b: Int32Array | Uint8Array): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset;
}

/** Dictionaries remembered at a time: those of the edges into a task. */
const MAX_REMEMBERED = 64;

interface Remembered {
  readonly dictionary: VarColumn;
  readonly ofWords: Int32Array;
}

/**
 * A number for each word of the dictionaries that come by, 0 until somebody sets it. Where a dictionary continues one that is remembered, so do
 * its numbers. The oldest is forgotten where there are too many.
 *
 * A list, and no weak map: a keyframe of the lab copies it with the state that the numbers belong to.
 */
export class WordNumbers {
  private readonly all: Remembered[] = [];

  of(dictionary: VarColumn): Int32Array {
    for (const known of this.all) if (known.dictionary === dictionary) return known.ofWords;
    const ofWords = new Int32Array(dictionary.length);
    const before = this.all.findIndex((known) => continues(dictionary, known.dictionary));
    if (before >= 0) {
      ofWords.set((this.all[before] as Remembered).ofWords);
      this.all[before] = { dictionary, ofWords };
    } else {
      if (this.all.length === MAX_REMEMBERED) this.all.shift();
      this.all.push({ dictionary, ofWords });
    }
    return ofWords;
  }
}
