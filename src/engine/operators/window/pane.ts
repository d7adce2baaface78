import { giveBack, grownWords, heapOf, newWords } from "../../data/state-arrays.ts";
import type { KernelHeap } from "../../data/wasm/kernel-heap.ts";
import type { Slots } from "./slots.ts";

/** Logarithm of the slots that a window takes at once: for keys whose numbers are neighbours. */
export const BLOCK_BITS = 5;
const IN_BLOCK = (1 << BLOCK_BITS) - 1;

/**
 * One window that is open, or a slice that several windows share: a slot for each of its keys. Slots come in blocks of keys with neighbouring numbers,
 * and a window has a block only where it has keys: so a row finds its slot by one look into a short list, and what windows of many keys keep lies in
 * the order of the keys.
 *
 * The slot of key k is `blocks[k >> BLOCK_BITS] | (k & 31)`. It is closed where the key did not come, and in block 0, which is nobody's.
 */
export class Pane {
  readonly start: number;
  readonly end: number;
  /** Whether time has passed its end; what comes now is a correction. */
  fired: boolean;
  /** First slots by block of keys, 0 for none. */
  blocks = newWords(1);
  /** Slots that are open. */
  count = 0;
  private readonly slots: Slots;

  constructor(start: number, end: number, fired: boolean, slots: Slots) {
    this.start = start;
    this.end = end;
    this.fired = fired;
    this.slots = slots;
  }

  /** For so many keys there is room. */
  get keys(): number {
    return this.blocks.length << BLOCK_BITS;
  }

  /** Makes room for so many keys. */
  cover(keys: number): void {
    const needed = (keys + IN_BLOCK) >> BLOCK_BITS;
    if (needed > this.blocks.length) this.blocks = grownWords(this.blocks, Math.max(needed, 2 * this.blocks.length));
  }

  /** Opens the slot of a key that has none. */
  open(key: number, flags: number): number {
    const block = key >> BLOCK_BITS;
    let first = this.blocks[block] as number;
    if (first === 0) {
      first = this.slots.takeBlock(block << BLOCK_BITS, this.start, this.end);
      this.blocks[block] = first;
    }
    const slot = first | (key & IN_BLOCK);
    this.slots.openAt(slot, flags);
    this.count++;
    return slot;
  }

  /** The slot of a key, opened if need be. */
  slotOf(key: number): number {
    const slot = (this.blocks[key >> BLOCK_BITS] as number) | (key & IN_BLOCK);
    return this.slots.isOpen(slot) ? slot : this.open(key, 0);
  }

  /** Slots of the rows [from, to) into `out` from `at` on. */
  slotsOf(ids: Int32Array, from: number, to: number, out: Int32Array, at: number): void {
    const heap = heapOf(out, to - from);
    if (heap !== undefined && heapOf(ids, to - from) !== undefined) {
      this.slotsByKernel(heap, ids, from, to, out, at);
      return;
    }
    const { blocks } = this;
    const { open } = this.slots;
    const shift = at - from;
    let all = 1;
    // No call in the loop, which would make each row look again where the arrays are.
    for (let row = from; row < to; row++) {
      const id = ids[row] as number;
      const first = blocks[id >> BLOCK_BITS] as number;
      all &= (open[first >> BLOCK_BITS] as number) >> (id & IN_BLOCK);
      out[row + shift] = first | (id & IN_BLOCK);
    }
    if (all === 0) for (let row = from; row < to; row++) out[row + shift] = this.slotOf(ids[row] as number);
  }

  private slotsByKernel(
    heap: KernelHeap,
    ids: Int32Array,
    from: number,
    to: number,
    out: Int32Array,
    at: number,
  ): void {
    const rest = heap.words(to - from + 1);
    const [source, target] = [ids.byteOffset + 4 * from, out.byteOffset + 4 * at];
    const [blocks, open] = [this.blocks.byteOffset, this.slots.open.byteOffset];
    const count = heap.kernels.slotsOfKeys(source, blocks, open, to - from, target, rest.byteOffset);
    const opened = rest[count] as number;
    this.count += opened;
    this.slots.live += opened;
    for (let i = 0; i < count; i++) {
      const place = rest[i] as number;
      out[at + place] = this.slotOf(ids[from + place] as number);
    }
    heap.release(rest);
  }

  /** The open ones, by key number. */
  all(): Int32Array {
    const found = new Int32Array(this.count);
    let count = 0;
    for (const first of this.blocks) if (first !== 0) count = this.slots.openOf(first, found, count);
    return found;
  }

  /** Closes these slots, and gives back blocks that have none any more. */
  close(slots: Int32Array): void {
    for (const slot of slots) this.slots.closeAt(slot);
    this.count -= slots.length;
    this.blocks.forEach((first, block) => {
      if (first === 0 || this.slots.open[first >> BLOCK_BITS] !== 0) return;
      this.slots.releaseBlock(first);
      this.blocks[block] = 0;
    });
  }

  /** Closes all. */
  release(): void {
    for (const first of this.blocks) if (first !== 0) this.slots.releaseBlock(first);
    giveBack(this.blocks);
    this.blocks = new Int32Array(0);
    this.count = 0;
  }
}
