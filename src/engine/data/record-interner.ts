/** As signed words, which is what they are multiplied with. */
const GOLDEN = 0x9e3779b1 | 0;
const MIXER = 0x85ebca6b | 0;
/** Words of a slot: the hash of a record, and its number + 1 or 0 where the slot is empty. */
const SLOT_WORDS = 2;
const FEWEST_SLOTS = 128;
/** A table of more slots becomes smaller when it is nearly empty. */
const MANY_SLOTS = 1 << 17;

/** Hashes of the records that are looked at, and which of them are new. */
let hashes = new Int32Array(0);
let fresh = new Int32Array(0);

/** Gives records of so many 32-bit words numbers 0, 1, 2… in the order in which they first appear. Open addressing, at most half full. */
export class RecordInterner {
  private readonly width: number;
  private count = 0;
  private words: Int32Array;
  private slots = new Int32Array(SLOT_WORDS * FEWEST_SLOTS);

  /** @param width words of a record */
  constructor(width: number) {
    this.width = width;
    this.words = new Int32Array((width * FEWEST_SLOTS) / 2);
  }

  get size(): number {
    return this.count;
  }

  /** The records by their numbers; what lies behind `size` of them is not used. */
  get values(): Int32Array {
    return this.words;
  }

  /** Numbers of so many records; one that is not there gets one if `grow`, else −1. */
  numbers(records: Int32Array, count: number, grow: boolean, out: Int32Array): void {
    if (grow) this.reserve(this.count + count);
    hashAll(records, this.width, count);
    const { width, slots, words, count: before } = this;
    const [found, added] = [hashes, fresh];
    const mask = slots.length - 1;
    let known = before;
    for (let i = 0, from = 0; i < count; i++, from += width) {
      const hash = found[i] as number;
      let slot = (hash << 1) & mask;
      let number = (slots[slot + 1] as number) - 1;
      for (; number >= 0; number = (slots[slot + 1] as number) - 1) {
        if (slots[slot] === hash) {
          // New ones are not copied yet.
          const isKnown = number < before;
          const at = width * (isKnown ? number : (added[number - before] as number));
          if (isSame(isKnown ? words : records, at, records, from, width)) break;
        }
        slot = (slot + SLOT_WORDS) & mask;
      }
      if (number < 0 && grow) {
        added[known - before] = i;
        number = known++;
        slots[slot] = hash;
        slots[slot + 1] = known;
      }
      out[i] = number;
    }
    this.push(records, count, known - before);
  }

  /** Records of the rows in `fresh`, of so many rows. */
  private push(records: Int32Array, rows: number, count: number): void {
    const { width, words } = this;
    let at = width * this.count;
    this.count += count;
    if (count === rows) {
      words.set(records.subarray(0, width * rows), at);
      return;
    }
    for (let i = 0; i < count; i++) {
      for (let w = 0, from = width * (fresh[i] as number); w < width; w++) words[at++] = records[from + w] as number;
    }
  }

  /**
   * Forgets all but these, which get the numbers 0, 1, 2… in this order. Keeps memory for those that come, if it is not too much.
   * @param change is given these records before they are looked for again, and may change them
   */
  keep(numbers: Int32Array, change?: (records: Int32Array, count: number) => void): void {
    const { width, words } = this;
    const count = numbers.length;
    const kept = new Int32Array(width * count);
    for (let i = 0, at = 0; i < count; i++) {
      for (let w = 0, from = (numbers[i] as number) * width; w < width; w++) kept[at++] = words[from + w] as number;
    }
    change?.(kept, count);
    const slots = slotsFor(count);
    if (this.slots.length > SLOT_WORDS * MANY_SLOTS && this.slots.length > 4 * slots) {
      this.words = kept;
      this.slots = new Int32Array(slots);
    } else {
      this.words.set(kept);
      this.slots.fill(0);
    }
    this.count = count;
    this.fillSlots();
  }

  /** Makes room for so many records. */
  private reserve(count: number): void {
    const { width, words } = this;
    if (width * count > words.length) {
      this.words = new Int32Array(Math.max(width * count, 2 * words.length));
      this.words.set(words.subarray(0, width * this.count));
    }
    const slots = slotsFor(count);
    if (slots <= this.slots.length) return;
    this.slots = new Int32Array(slots);
    this.fillSlots();
  }

  /** Puts all records into the slots, which are empty. */
  private fillSlots(): void {
    const { width, slots, words, count } = this;
    const mask = slots.length - 1;
    hashAll(words, width, count);
    for (let number = 0; number < count; number++) {
      const hash = hashes[number] as number;
      let slot = (hash << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + SLOT_WORDS) & mask;
      slots[slot] = hash;
      slots[slot + 1] = number + 1;
    }
  }
}

/** Words of slots, a power of two, for so many records. */
const slotsFor = (count: number): number => SLOT_WORDS * Math.max(FEWEST_SLOTS, 2 ** Math.ceil(Math.log2(2 * count)));

/** Hashes of so many records into `hashes`. Two words a turn, each on its own, so that neither waits for the other. */
function hashAll(records: Int32Array, width: number, count: number): void {
  if (hashes.length < count) {
    hashes = new Int32Array(count);
    fresh = new Int32Array(count);
  }
  const out = hashes;
  for (let i = 0, at = 0; i < count; i++) {
    let odd = 0;
    let even = 0;
    const end = at + width;
    for (; at + 1 < end; at += 2) {
      odd = Math.imul(odd ^ (records[at] as number), GOLDEN);
      even = Math.imul(even ^ (records[at + 1] as number), MIXER);
      odd ^= odd >>> 15;
      even ^= even >>> 13;
    }
    if (at < end) odd = Math.imul(odd ^ (records[at++] as number), MIXER);
    const mixed = Math.imul(odd ^ (odd >>> 16) ^ ((even << 7) | (even >>> 25)), MIXER);
    out[i] = mixed ^ (mixed >>> 15);
  }
}

function isSame(a: Int32Array, from: number, b: Int32Array, at: number, width: number): boolean {
  for (let w = 0; w < width; w++) if (a[from + w] !== b[at + w]) return false;
  return true;
}
