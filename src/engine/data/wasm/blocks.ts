import { assert } from "../../base/assert.ts";

/** Blocks begin on a line. */
const LINE_BYTES = 64;

interface Span {
  at: number;
  bytes: number;
}

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
    const size = Math.max(LINE_BYTES, Math.ceil(bytes / LINE_BYTES) * LINE_BYTES);
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
    const { free } = this;
    let place = 0;
    while (place < free.length && (free[place] as Span).at < at) place++;
    free.splice(place, 0, { at, bytes });
    this.join(place);
    if (place > 0) this.join(place - 1);
  }

  /** Joins a span with the one behind it where they touch. */
  private join(place: number): void {
    const [span, next] = [this.free[place], this.free[place + 1]];
    if (span === undefined || next === undefined || span.at + span.bytes !== next.at) return;
    span.bytes += next.bytes;
    this.free.splice(place + 1, 1);
  }
}
