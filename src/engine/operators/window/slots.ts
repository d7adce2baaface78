import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { ones } from "../../data/bits.ts";
import { grownWords, newWords } from "../../data/state-arrays.ts";
import { grownNumbers } from "../aggregates/accumulator.ts";

/** A result of the slot went out. */
export const EMITTED = 1;
/** There is something to tell since the last result went out. */
export const PENDING = 2;

/** Beyond so many slots room grows by half, not to the double. */
const MANY = 1 << 18;

/** What an operator keeps by slot: aggregates, or rows. A slot that is cleared holds what a new one holds. */
export interface SlotState {
  /** There are slots 0…slots − 1 from now on. */
  reserve(slots: number): void;
  /** Takes what `from` holds into `into` as well. */
  merge(into: number, from: number): void;
  /** Slots `from`…`to` − 1. */
  clear(from: number, to: number): void;
  /** A deep copy of these slots. */
  save(slots: Int32Array): SnapshotValue;
  /** The same into as many slots, which are clear; −1 where it is to be left out. */
  load(saved: SnapshotValue, slots: Int32Array): void;
}

/**
 * Numbers from 1 on for pairs of a window and a key, with what each is, in columns; a state is kept by the same numbers. A number that was closed is
 * given again. Slot 0 is none. Numbers go out in blocks of a power of two, 32 slots at most: all slots of a block are of one window, and of keys whose
 * numbers follow each other.
 */
export class Slots {
  /** 0 where the slot is closed. */
  flags = new Uint8Array(0);
  /** By block, a bit for each slot that is open. */
  open = newWords(1);
  /** By block, the number of the first slot's key. */
  private firstKey = newWords(1);
  /** Bounds of the window, by block. */
  start = new Float64Array(0);
  end = new Float64Array(0);
  /** How many are open. */
  live = 0;

  private readonly bits: number;
  /** Blocks that were ever given, block 0 among them. */
  private used = 1;
  private readonly free: number[] = [];
  private readonly state: SlotState;
  /** Number of the batch that touched the slot last, where somebody asked; empty until then. */
  private touchedBy: Int32Array = new Int32Array(0);

  /** @param bits logarithm of the slots of a block */
  constructor(state: SlotState, bits = 0) {
    this.state = state;
    this.bits = bits;
    this.reserve(Math.max(2, 64 >> bits));
  }

  private reserve(blocks: number): void {
    const slots = blocks << this.bits;
    this.open = grownWords(this.open, blocks);
    this.firstKey = grownWords(this.firstKey, blocks);
    const flags = new Uint8Array(slots);
    flags.set(this.flags);
    this.flags = flags;
    this.start = grownNumbers(this.start, blocks);
    this.end = grownNumbers(this.end, blocks);
    this.state.reserve(slots);
  }

  /** The first of a block of slots, which are closed. The others are of the keys that follow. */
  takeBlock(firstKey: number, start: number, end: number): number {
    const block = this.free.pop() ?? this.used++;
    const room = this.start.length;
    if (block === room) this.reserve(room << this.bits < MANY ? 2 * room : room + (room >> 1));
    this.firstKey[block] = firstKey;
    this.start[block] = start;
    this.end[block] = end;
    return block << this.bits;
  }

  /** Closes what is open in a block, which may be given again. */
  releaseBlock(first: number): void {
    const block = first >> this.bits;
    const to = first + (1 << this.bits);
    const closed = ones(this.open[block] as number);
    this.open[block] = 0;
    this.live -= closed;
    for (let slot = first; slot < to; slot++) this.flags[slot] = 0;
    if (closed > 0) this.state.clear(first, to);
    this.free.push(block);
  }

  /** Opens a slot of a block. */
  openAt(slot: number, flags: number): void {
    const block = slot >> this.bits;
    this.open[block] = (this.open[block] as number) | this.bitOf(slot);
    this.flags[slot] = flags;
    this.live++;
  }

  /** A slot with a block of its own. */
  openOne(key: number, start: number, end: number, flags: number): number {
    const slot = this.takeBlock(key, start, end);
    this.openAt(slot, flags);
    return slot;
  }

  /** Closes one slot of a block that stays. */
  closeAt(slot: number): void {
    const block = slot >> this.bits;
    this.state.clear(slot, slot + 1);
    this.open[block] = (this.open[block] as number) & ~this.bitOf(slot);
    this.flags[slot] = 0;
    this.live--;
  }

  isOpen(slot: number): boolean {
    return ((this.open[slot >> this.bits] as number) & this.bitOf(slot)) !== 0;
  }

  private bitOf(slot: number): number {
    return 1 << (slot & ((1 << this.bits) - 1));
  }

  /** Number of the slot's key. */
  keyOf(slot: number): number {
    return (this.firstKey[slot >> this.bits] as number) + (slot & ((1 << this.bits) - 1));
  }

  keysOf(slots: Int32Array): Int32Array {
    const { firstKey, bits } = this;
    const inBlock = (1 << bits) - 1;
    const keys = new Int32Array(slots.length);
    // A loop, which is several times as fast as a call for each of a million results.
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      keys[i] = (firstKey[slot >> bits] as number) + (slot & inBlock);
    }
    return keys;
  }

  startOf(slot: number): number {
    return this.start[slot >> this.bits] as number;
  }

  endOf(slot: number): number {
    return this.end[slot >> this.bits] as number;
  }

  /** Bounds of the windows of these slots. */
  bounds(slots: Int32Array, starts: Float64Array, ends: Float64Array): void {
    const { start, end, bits } = this;
    for (let i = 0; i < slots.length; i++) {
      const block = (slots[i] as number) >> bits;
      starts[i] = start[block] as number;
      ends[i] = end[block] as number;
    }
  }

  /** The window that all of these slots are of, if it is one. */
  windowOf(slots: Int32Array): { readonly start: number; readonly end: number } | undefined {
    const { start, end, bits } = this;
    const first = (slots[0] ?? 0) >> bits;
    const [from, to] = [start[first] as number, end[first] as number];
    for (let i = 1; i < slots.length; i++) {
      const block = (slots[i] as number) >> bits;
      if (start[block] !== from || end[block] !== to) return undefined;
    }
    return { start: from, end: to };
  }

  has(slot: number, flag: number): boolean {
    return ((this.flags[slot] as number) & flag) !== 0;
  }

  raise(slot: number, flag: number): void {
    this.flags[slot] = (this.flags[slot] as number) | flag;
  }

  /** A result goes out now. */
  told(slot: number): void {
    this.flags[slot] = EMITTED;
  }

  /** By slot the number of the batch that touched it last, for those who keep that. */
  touched(): Int32Array {
    const slots = this.open.length << this.bits;
    if (this.touchedBy.length < slots) this.touchedBy = grownWords(this.touchedBy, slots);
    return this.touchedBy;
  }

  /** The open ones by their numbers. */
  all(): Int32Array {
    const slots = new Int32Array(this.live);
    let count = 0;
    for (let block = 0; block < this.used; block++) count = this.openOf(block << this.bits, slots, count);
    return slots;
  }

  /** Those of a block into `out` from `at` on. Answers where they end. */
  openOf(first: number, out: Int32Array, at: number): number {
    let count = at;
    for (let open = this.open[first >> this.bits] as number; open !== 0; open &= open - 1) {
      out[count++] = first + 31 - Math.clz32(open & -open);
    }
    return count;
  }
}
