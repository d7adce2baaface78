/** Damaged versions of a good file, the same ones wherever a test runs: cut off, bytes replaced, pieces left out or doubled. */
export class Damage {
  private state: number;
  private readonly special: readonly number[];

  /** @param special bytes that mean something in the format, which are put in most of all */
  constructor(seed: number, special: readonly number[]) {
    this.state = seed;
    this.special = special;
  }

  /** From 0 to 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  version(good: Uint8Array): Uint8Array {
    const bytes = good.slice(0, this.next() < 0.3 ? this.below(good.length) : good.length);
    for (let hits = this.below(4); hits > 0; hits--) bytes[this.below(bytes.length)] = this.byte();
    return this.next() < 0.2 ? this.withPieceMoved(bytes) : bytes;
  }

  private byte(): number {
    return this.next() < 0.7 ? (this.special[this.below(this.special.length)] as number) : this.below(256);
  }

  /** A piece left out, or there twice. */
  private withPieceMoved(bytes: Uint8Array): Uint8Array {
    const from = this.below(bytes.length);
    const to = Math.min(bytes.length, from + this.below(60));
    const rest = this.next() < 0.5 ? bytes.subarray(to) : bytes.subarray(from);
    const moved = new Uint8Array((this.next() < 0.5 ? from : to) + rest.length);
    moved.set(bytes.subarray(0, moved.length - rest.length));
    moved.set(rest, moved.length - rest.length);
    return moved;
  }
}
