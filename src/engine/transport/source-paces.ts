import type { TaskId } from "../base/ids.ts";
import { LINE_BYTES, type RunLayout } from "./ring-layout.ts";

const DOUBLES_PER_LINE = LINE_BYTES / 8;
const WORDS_PER_LINE = LINE_BYTES / 4;
/** Behind the time in a task's line: 1 where the time stands for something. */
const IS_TOLD = 2;

/**
 * How far the sources of a run have come in event time, told by their hosts to the hosts of those that they meet. A line for each task,
 * which only its host writes. Who reads it while it is written may see the time of before.
 */
export class SourcePaces {
  private readonly times: Float64Array;
  private readonly words: Int32Array;

  constructor(buffer: SharedArrayBuffer, { paces }: RunLayout) {
    this.times = new Float64Array(buffer, paces.offset, paces.bytes / 8);
    this.words = new Int32Array(buffer, paces.offset, paces.bytes / 4);
  }

  /** Milliseconds; `undefined`: nobody need wait for this one. Those who wait are to be rung behind it. */
  tell(task: TaskId, ms: number | undefined): void {
    if (ms !== undefined) this.times[DOUBLES_PER_LINE * task] = ms;
    Atomics.store(this.words, WORDS_PER_LINE * task + IS_TOLD, ms === undefined ? 0 : 1);
  }

  of(task: TaskId): number | undefined {
    if (Atomics.load(this.words, WORDS_PER_LINE * task + IS_TOLD) === 0) return undefined;
    return this.times[DOUBLES_PER_LINE * task];
  }
}
