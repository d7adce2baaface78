import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { grownNumbers, grownWords } from "../aggregates/accumulator.ts";

/** A result of the slot went out. */
export const EMITTED = 1;
/** There is something to tell since the last result went out. */
export const PENDING = 2;

/** What an operator keeps by slot: aggregates, or rows. A slot that is cleared holds what a new one holds. */
export interface SlotState {
  /** There are slots 0…slots − 1 from now on. */
  reserve(slots: number): void;
  /** Takes what `from` holds into `into` as well; `from` is cleared by the caller. */
  merge(into: number, from: number): void;
  clear(slot: number): void;
  /** A deep copy of these slots. */
  save(slots: Int32Array): SnapshotValue;
  /** The same into slots 1, 2, 3…, which are clear. */
  load(saved: SnapshotValue): void;
}

/**
 * Numbers 1, 2, 3… for pairs of a window and a key, with what each is, in columns; a state is kept by the same numbers. A number that
 * was closed is given again. Slot 0 is none.
 */
export class Slots {
  /** Number of the key; −1 where the slot is closed. */
  key = new Int32Array(1).fill(-1);
  start = new Float64Array(1);
  end = new Float64Array(1);
  flags = new Int32Array(1);
  /** Number of the batch that touched the slot last, where somebody asked. */
  touched = new Int32Array(1);
  /** How many are open. */
  live = 0;

  private used = 1;
  private readonly free: number[] = [];
  private readonly state: SlotState;

  constructor(state: SlotState) {
    this.state = state;
    this.reserve(64);
  }

  private reserve(slots: number): void {
    const open = this.key.length;
    this.key = grownWords(this.key, slots).fill(-1, open);
    this.start = grownNumbers(this.start, slots);
    this.end = grownNumbers(this.end, slots);
    this.flags = grownWords(this.flags, slots);
    this.touched = grownWords(this.touched, slots);
    this.state.reserve(slots);
  }

  open(key: number, start: number, end: number, flags: number): number {
    const slot = this.free.pop() ?? this.used++;
    if (slot === this.key.length) this.reserve(2 * slot);
    this.key[slot] = key;
    this.start[slot] = start;
    this.end[slot] = end;
    this.flags[slot] = flags;
    this.touched[slot] = 0;
    this.live++;
    return slot;
  }

  close(slot: number): void {
    this.state.clear(slot);
    this.key[slot] = -1;
    this.live--;
    this.free.push(slot);
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

  /** The open ones, oldest number first. */
  all(): Int32Array {
    const slots = new Int32Array(this.live);
    let count = 0;
    for (let slot = 1; slot < this.used; slot++) if ((this.key[slot] as number) >= 0) slots[count++] = slot;
    return slots;
  }
}
