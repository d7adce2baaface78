const WORD_BYTES = 4;

/** Numbers 0, 1, 2… for texts by their bytes, by open addressing; words of four bytes are hashed and compared. As fast as a person would write it. */
export class Texts {
  private count = 0;
  private readonly starts: Int32Array;
  private readonly lengths: Int32Array;
  private readonly hashes: Int32Array;
  /** Number of the text + 1; 0 is an empty slot. */
  private readonly slots: Int32Array;
  private bytes = new DataView(new ArrayBuffer(1 << 16));
  private end = 0;

  /** @param most texts */
  constructor(most: number) {
    this.starts = new Int32Array(most);
    this.lengths = new Int32Array(most);
    this.hashes = new Int32Array(most);
    this.slots = new Int32Array(4 * most);
  }

  /** Of bytes [start, end); three more can be read. */
  of(view: DataView, start: number, end: number): number {
    let hash = end - start;
    let at = start;
    for (; at + WORD_BYTES <= end; at += WORD_BYTES) hash = stir(hash, view.getInt32(at, true));
    if (at < end) hash = stir(hash, view.getInt32(at, true) & tailMask(end - at));
    hash ^= hash >>> 15;
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] as number) - 1;
      if (number < 0) return this.add(view, start, end, hash, slot);
      if (hashes[number] === hash && this.is(number, view, start, end)) return number;
    }
  }

  private is(number: number, view: DataView, start: number, end: number): boolean {
    if (this.lengths[number] !== end - start) return false;
    const { bytes } = this;
    let own = this.starts[number] as number;
    let at = start;
    for (; at + WORD_BYTES <= end; at += WORD_BYTES, own += WORD_BYTES)
      if (view.getInt32(at, true) !== bytes.getInt32(own, true)) return false;
    return at === end || ((view.getInt32(at, true) ^ bytes.getInt32(own, true)) & tailMask(end - at)) === 0;
  }

  private add(view: DataView, start: number, end: number, hash: number, slot: number): number {
    const number = this.count++;
    if (number === this.starts.length) throw new Error("more texts than there is room for");
    while (this.end + end - start + WORD_BYTES > this.bytes.byteLength) this.grow();
    this.starts[number] = this.end;
    this.lengths[number] = end - start;
    this.hashes[number] = hash;
    this.slots[slot] = number + 1;
    for (let at = start; at < end; at++) this.bytes.setUint8(this.end++, view.getUint8(at));
    return number;
  }

  private grow(): void {
    const grown = new Uint8Array(2 * this.bytes.byteLength);
    grown.set(new Uint8Array(this.bytes.buffer));
    this.bytes = new DataView(grown.buffer);
  }
}

const stir = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return (mixed << 13) | (mixed >>> 19);
};

const tailMask = (bytes: number): number => (1 << (8 * bytes)) - 1;
