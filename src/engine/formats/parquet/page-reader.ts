/** Bytes of a page from the front to the back; reading beyond the end is an error. */
export class PageReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    if (at > end || end > bytes.length) throw cutOff();
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Moves `count` bytes on and answers where it was. */
  skip(count: number): number {
    const { at } = this;
    if (count < 0 || at + count > this.end) throw cutOff();
    this.at = at + count;
    return at;
  }

  byte(): number {
    return this.bytes[this.skip(1)] as number;
  }

  /** Four bytes, as an unsigned number. */
  uint32(): number {
    const at = this.skip(4);
    const { bytes } = this;
    const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    return low + (bytes[at + 3] as number) * 0x1000000;
  }

  /** A varint of up to 32 bits, unsigned. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error("a number in a page is too long");
  }
}

export const cutOff = (): Error => new Error("a page ends too early");
