import type { StageContext } from "../context.ts";
import type { Assignment } from "./assignment.ts";
import type { Slots } from "./slots.ts";
import type { Windows } from "./windows.ts";

/** A warning comes at most so often. */
const WARN_EVERY_MS = 10_000;

/**
 * Bounds the open pairs of window and key: over the limit the oldest by (window start, key) go without a result, counted and announced.
 * Pairs that the batch itself touched stay, so one batch may go over the limit.
 */
export class Evictions {
  private readonly limit: number;
  private readonly slots: Slots;
  private readonly windows: Windows;
  private readonly context: StageContext;
  /** Number of the batch, where it may come to an eviction; 0 where it cannot. */
  private batch = 0;
  private batches = 0;
  private unannounced = 0;
  private announcedMs = Number.NEGATIVE_INFINITY;

  constructor(limit: number, slots: Slots, windows: Windows, context: StageContext) {
    this.limit = limit;
    this.slots = slots;
    this.windows = windows;
    this.context = context;
  }

  /** @param pairs that the batch opens at most */
  startBatch(pairs: number): void {
    this.batches = (this.batches + 1) & 0x3fffffff || 1;
    this.batch = this.windows.pairs + pairs > this.limit ? this.batches : 0;
  }

  touched({ slots, count }: Assignment): void {
    if (this.batch === 0) return;
    const touched = this.slots.touched();
    for (let i = 0; i < count; i++) touched[slots[i] as number] = this.batch;
  }

  /** Whether windows were given up. */
  endBatch(nowMs: number): boolean {
    if (this.batch === 0 || this.windows.pairs <= this.limit) return false;
    const evicted = this.windows.evict(this.limit, this.batch);
    if (evicted === 0) return false;
    this.context.count("evicted", evicted);
    this.unannounced += evicted;
    this.announce(nowMs);
    return true;
  }

  private announce(nowMs: number): void {
    if (nowMs - this.announcedMs < WARN_EVERY_MS) return;
    this.context.note({
      code: "windows-evicted",
      domain: "data",
      field: "maxBufferedKeys",
      message: `${this.unannounced} of the oldest windows were given up without a result, because more than ${this.limit} were open`,
      hint: "raise maxBufferedKeys, use larger windows or fewer keys, or let watermarks come sooner",
    });
    this.unannounced = 0;
    this.announcedMs = nowMs;
  }
}
