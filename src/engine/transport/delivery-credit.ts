/** Rows that sinks may have handed out before somebody took them: beyond it, tasks with a sink wait. */
const MOST_ROWS = 262_144;

/**
 * Backpressure for what leaves a run through messages, which have none of their own: sinks count the rows that they hand out, the reader
 * counts those that it is done with.
 */
export class DeliveryCredit {
  private readonly word: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.word = new Int32Array(buffer);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  handOut(rows: number): void {
    Atomics.add(this.word, 0, rows);
  }

  /** Answers whether hosts that waited may go on now: they are to be rung. */
  takeBack(rows: number): boolean {
    const before = Atomics.sub(this.word, 0, rows);
    return before >= MOST_ROWS && before - rows < MOST_ROWS;
  }

  get exhausted(): boolean {
    return Atomics.load(this.word, 0) >= MOST_ROWS;
  }
}
