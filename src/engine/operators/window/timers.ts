import { grownNumbers, grownWords } from "../aggregates/accumulator.ts";

/**
 * One timer a slot, in a binary heap over arrays. A timer that is set again or cancelled stays in the heap as an entry that its stamp shows to be an
 * old one.
 */
export class Timers {
  private at = new Float64Array(64);
  private slots = new Int32Array(64);
  private stamps = new Float64Array(64);
  private count = 0;
  private stamp = 0;
  /** Stamp of the timer that holds, by slot; 0: none. */
  private valid = new Float64Array(64);

  set(slot: number, at: number): void {
    if (this.count === this.at.length) this.grow();
    if (slot >= this.valid.length) this.valid = grownNumbers(this.valid, 2 * slot);
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
    if (slot < this.valid.length) this.valid[slot] = 0;
  }

  clear(): void {
    this.count = 0;
    this.valid.fill(0);
  }

  /** Takes out a timer that is set to a time before `time`: its slot, or 0. */
  takeBefore(time: number): number {
    while (this.count > 0 && (this.at[0] as number) < time) {
      const slot = this.slots[0] as number;
      const holds = this.stamps[0] === this.valid[slot];
      this.removeFirst();
      if (!holds) continue;
      this.valid[slot] = 0;
      return slot;
    }
    return 0;
  }

  private removeFirst(): void {
    this.count--;
    const { count, at } = this;
    const moved = at[count] as number;
    let place = 0;
    for (let child = 1; child < count; child = 2 * place + 1) {
      if (child + 1 < count && (at[child + 1] as number) < (at[child] as number)) child++;
      if ((at[child] as number) >= moved) break;
      this.move(child, place);
      place = child;
    }
    this.put(place, moved, this.slots[count] as number, this.stamps[count] as number);
  }

  private move(from: number, to: number): void {
    this.put(to, this.at[from] as number, this.slots[from] as number, this.stamps[from] as number);
  }

  private put(place: number, at: number, slot: number, stamp: number): void {
    this.at[place] = at;
    this.slots[place] = slot;
    this.stamps[place] = stamp;
  }

  private grow(): void {
    this.at = grownNumbers(this.at, 2 * this.count);
    this.slots = grownWords(this.slots, 2 * this.count);
    this.stamps = grownNumbers(this.stamps, 2 * this.count);
  }
}
