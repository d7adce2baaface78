import type { TimeMark } from "../base/event-time.ts";
import type { TaskId } from "../base/ids.ts";

/**
 * Merging of what the inputs of a task say about time (D-3, F-16 to F-23). One entry per physical input and
 * originating task; an entry is a time, idle (it keeps the time that it said before), or END.
 */
interface Entry {
  status: "active" | "idle" | "end";
  /** The last time that it said; undefined when it never said one. */
  ms: number | undefined;
}

/** What one message made of the combined time; the parts happen in this order. */
export interface TimeChange {
  /** Combined time moved here: strictly greater than before (F-18). */
  readonly advancedTo: number | undefined;
  /** Every input is idle now, and was not before: said once (D-3). */
  readonly becameIdle: boolean;
  /** Every entry reached END: said once. */
  readonly ended: boolean;
}

const NO_CHANGE: TimeChange = { advancedTo: undefined, becameIdle: false, ended: false };

export class WatermarkTable {
  private readonly entries: Map<TaskId, Entry>[];
  private readonly spoken: boolean[];
  private silent: number;
  private fired: number | undefined = undefined;
  private idle = false;
  private end = false;

  constructor(inputs: number) {
    this.entries = Array.from({ length: inputs }, () => new Map<TaskId, Entry>());
    this.spoken = new Array<boolean>(inputs).fill(false);
    this.silent = inputs;
  }

  /** Combined time as last fired; undefined before the first. */
  get time(): number | undefined {
    return this.fired;
  }

  /** Whether every entry is idle (or at END, with at least one idle). */
  get isIdle(): boolean {
    return this.idle;
  }

  get isEnded(): boolean {
    return this.end;
  }

  update(input: number, source: TaskId, mark: TimeMark): TimeChange {
    this.hear(input);
    const entries = this.entries[input] as Map<TaskId, Entry>;
    let entry = entries.get(source);
    if (entry === undefined) {
      entry = { status: "active", ms: undefined };
      entries.set(source, entry);
    }
    if (mark.kind === "time") {
      entry.status = "active";
      entry.ms = mark.ms;
    } else {
      entry.status = mark.kind;
    }
    return this.evaluate();
  }

  /** The input is at Eos: it counts as having spoken, and what it said last stays (F-22, D-3). */
  endInput(input: number): TimeChange {
    this.hear(input);
    return this.evaluate();
  }

  /** Continues from a snapshot: time does not move back behind what was fired, and an end that was told is not told again. */
  restore(fired: number | undefined, ended: boolean): void {
    this.fired = fired;
    this.end = ended;
  }

  /** What holds the input's time back: its least active time, or how it stands. For the probe. */
  markOf(input: number): TimeMark | undefined {
    const entries = [...(this.entries[input] as Map<TaskId, Entry>).values()];
    const active = entries.filter((entry) => entry.status === "active" && entry.ms !== undefined);
    if (active.length > 0) return { kind: "time", ms: Math.min(...active.map((entry) => entry.ms as number)) };
    if (entries.some((entry) => entry.status === "idle")) return { kind: "idle" };
    return entries.length > 0 ? { kind: "end" } : undefined;
  }

  private hear(input: number): void {
    if (this.spoken[input] === true) return;
    this.spoken[input] = true;
    this.silent--;
  }

  private evaluate(): TimeChange {
    if (this.silent > 0 || this.end) return NO_CHANGE;
    let active = 0;
    let idle = 0;
    let ended = 0;
    let min = Number.POSITIVE_INFINITY;
    let idleMax = Number.NEGATIVE_INFINITY;
    for (const entries of this.entries) {
      for (const entry of entries.values()) {
        if (entry.status === "active") {
          active++;
          min = Math.min(min, entry.ms as number);
        } else if (entry.status === "idle") {
          idle++;
          if (entry.ms !== undefined) idleMax = Math.max(idleMax, entry.ms);
        } else {
          ended++;
        }
      }
    }
    if (active > 0) {
      this.idle = false;
      return { advancedTo: this.advance(min), becameIdle: false, ended: false };
    }
    if (idle > 0) {
      // Nobody is left to hold time back: it goes to the greatest that the idle ones had said, so that the
      // result never depends on which of them went idle first (D-3, P-21).
      const advancedTo = this.advance(idleMax);
      const becameIdle = !this.idle;
      this.idle = true;
      return { advancedTo, becameIdle, ended: false };
    }
    // An input that was stopped before it said anything has not reached the end of time (D-4).
    if (ended === 0 || this.entries.some((entries) => entries.size === 0)) return NO_CHANGE;
    this.end = true;
    this.idle = false;
    return { advancedTo: undefined, becameIdle: false, ended: true };
  }

  private advance(to: number): number | undefined {
    if (!Number.isFinite(to) || (this.fired !== undefined && to <= this.fired)) return undefined;
    this.fired = to;
    return to;
  }
}
