import { createStore, type StoreApi } from "zustand/vanilla";
import { TRACK_MS } from "../../engine-client/task-track.ts";

export interface TimelineView {
  readonly spanMs: number;
  /** Right edge on the run's clock; undefined: now, which moves. */
  readonly endMs: number | undefined;
}

const LEAST_MS = 50;
const STEP = 1.5;

/** The stretch of time that the timeline shows. */
export class TimelineWindow {
  readonly state: StoreApi<TimelineView> = createStore<TimelineView>(() => ({ spanMs: 6000, endMs: undefined }));

  /** `about`: the place that stays, as a part of the width from the left. */
  zoom(steps: number, nowMs: number, about = 1): void {
    const { spanMs, endMs } = this.state.getState();
    const next = Math.min(TRACK_MS, Math.max(LEAST_MS, spanMs * STEP ** steps));
    // What moves with now stays there.
    const end = endMs === undefined || about === 1 ? endMs : this.within(endMs + (next - spanMs) * (1 - about), nowMs);
    this.state.setState({ spanMs: next, endMs: end });
  }

  /** Moves the window by a time; into the past is negative. It then stands still. */
  move(byMs: number, nowMs: number): void {
    const { endMs = nowMs } = this.state.getState();
    this.state.setState({ endMs: this.within(endMs + byMs, nowMs) });
  }

  hold(nowMs: number): void {
    this.state.setState({ endMs: nowMs });
  }

  follow(): void {
    this.state.setState({ endMs: undefined });
  }

  private within(endMs: number, nowMs: number): number {
    return Math.min(nowMs, Math.max(endMs, nowMs - TRACK_MS));
  }
}
