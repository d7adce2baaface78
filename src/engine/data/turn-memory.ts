import { Room } from "./storage.ts";
import { longerBytes } from "./wasm/kernel-arrays.ts";

/** A little less than a MiB, so that it fits a block of that with what kernels may read behind it. */
const CHUNK_BYTES = (1 << 20) - 1024;
/** What a turn needs beyond this is private memory, as if there were none of this. */
const MOST_CHUNKS = 8;
const LINE_BYTES = 64;
const NONE = new Uint8Array(0);

/**
 * Memory for what a task computes on its way through a batch, used again turn by turn: fresh memory for each batch costs as much as the computing.
 * It is that of the worker's kernels, where there are such, so that they find there what was computed before.
 * What lies in it is borrowed, like a batch in a slot of a ring, and valid until the effects of the call are through.
 */
export class TurnMemory {
  private readonly chunks: Uint8Array[] = [];
  /** Chunks in use, and the end of what is used of the last one. */
  private used = 0;
  private end = CHUNK_BYTES;

  /** Room for so many bytes, which hold anything. */
  room(bytes: number): Room {
    const size = Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    if (size > CHUNK_BYTES) return new Room(bytes);
    if (this.end + size > CHUNK_BYTES) {
      if (this.used === MOST_CHUNKS) return new Room(bytes);
      this.used++;
      this.end = 0;
    }
    const place = this.used - 1;
    this.chunks[place] ??= longerBytes(CHUNK_BYTES, NONE);
    const { buffer, byteOffset } = this.chunks[place] as Uint8Array;
    const room = new Room(bytes, buffer, byteOffset + this.end);
    this.end += size;
    return room;
  }

  /** The effects are through: nobody reads any of it any more. */
  settled(): void {
    if (this.used === 0) return;
    this.used = 0;
    this.end = CHUNK_BYTES;
  }
}
