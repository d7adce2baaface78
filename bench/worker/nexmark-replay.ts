import {
  Batch,
  type Column,
  type Output,
  type PollResult,
  type Source,
  type TurnMemory,
  timeMark,
} from "../../src/engine/parts.ts";
import { type EventsConfig, roundMs } from "./nexmark-events.ts";

const TWO_32 = 2 ** 32;

/**
 * Goes round events that were made before, each time later by as long as all of them take, and counts what it sends: so that
 * the engine is measured and not the generator, and event time goes on.
 */
export class ReplaySource implements Source<Batch> {
  private readonly batches: readonly Batch[];
  private readonly round: number;
  private readonly cells: Float64Array;
  private readonly at: number;
  private readonly timePlace: number;
  private readonly memory: TurnMemory | undefined;
  private sent = 0;

  /** @param counts two cells for each subtask of any source: messages and rows, written plainly */
  constructor(
    config: EventsConfig,
    batches: readonly Batch[],
    counts: SharedArrayBuffer,
    cell: number,
    memory: TurnMemory | undefined,
  ) {
    this.batches = batches;
    this.round = roundMs(config);
    this.cells = new Float64Array(counts);
    this.at = 2 * cell;
    this.timePlace = batches[0]?.schema.indexOf("dateTime") ?? -1;
    this.memory = memory;
  }

  poll(output: Output<Batch>): PollResult {
    const { cells, at } = this;
    const batch = this.batches[this.sent % this.batches.length] as Batch;
    const later = Math.floor(this.sent / this.batches.length) * this.round;
    this.sent++;
    const moved = this.moved(batch, later);
    output.emit(moved);
    output.mark(timeMark(moved.eventTimes?.at(-1) as number));
    cells[at] = (cells[at] as number) + 1;
    cells[at + 1] = (cells[at + 1] as number) + batch.rowCount;
    return { kind: "again" };
  }

  position(): number {
    return this.sent;
  }

  private moved({ schema, rowCount, columns, eventTimes }: Batch, later: number): Batch {
    const room = this.memory?.room(2 * 8 * rowCount);
    const times = room?.float64(rowCount) ?? new Float64Array(rowCount);
    const before = eventTimes as Float64Array;
    for (let row = 0; row < rowCount; row++) times[row] = (before[row] as number) + later;
    const own = columns.map((column, place): Column => {
      if (place !== this.timePlace || column.encoding !== "fixed" || later === 0) return column;
      const words = room?.int32(2 * rowCount) ?? new Int32Array(2 * rowCount);
      moveWords(column.values as Int32Array, later, words);
      return { ...column, values: words };
    });
    return new Batch(schema, rowCount, own, times, room !== undefined);
  }
}

/** Adds to integers of two words each. */
function moveWords(values: Int32Array, later: number, out: Int32Array): void {
  const low = later | 0;
  const high = Math.floor(later / TWO_32);
  for (let at = 0; at < out.length; at += 2) {
    const sum = ((values[at] as number) + low) | 0;
    out[at] = sum;
    out[at + 1] = (values[at + 1] as number) + high + (sum >>> 0 < low >>> 0 ? 1 : 0);
  }
}
