import type { MessageKind } from "../core/messages.ts";
import type { EdgeView } from "./edge.ts";
import * as word from "./ring-header.ts";
import { RING_HEADER_BYTES, type RingRegion } from "./ring-layout.ts";

/**
 * A ring as seen from outside while both ends work, by plain reads. Each number was true a moment ago; together they may
 * be off by the message that is just on its way.
 */
export class RingView implements EdgeView {
  readonly capacity: number;
  readonly bytesCapacity: number;
  private readonly header: Int32Array;
  private readonly totals: Float64Array;
  private readonly slotKinds: Uint8Array;

  constructor(buffer: SharedArrayBuffer, ring: RingRegion) {
    this.capacity = ring.capacity;
    this.bytesCapacity = ring.data.bytes;
    this.header = new Int32Array(buffer, ring.header, RING_HEADER_BYTES / 4);
    this.totals = new Float64Array(buffer, ring.header, RING_HEADER_BYTES / 8);
    this.slotKinds = new Uint8Array(buffer, ring.kinds, ring.slots);
  }

  get dataQueued(): number {
    return this.between(word.DATA_TAKEN, word.DATA_SENT);
  }

  get queued(): number {
    return this.between(word.MESSAGES_TAKEN, word.MESSAGES_SENT);
  }

  get bytesQueued(): number {
    return this.between(word.BYTES_TAKEN, word.BYTES_SENT);
  }

  get messagesSent(): number {
    return this.totals[word.MESSAGES_SENT] as number;
  }

  get rowsSent(): number {
    return this.totals[word.ROWS_SENT] as number;
  }

  kinds(limit: number): MessageKind[] {
    // In this order: what is sent is never less than what was taken.
    const taken = Atomics.load(this.header, word.TAKEN);
    const slots = this.slotKinds.length;
    const queued = Math.min((Atomics.load(this.header, word.SENT) - taken) >>> 0, slots);
    const kinds: MessageKind[] = [];
    for (let i = 0; i < queued && kinds.length < limit; i++) {
      const kind = word.SLOT_KINDS[this.slotKinds[(taken + i) & (slots - 1)] as number];
      if (kind !== undefined) kinds.push(kind);
    }
    return kinds;
  }

  /** Never less than nothing, whichever of the two moves while they are read. */
  private between(taken: number, sent: number): number {
    const gone = this.totals[taken] as number;
    return Math.max(0, (this.totals[sent] as number) - gone);
  }
}
