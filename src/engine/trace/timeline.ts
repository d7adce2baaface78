import { type EdgeId, edgeId, epoch, type TaskId, taskId } from "../base/ids.ts";
import { stateIndex, TASK_STATES, type TaskState } from "../core/probes.ts";
import type { TraceEvent, TraceSink } from "./trace-event.ts";

/**
 * A bounded, lossy ring of the timeline's events in shared memory: one writer (a host), one reader (the page). The writer never
 * waits; a reader that falls behind learns how many events it lost.
 */
const RECORDS = 8192;
const CELLS = 5;
/** Cells before the records: the count of all events ever written. */
const HEAD = 8;

const KINDS = ["state", "snapshot", "committed", "ended", "failed", "finished"] as const;
type TimelineKind = (typeof KINDS)[number];
const STATE = KINDS.indexOf("state");

export function allocateTimeline(): SharedArrayBuffer {
  return new SharedArrayBuffer((HEAD + RECORDS * CELLS) * Float64Array.BYTES_PER_ELEMENT);
}

export class TimelineTrace implements TraceSink {
  readonly messages = false;
  readonly on = true;
  private readonly cells: Float64Array;
  private written = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.cells = new Float64Array(buffer);
  }

  record(event: TraceEvent): void {
    const kind = KINDS.indexOf(event.kind as TimelineKind);
    if (kind < 0 || event.task === undefined) return;
    if (event.kind === "state") this.state(event.atMs, event.task, event.state, event.target);
    else this.write(event.atMs, event.task, kind, "epoch" in event ? (event.epoch ?? 0) : 0, 0);
  }

  state(atMs: number, task: TaskId, state: TaskState, target: EdgeId | undefined): void {
    this.write(atMs, task, STATE, stateIndex(state), target ?? -1);
  }

  private write(atMs: number, task: TaskId, kind: number, first: number, second: number): void {
    const { cells } = this;
    const at = HEAD + (this.written % RECORDS) * CELLS;
    cells[at] = atMs;
    cells[at + 1] = task;
    cells[at + 2] = kind;
    cells[at + 3] = first;
    cells[at + 4] = second;
    this.written++;
    cells[0] = this.written;
  }
}

/** Reads a host's timeline from outside, a piece at a time. */
export class TimelineReader {
  private readonly cells: Float64Array;
  private read = 0;
  /** Events that were overwritten before they were read. */
  lost = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.cells = new Float64Array(buffer);
  }

  /** The events written since the last call, oldest first. */
  take(): TraceEvent[] {
    const written = this.cells[0] as number;
    // The record being written now may be the oldest one of a full ring.
    const oldest = Math.max(0, written - RECORDS + 1);
    if (this.read < oldest) {
      this.lost += oldest - this.read;
      this.read = oldest;
    }
    const events: TraceEvent[] = [];
    for (; this.read < written; this.read++) events.push(this.eventAt(HEAD + (this.read % RECORDS) * CELLS));
    return events;
  }

  private eventAt(at: number): TraceEvent {
    const cell = (i: number) => this.cells[at + i] as number;
    const base = { atMs: cell(0), task: taskId(cell(1)) };
    const kind = KINDS[cell(2)] as TimelineKind;
    switch (kind) {
      case "state": {
        const state = TASK_STATES[cell(3)] ?? "Starting";
        return cell(4) < 0 ? { ...base, kind, state } : { ...base, kind, state, target: edgeId(cell(4)) };
      }
      case "snapshot":
        return { ...base, kind, epoch: epoch(cell(3)), sink: false };
      case "committed":
        return { ...base, kind, epoch: epoch(cell(3)) };
      case "failed":
        return { ...base, kind, text: "" };
      default:
        return { ...base, kind };
    }
  }
}
