import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { rowsOf } from "../operators/catalog/row-cells.ts";
import type { RowsSourceConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { batchOfCells } from "./cells.ts";
import { EventTimeTracker } from "./event-time.ts";
import { numberOf, recordOf } from "./position.ts";

/**
 * Rows that stand in the document. Row i belongs to partition i mod `partitions`; subtask t of n reads the partitions p with
 * p mod n = t (E-4), its rows in the order of the document, `batchRows` a poll.
 *
 * Position: by partition, how many of its rows were sent (F-38), and the progress of its event time.
 */
class RowsSource implements Source<Batch> {
  private readonly batchRows: number;
  /** Partitions of this subtask; a slot is a place in it. */
  private readonly partitions: readonly number[];
  /** The rows still to be sent when the source was built, and the slot of each. */
  private readonly rows: Batch;
  private readonly slots: Int32Array;
  private readonly tracker: EventTimeTracker;
  /** By slot: rows sent, and rows still to come. */
  private readonly sent: number[];
  private readonly left: number[];
  private at = 0;

  constructor(config: RowsSourceConfig, context: SourceContext) {
    this.batchRows = config.batchRows;
    const { subtask, parallelism } = context;
    this.partitions = Array.from({ length: config.partitions }, (_, p) => p).filter((p) => p % parallelism === subtask);
    const position = recordOf(context.position);
    const sent = recordOf(position["sent"]);
    this.sent = this.partitions.map((partition) => numberOf(sent[partition]));
    this.left = this.partitions.map(() => 0);
    const slotOf = new Map(this.partitions.map((partition, slot) => [partition, slot]));
    const chosen: { row: RowsSourceConfig["rows"][number]; slot: number }[] = [];
    config.rows.forEach((row, index) => {
      const slot = slotOf.get(index % config.partitions);
      if (slot === undefined || Math.floor(index / config.partitions) < (this.sent[slot] as number)) return;
      chosen.push({ row, slot });
      this.left[slot] = (this.left[slot] as number) + 1;
    });
    const schema = schemaAt(context.outputs, "out");
    const rows = chosen.map(({ row }) => row);
    this.rows = batchOfCells(schema, rowsOf(schema, rows));
    this.slots = Int32Array.from(chosen, ({ slot }) => slot);
    this.tracker = EventTimeTracker.of(config.time, context, this.partitions);
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(output: Output<Batch>): PollResult {
    const from = this.at;
    const to = Math.min(from + this.batchRows, this.rows.rowCount);
    if (from === to) return { kind: "done" };
    const slots = this.slots.subarray(from, to);
    this.at = to;
    for (const slot of slots) {
      this.sent[slot] = (this.sent[slot] as number) + 1;
      this.left[slot] = (this.left[slot] as number) - 1;
    }
    this.tracker.send(output, sliceBatch(this.rows, from, to), slots);
    if (to === this.rows.rowCount) return { kind: "done" };
    for (const slot of this.partitions.keys()) if (this.left[slot] === 0) this.tracker.end(output, slot);
    return { kind: "again" };
  }

  position(): SnapshotValue {
    const sent = this.partitions.map((partition, slot) => [partition, this.sent[slot] as number]);
    return { sent: Object.fromEntries(sent), time: this.tracker.snapshot() };
  }
}

export function rowsSource(config: RowsSourceConfig, context: SourceContext): Source<Batch> {
  return new RowsSource(config, context);
}
