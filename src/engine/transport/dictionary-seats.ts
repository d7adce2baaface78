import type { VarColumn } from "../data/column.ts";
import { continues } from "../data/dictionary-growth.ts";

/** A dictionary of more entries goes over an edge as plain text. */
export const MAX_DICTIONARY_ENTRIES = 65_536;

/** Which dictionary to send, to which seat, from which entry on: what came before is there already. */
export interface Seating {
  readonly seat: number;
  readonly from: number;
}

/**
 * The dictionaries that the reader of an edge holds, as the writer knows them. The number of seats is fixed, so what the
 * reader keeps is bounded; the seat that was unused longest is taken again. Because frames come in order, both ends agree
 * on who sits where without a word.
 */
export class DictionarySeats {
  private readonly seats: (VarColumn | undefined)[];
  private readonly lastUse: number[];
  private now = 0;

  constructor(count: number) {
    this.seats = new Array<VarColumn | undefined>(count).fill(undefined);
    this.lastUse = new Array<number>(count).fill(0);
  }

  /** The seat that the reader has this very dictionary in, or -1. */
  find(dictionary: VarColumn): number {
    const seat = this.seats.indexOf(dictionary);
    if (seat >= 0) this.lastUse[seat] = ++this.now;
    return seat;
  }

  /** Where a dictionary that has no seat is to go: over the longest one that it continues, else over the oldest. */
  choose(dictionary: VarColumn): Seating {
    let best: Seating = { seat: 0, from: 0 };
    for (let seat = 0; seat < this.seats.length; seat++) {
      const seated = this.seats[seat];
      const from = seated !== undefined && continues(dictionary, seated) ? seated.length : 0;
      const older = (this.lastUse[seat] as number) < (this.lastUse[best.seat] as number);
      if (from > best.from || (best.from === 0 && from === 0 && older)) best = { seat, from };
    }
    return best;
  }

  sit(seat: number, dictionary: VarColumn): void {
    this.seats[seat] = dictionary;
    this.lastUse[seat] = ++this.now;
  }
}

/**
 * The reader's copy of a growing dictionary. Appending leaves every column that was given out as it is: new entries go behind
 * the old ones, or everything into larger buffers.
 */
export class DictionaryPool {
  private offsets = new Int32Array(1);
  private bytes = new Uint8Array(0);
  private length = 0;

  /** The dictionary with the words of `words`, which may lie in a slot and whose offsets start at 0, behind its own. */
  append(words: VarColumn): VarColumn {
    const end = this.offsets[this.length] as number;
    const size = words.offsets[words.length] as number;
    this.reserve(this.length + words.length, end + size);
    for (let i = 1; i <= words.length; i++) this.offsets[this.length + i] = end + (words.offsets[i] as number);
    this.bytes.set(words.bytes.subarray(0, size), end);
    this.length += words.length;
    return {
      encoding: "var",
      type: words.type,
      length: this.length,
      nullCount: 0,
      validity: null,
      offsets: this.offsets.subarray(0, this.length + 1),
      bytes: this.bytes.subarray(0, end + size),
    };
  }

  private reserve(entries: number, bytes: number): void {
    if (this.offsets.length < entries + 1) {
      const offsets = new Int32Array(this.length === 0 ? entries + 1 : 2 * entries);
      offsets.set(this.offsets.subarray(0, this.length + 1));
      this.offsets = offsets;
    }
    if (this.bytes.length < bytes) {
      const end = this.offsets[this.length] as number;
      const grown = new Uint8Array(this.length === 0 ? bytes : 2 * bytes);
      grown.set(this.bytes.subarray(0, end));
      this.bytes = grown;
    }
  }
}
