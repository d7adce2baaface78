import { assert } from "../base/assert.ts";
import type { ErrorData } from "../base/errors.ts";
import type { TimeMark } from "../base/event-time.ts";
import type { FileStore } from "../base/files.ts";
import { nodeId, taskId } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { type Field, Schema } from "../data/schema.ts";
import type { Cell } from "../data/stored-cell.ts";
import { typeOf } from "../data/types.ts";
import { cellOf, Misfit } from "../operators/catalog/cells.ts";
import type { CounterName, SinkContext, SourceContext } from "../operators/context.ts";
import { batchOfCells } from "../sources/cells.ts";
import { batchRows, type CellValue } from "./batch-values.ts";
import { noFiles } from "./no-files.ts";

/** Small words for tests of stages: schemas and batches from literals, an output that writes down what it is told. */

/** `"id int64 not null, name utf8"`. */
export function schema(text: string): Schema {
  return new Schema(
    text.split(/,(?![^(]*\))/).map((part): Field => {
      const [name, type, ...rest] = part.trim().split(/\s+/);
      assert(name !== undefined && type !== undefined, `a field is a name and a type: ${part}`);
      return { name, type: typeOf(type), nullable: rest.join(" ") !== "not null" };
    }),
  );
}

/** Values as a document may write them: an int64 as number, bigint or text, a timestamp as text or count. */
export function batch(of: Schema, rows: readonly (readonly unknown[])[], eventTimes: number[] | null = null): Batch {
  const cells = rows.map((row) =>
    of.fields.map((field, index): Cell => {
      const cell = cellOf(row[index], field);
      assert(!(cell instanceof Misfit), `${field.name} ${cell instanceof Misfit ? cell.reason : ""}`);
      return cell;
    }),
  );
  const made = batchOfCells(of, cells);
  return new Batch(of, made.rowCount, made.columns, eventTimes === null ? null : Float64Array.from(eventTimes));
}

/** What a stage did, in order. */
export type Act =
  | { readonly rows: CellValue[][]; readonly port?: string }
  | { readonly mark: number | "idle" | "end" }
  | { readonly delay: number };

const markOf = (mark: TimeMark): number | "idle" | "end" => (mark.kind === "time" ? mark.ms : mark.kind);

export class RecordingOutput implements Output<Batch> {
  nowMs = 0;
  readonly batches: Batch[] = [];
  private acts: Act[] = [];

  emit(of: Batch, port?: string): void {
    this.batches.push(of);
    this.acts.push(port === undefined ? { rows: batchRows(of) } : { rows: batchRows(of), port });
  }

  mark(mark: TimeMark): void {
    this.acts.push({ mark: markOf(mark) });
  }

  delay(untilMs: number): void {
    this.acts.push({ delay: untilMs });
  }

  /** What was done since the last call. */
  take(): Act[] {
    const taken = this.acts;
    this.acts = [];
    return taken;
  }

  /** All rows ever emitted. */
  get rows(): CellValue[][] {
    return this.batches.flatMap(batchRows);
  }
}

export interface RecordingContext extends SourceContext, SinkContext {
  readonly notes: ErrorData[];
  readonly delivered: Batch[];
  readonly acks: { readonly epoch: number; readonly precommit: SnapshotValue }[];
  readonly counts: Map<CounterName, number>;
  /** Limits of the calls of `foreignCode`. */
  readonly foreign: number[];
}

export interface ContextOptions {
  readonly subtask?: number;
  readonly parallelism?: number;
  readonly inputs?: Readonly<Record<string, Schema>>;
  readonly outputs?: Readonly<Record<string, Schema>>;
  readonly position?: SnapshotValue | undefined;
  readonly files?: FileStore;
}

export function context(options: ContextOptions = {}): RecordingContext {
  const notes: ErrorData[] = [];
  const delivered: Batch[] = [];
  const acks: RecordingContext["acks"] = [];
  const counts = new Map<CounterName, number>();
  const foreign: number[] = [];
  return {
    node: nodeId("node"),
    task: taskId(0),
    subtask: options.subtask ?? 0,
    parallelism: options.parallelism ?? 1,
    inputs: options.inputs ?? {},
    outputs: options.outputs ?? {},
    inEdges: [],
    clock: { now: () => 0 },
    files: options.files ?? noFiles,
    position: options.position,
    acker: { ack: (epoch, precommit) => acks.push({ epoch, precommit }) },
    firstEpoch: 1,
    count: (counter, by = 1) => counts.set(counter, (counts.get(counter) ?? 0) + by),
    foreignCode: (run, limitMs) => {
      foreign.push(limitMs);
      return run();
    },
    note: (error) => notes.push(error),
    deliver: (of) => delivered.push(of),
    notes,
    delivered,
    acks,
    counts,
    foreign,
  };
}
