import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { EventTimes } from "../data/batch.ts";
import type { TimeConfig } from "../operators/catalog.ts";
import { recordOf } from "./position.ts";

/**
 * How far the event time of one partition has come, and whether it is idle.
 *
 * With `maxAheadMs`, a row further ahead than that of the greatest time believed so far does not move time by itself: one
 * wrong clock would make all that follow late. It is believed when the next row is ahead as well (then the earlier of
 * the two), so that a true gap in the data holds time back for one row only. The first row of all waits for the second in the same way.
 */
export class PartitionProgress {
  state: "active" | "idle" | "ended" = "active";

  private readonly delayMs: number;
  private readonly maxAheadMs: number | undefined;
  /** Greatest event time believed. */
  private latest = Number.NEGATIVE_INFINITY;
  /** Event time of the row before, when it was too far ahead. */
  private suspect: number | undefined = undefined;
  /** The last suspect that no other row confirmed. */
  private jump: number | undefined = undefined;
  /** Run clock of the first poll of a series that found nothing. */
  private quietSince: number | undefined = undefined;

  constructor(time: TimeConfig | undefined, restored: SnapshotValue | undefined) {
    this.delayMs = time?.watermark.kind === "bounded" ? time.watermark.delayMs : 0;
    this.maxAheadMs = time?.maxAheadMs ?? undefined;
    const saved = recordOf(restored);
    if (typeof saved["latest"] === "number") this.latest = saved["latest"];
    if (typeof saved["suspect"] === "number") this.suspect = saved["suspect"];
    if (saved["state"] === "idle" || saved["state"] === "ended") this.state = saved["state"];
  }

  /** No row with an event time below this is to come (D-5); −∞ before the first row. */
  get watermark(): number {
    return this.latest - this.delayMs;
  }

  /** Rows [from, to) of a batch, read from this partition; NULL times move nothing. */
  observe(times: EventTimes, from: number, to: number): void {
    if (from === to) return;
    this.state = "active";
    this.quietSince = undefined;
    if (this.maxAheadMs !== undefined) {
      for (let row = from; row < to; row++) this.believe(times[row] as number, this.maxAheadMs);
      return;
    }
    let { latest } = this;
    for (let row = from; row < to; row++) {
      const ms = times[row] as number;
      if (ms > latest) latest = ms;
    }
    this.latest = latest;
  }

  /** A poll found nothing to read here. */
  quiet(nowMs: number, timeoutMs: number): void {
    if (this.state !== "active") return;
    this.quietSince ??= nowMs;
    if (nowMs - this.quietSince >= timeoutMs) this.state = "idle";
  }

  /** When the partition becomes idle if nothing comes; `undefined` when it is not waiting for that. */
  idleAt(timeoutMs: number): number | undefined {
    return this.state === "active" && this.quietSince !== undefined ? this.quietSince + timeoutMs : undefined;
  }

  end(): void {
    this.state = "ended";
  }

  /** The event time of a row that turned out to be alone ahead; told once. */
  takeJump(): number | undefined {
    const { jump } = this;
    this.jump = undefined;
    return jump;
  }

  snapshot(): SnapshotValue {
    return {
      latest: Number.isFinite(this.latest) ? this.latest : null,
      suspect: this.suspect ?? null,
      state: this.state,
    };
  }

  private believe(ms: number, maxAheadMs: number): void {
    if (Number.isNaN(ms)) return;
    const before = this.suspect;
    this.suspect = undefined;
    if (ms > this.latest + maxAheadMs || this.latest === Number.NEGATIVE_INFINITY) {
      if (before === undefined) {
        this.suspect = ms;
        return;
      }
      this.latest = Math.min(before, ms);
      if (Math.max(before, ms) > this.latest + maxAheadMs) {
        if (before > ms) this.jump = before;
        else this.suspect = ms;
        return;
      }
      this.latest = Math.max(before, ms);
      return;
    }
    if (before !== undefined) this.jump = before;
    if (ms > this.latest) this.latest = ms;
  }
}
