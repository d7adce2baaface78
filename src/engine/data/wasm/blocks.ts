import { assert } from "../../base/assert.ts";

/** Blocks begin on a line. */
const LINE_BYTES = 64;

interface Span {
  at: number;
  bytes: number;
}

const sizeOf = (bytes: number): number => Math.max(LINE_BYTES, Math.ceil(bytes / LINE_BYTES) * LINE_BYTES);

/** Hands out blocks of a region of memory and takes them back: first fit, neighbours are joined. For a few large blocks at a time. */
export class Blocks {
  /** In order of their places, no two of them touching. */
  private readonly free: Span[];
  private readonly taken = new Map<number, number>();

  constructor(at: number, bytes: number) {
    assert(at > 0 && at % LINE_BYTES === 0, "a region begins on a line, and not at 0");
    this.free = [{ at, bytes: bytes - (bytes % LINE_BYTES) }];
  }

  /** Where the block begins; 0 when there is no room. */
  claim(bytes: number): number {
    const size = sizeOf(bytes);
    const place = this.free.findIndex((span) => span.bytes >= size);
    const span = this.free[place];
    if (span === undefined) return 0;
    const { at } = span;
    if (span.bytes === size) this.free.splice(place, 1);
    else {
      span.at += size;
      span.bytes -= size;
    }
    this.taken.set(at, size);
    return at;
  }

  release(at: number): void {
    const bytes = this.taken.get(at);
    assert(bytes !== undefined, "a block that was claimed");
    this.taken.delete(at);
    this.give(at, bytes);
  }

  /** Gives back what is behind the first `bytes` of a block. */
  shrink(at: number, bytes: number): void {
    const size = sizeOf(bytes);
    const before = this.taken.get(at);
    assert(before !== undefined && before >= size, "a block that was claimed, and is as long");
    if (before === size) return;
    this.taken.set(at, size);
    this.give(at + size, before - size);
  }

  private give(at: number, bytes: number): void {
    const { free } = this;
    let place = 0;
    while (place < free.length && (free[place] as Span).at < at) place++;
    const next = free[place];
    const before = free[place - 1];
    const joins = next !== undefined && at + bytes === next.at;
    if (before !== undefined && before.at + before.bytes === at) {
      before.bytes += joins ? bytes + next.bytes : bytes;
      if (joins) free.splice(place, 1);
    } else if (joins) {
      next.at = at;
      next.bytes += bytes;
    } else free.splice(place, 0, { at, bytes });
  }
}
