import { CONTROL_SLOTS } from "./edge.ts";
import { LINE_BYTES } from "./ring-layout.ts";

/** What may be put into a ring. */
export type Cargo = "data" | "dictionary" | "control";

/** How full a ring is. */
interface Level {
  /** Of any cargo. */
  queued: number;
  data: number;
  dictionaries: number;
  freeBytes: number;
  /** Where the next payload goes, if it is not too long for the rest of the ring. */
  tail: number;
}

/**
 * The writer's own account of what lies in its ring: what has room, and where. Plain arithmetic, no shared memory.
 *
 * Payloads lie one behind the other; one that would be split at the end of the ring goes to its beginning instead, and the
 * rest of the ring counts as part of it. An empty ring begins at its beginning again, so there a payload may be as large
 * as the ring. Counts of messages wrap at 2^32, like the header's.
 */
export class RingBook {
  private readonly capacity: number;
  private readonly bytes: number;
  private readonly mask: number;
  /** By slot: what is in it, and the bytes that it takes from the ring. */
  private readonly cargoes: Cargo[];
  private readonly spans: Int32Array;
  private readonly level: Level;
  private sentCount: number;
  private takenCount: number;

  /** An empty ring, of which `count` messages were taken before. */
  constructor(capacity: number, slots: number, bytes: number, count: number) {
    this.capacity = capacity;
    this.bytes = bytes;
    this.mask = slots - 1;
    this.cargoes = new Array<Cargo>(slots).fill("control");
    this.spans = new Int32Array(slots);
    this.level = { queued: 0, data: 0, dictionaries: 0, freeBytes: bytes, tail: 0 };
    this.sentCount = count;
    this.takenCount = count;
  }

  /** Everything ever put in. */
  get sent(): number {
    return this.sentCount;
  }

  /** Whether there is room by D-2 for a payload of `size` bytes, 0 for control. */
  fits(cargo: Cargo, size: number): boolean {
    return this.fitsAt(this.level, cargo, size);
  }

  /** Where a payload of `size` bytes goes that fits. */
  place(size: number): number {
    const { tail } = this.level;
    return tail + wholeLines(size) <= this.bytes ? tail : 0;
  }

  /** Puts in what fits, and answers the bytes that it takes from the ring. */
  put(cargo: Cargo, size: number): number {
    const { level } = this;
    const slot = this.sentCount & this.mask;
    const span = this.span(level, size);
    this.cargoes[slot] = cargo;
    this.spans[slot] = span;
    level.queued += 1;
    if (cargo === "data") level.data += 1;
    if (cargo === "dictionary") level.dictionaries += 1;
    level.freeBytes -= span;
    if (size > 0) level.tail = this.place(size) + wholeLines(size);
    this.sentCount = (this.sentCount + 1) | 0;
    return span;
  }

  /** Takes out everything up to the reader's count. */
  settle(taken: number): void {
    for (; this.takenCount !== taken; this.takenCount = (this.takenCount + 1) | 0)
      this.remove(this.level, this.takenCount);
  }

  /**
   * For a payload that does not fit: the reader's count from which on it will, and the one from which on waking the writer
   * pays, which is when half of what is queued is gone too.
   */
  forecast(cargo: Cargo, size: number): { roomAt: number; wakeAt: number } {
    const level = { ...this.level };
    let roomAt = this.takenCount;
    for (; level.queued > 0 && !this.fitsAt(level, cargo, size); roomAt = (roomAt + 1) | 0) this.remove(level, roomAt);
    const half = (this.takenCount + (this.level.queued >> 1)) | 0;
    return { roomAt, wakeAt: ((half - roomAt) | 0) > 0 ? half : roomAt };
  }

  private fitsAt(level: Level, cargo: Cargo, size: number): boolean {
    switch (cargo) {
      case "control":
        return level.queued - level.dictionaries < this.capacity + CONTROL_SLOTS;
      case "data":
        return level.data < this.capacity && this.span(level, size) <= level.freeBytes;
      case "dictionary":
        return level.dictionaries < this.capacity && this.span(level, size) <= level.freeBytes;
    }
  }

  private remove(level: Level, count: number): void {
    const slot = count & this.mask;
    const cargo = this.cargoes[slot];
    level.queued -= 1;
    if (cargo === "data") level.data -= 1;
    if (cargo === "dictionary") level.dictionaries -= 1;
    level.freeBytes += this.spans[slot] as number;
    if (level.queued === 0) level.tail = 0;
  }

  /** Bytes that a payload takes: whole lines, and the rest of the ring where it has to go to the beginning. */
  private span(level: Level, size: number): number {
    const needed = wholeLines(size);
    const toEnd = this.bytes - level.tail;
    return needed <= toEnd ? needed : toEnd + needed;
  }
}

function wholeLines(size: number): number {
  return Math.ceil(size / LINE_BYTES) * LINE_BYTES;
}
