import type { Epoch } from "../base/ids.ts";

/** At most this many epochs are outstanding; the ticker skips beats beyond it (D-8). */
export const MAX_PENDING_EPOCHS = 32;

/**
 * Where the snapshots of an epoch have so many bytes, taking them is what the tasks do meanwhile: then one epoch is out at a time, and behind it
 * the ticker rests for as long as it took. Otherwise a large state would leave no time for rows, and 32 copies of it would be on their way.
 */
export const HEAVY_BYTES = 16 << 20;

/**
 * When the next epoch is due and when those that are out are overdue, in running time: milliseconds of the run's clock without its pauses
 * (D-8, D-19).
 */
export class EpochSchedule {
  private readonly everyMs: number;
  private readonly timeoutMs: number;
  private nextBeat = Number.POSITIVE_INFINITY;
  private readonly issuedAt = new Map<Epoch, number>();
  private pausedSince: number | undefined = undefined;
  private pausedMs = 0;
  private isHeavy = false;

  /** `everyMs` 0: no ticker (F-7). */
  constructor(everyMs: number, timeoutMs: number) {
    this.everyMs = everyMs;
    this.timeoutMs = timeoutMs;
  }

  get isPaused(): boolean {
    return this.pausedSince !== undefined;
  }

  /** Time of the run's clock at which something is due; infinity for never. */
  get nextMs(): number {
    return this.isPaused ? Number.POSITIVE_INFINITY : Math.min(this.nextBeat + this.pausedMs, this.nextOverdueMs);
  }

  /** Time of the run's clock at which an epoch will be out for too long; infinity for never. */
  get nextOverdueMs(): number {
    if (this.isPaused) return Number.POSITIVE_INFINITY;
    return Math.min(...this.issuedAt.values()) + this.timeoutMs + this.pausedMs;
  }

  start(nowMs: number): void {
    if (this.everyMs > 0) this.nextBeat = this.running(nowMs) + this.everyMs;
  }

  pause(nowMs: number): void {
    this.pausedSince = nowMs;
  }

  resume(nowMs: number): void {
    this.pausedMs += nowMs - (this.pausedSince ?? nowMs);
    this.pausedSince = undefined;
  }

  /** The ticker ends (F-49). */
  stopTicker(): void {
    this.nextBeat = Number.POSITIVE_INFINITY;
  }

  /** Nothing is waited for any more. */
  clear(): void {
    this.stopTicker();
    this.issuedAt.clear();
  }

  issued(epoch: Epoch, nowMs: number): void {
    this.issuedAt.set(epoch, this.running(nowMs));
  }

  /** The epoch completed, with snapshots of so many bytes. */
  completed(epoch: Epoch, nowMs: number, bytes: number): void {
    const running = this.running(nowMs);
    const tookMs = running - (this.issuedAt.get(epoch) ?? running);
    this.settled(epoch);
    this.isHeavy = bytes >= HEAVY_BYTES;
    if (this.isHeavy) this.nextBeat = Math.max(this.nextBeat, running + tookMs);
  }

  /** Nobody waits for the epoch any more. */
  settled(epoch: Epoch): void {
    this.issuedAt.delete(epoch);
  }

  /** The oldest epoch that is out for too long. */
  overdue(nowMs: number): Epoch | undefined {
    const running = this.running(nowMs);
    for (const [epoch, at] of this.issuedAt) if (running - at >= this.timeoutMs) return epoch;
    return undefined;
  }

  /** Whether the ticker beats now; the next beat counts from this one (F-49), also where it is skipped (D-8). */
  beat(nowMs: number): boolean {
    const running = this.running(nowMs);
    if (running < this.nextBeat) return false;
    this.nextBeat = running + this.everyMs;
    return !this.isHeavy || this.issuedAt.size === 0;
  }

  private running(nowMs: number): number {
    return (this.pausedSince ?? nowMs) - this.pausedMs;
  }
}
