import { Batch, type Column, type Output, type PollResult, type Source, timeMark } from "../../src/engine/parts.ts";
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
  private sent = 0;

  /** @param counts two cells for each subtask of any source: messages and rows, written plainly */
  constructor(config: EventsConfig, batches: readonly Batch[], counts: SharedArrayBuffer, cell: number) {
    this.batches = batches;
    this.round = roundMs(config);
    this.cells = new Float64Array(counts);
    this.at = 2 * cell;
    this.timePlace = batches[0]?.schema.indexOf("dateTime") ?? -1;
  }

  poll(output: Output<Batch>): PollResult {
    const { cells, at } = this;
    const batch = this.batches[this.sent % this.batches.length] as Batch;
    const later = Math.floor(this.sent / this.batches.length) * this.round;
    this.sent++;
    const moved = later === 0 ? batch : this.moved(batch, later);
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
    const times = new Float64Array(rowCount);
    const words = new Int32Array(2 * rowCount);
    // Times of a batch are close together: the high word is mostly that of the first.
    let high = Math.floor((((eventTimes as Float64Array)[0] as number) + later) / TWO_32);
    for (let row = 0; row < rowCount; row++) {
      const time = (eventTimes as Float64Array)[row] as number;
      const moved = time + later;
      if (moved >= (high + 1) * TWO_32) high++;
      times[row] = moved;
      words[2 * row] = moved - high * TWO_32;
      words[2 * row + 1] = high;
    }
    const own = columns.map(
      (column, place): Column =>
        place === this.timePlace && column.encoding === "fixed" ? { ...column, values: words } : column,
    );
    return new Batch(schema, rowCount, own, times);
  }
}
