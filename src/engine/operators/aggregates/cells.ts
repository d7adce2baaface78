import { grownNumbers, newNumbers } from "../../data/state-arrays.ts";

/** So many cells and more get room for four times as many at once, up to so many: room takes no memory yet, but what is grown out of does. */
const MANY = 1 << 17;
const MOST = 1 << 23;

/**
 * Doubles that aggregates keep by slot, 0 in a slot that is clear. All of a slot lie side by side, whatever aggregate each is of: where there are many
 * groups, a row that is added waits for the memory of its slot once, not once for each aggregate.
 */
export class Cells {
  values = newNumbers(1);
  /** Cells of a slot. */
  width = 0;

  /** One more cell for each slot. All are asked for before there are slots. */
  lane(): Lane {
    return new Lane(this, this.width++);
  }

  /** There are slots 0…slots − 1 from now on. */
  reserve(slots: number): void {
    const needed = slots * this.width;
    const { length } = this.values;
    if (needed <= length) return;
    this.values = grownNumbers(this.values, length < MANY ? needed : Math.max(needed, Math.min(4 * length, MOST)));
  }

  /** Slots `from`…`to` − 1. A loop, because mostly they are too few for `fill`. */
  clear(from: number, to: number): void {
    const { values, width } = this;
    for (let at = from * width; at < to * width; at++) values[at] = 0;
  }
}

/** One of the cells of each slot: that of slot s is `values[s * width + place]`. */
export class Lane {
  readonly place: number;
  private readonly cells: Cells;

  constructor(cells: Cells, place: number) {
    this.cells = cells;
    this.place = place;
  }

  get values(): Float64Array {
    return this.cells.values;
  }

  get width(): number {
    return this.cells.width;
  }

  /** Where the cell of slot 0 is, and how many bytes behind it that of slot 1, for kernels. */
  get address(): number {
    return this.values.byteOffset + 8 * this.place;
  }

  get stride(): number {
    return 8 * this.width;
  }

  of(slot: number): number {
    return this.values[slot * this.width + this.place] as number;
  }

  set(slot: number, value: number): void {
    this.values[slot * this.width + this.place] = value;
  }

  /** Of these slots. */
  take(slots: Int32Array): Float64Array {
    const { values, width, place } = this;
    const taken = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) taken[i] = values[(slots[i] as number) * width + place] as number;
    return taken;
  }

  /** The other way round; −1 where a value is to be left out. */
  put(taken: Float64Array, slots: Int32Array): void {
    for (let i = 0; i < slots.length; i++) {
      if ((slots[i] as number) >= 0) this.set(slots[i] as number, taken[i] as number);
    }
  }
}
