import { grownNumbers, grownWords } from "../aggregates/accumulator.ts";

/**
 * One timer a slot, in a binary heap over arrays. A timer that is set again or cancelled stays in the heap as an entry that its stamp shows to be an
 * old one, until old ones are half of all.
 */
export class Timers {
  private at = new Float64Array(64);
  private slots = new Int32Array(64);
  private stamps = new Float64Array(64);
  private count = 0;
  private stamp = 0;
  /** Stamp of the timer that holds, by slot; 0: none. */
  private valid = new Float64Array(64);
  /** How many hold. */
  private live = 0;

  set(slot: number, at: number): void {
    if (this.count === this.at.length) this.makeRoom();
    if (slot >= this.valid.length) this.valid = grownNumbers(this.valid, 2 * slot);
    if (this.valid[slot] === 0) this.live++;
    this.stamp++;
    this.valid[slot] = this.stamp;
    let place = this.count++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.at[parent] as number) <= at) break;
      this.move(parent, place);
      place = parent;
    }
    this.put(place, at, slot, this.stamp);
  }

  cancel(slot: number): void {
    if (slot >= this.valid.length || this.valid[slot] === 0) return;
    this.valid[slot] = 0;
    this.live--;
  }

  clear(): void {
    this.count = 0;
    this.live = 0;
    this.valid.fill(0);
  }

  /** Takes out a timer that is set to a time before `time`: its slot, or 0. */
  takeBefore(time: number): number {
    while (this.count > 0 && (this.at[0] as number) < time) {
      const slot = this.slots[0] as number;
      const holds = this.stamps[0] === this.valid[slot];
      this.sink(--this.count, 0);
      if (!holds) continue;
      this.valid[slot] = 0;
      this.live--;
      return slot;
    }
    return 0;
  }

  /** Puts the entry that stands at `from` to `place`, or as far below as it belongs. */
  private sink(from: number, place: number): void {
    const { count, at } = this;
    const moved = at[from] as number;
    const slot = this.slots[from] as number;
    const stamp = this.stamps[from] as number;
    let to = place;
    for (let child = 2 * to + 1; child < count; child = 2 * to + 1) {
      if (child + 1 < count && (at[child + 1] as number) < (at[child] as number)) child++;
      if ((at[child] as number) >= moved) break;
      this.move(child, to);
      to = child;
    }
    this.put(to, moved, slot, stamp);
  }

  private move(from: number, to: number): void {
    this.put(to, this.at[from] as number, this.slots[from] as number, this.stamps[from] as number);
  }

  private put(place: number, at: number, slot: number, stamp: number): void {
    this.at[place] = at;
    this.slots[place] = slot;
    this.stamps[place] = stamp;
  }

  private makeRoom(): void {
    if (2 * this.live <= this.count) {
      this.sweep();
      return;
    }
    this.at = grownNumbers(this.at, 2 * this.count);
    this.slots = grownWords(this.slots, 2 * this.count);
    this.stamps = grownNumbers(this.stamps, 2 * this.count);
  }

  /** Leaves out the entries that hold no more. */
  private sweep(): void {
    let kept = 0;
    for (let place = 0; place < this.count; place++) {
      if (this.stamps[place] === this.valid[this.slots[place] as number]) this.move(place, kept++);
    }
    this.count = kept;
    for (let place = (kept >> 1) - 1; place >= 0; place--) this.sink(place, place);
  }
}
