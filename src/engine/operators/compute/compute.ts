import { assert } from "../../base/assert.ts";
import { WeirError } from "../../base/errors.ts";
import type { Operator, Output } from "../../core/stages.ts";
import { Batch, type EventTimes } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { toEventMs } from "../../data/kernels/event-ms.ts";
import { takeColumn } from "../../data/kernels/take.ts";
import { type Field, Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import type { ComputeConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { schemaAt } from "../ports.ts";
import { HandOver } from "./hand-over.ts";
import { Sandbox } from "./sandbox.ts";
import { type TakenBack, takeBack } from "./take-back.ts";

/** Where a column of the output comes from. */
type Origin = { readonly from: "module" | "input"; readonly index: number };

/**
 * A function of a WebAssembly module, batch by batch: each is copied into the module's memory, and what comes back is checked before it is a
 * batch. Every call finds a new instance over zeroed memory, so the operator has no state: the result is a function of the batch. A module that traps,
 * or gives back what is no batch, fails the run; one that does not return is ended by whoever watches the worker.
 *
 * Event times stay with the rows of which a row was made (D-29), unless `eventTime` names the column that has them.
 */
class Compute implements Operator<Batch> {
  private readonly sandbox: Sandbox;
  private readonly context: StageContext;
  private readonly schema: Schema;
  /** Columns of the module: which of the input's it is given, and which it writes. */
  private readonly given: readonly number[];
  private readonly written: readonly Field[];
  private readonly origins: readonly Origin[];
  private readonly time: ComputeConfig["eventTime"];
  private readonly timeIndex: number;
  private readonly mayChangeRows: boolean;
  private readonly timeoutMs: number;

  constructor(config: ComputeConfig, context: StageContext, sandbox: Sandbox) {
    const input = schemaAt(context.inputs, "in");
    const written = new Schema(config.output.map((field) => ({ ...field, type: typeOf(field.type) })));
    this.sandbox = sandbox;
    this.context = context;
    this.schema = schemaAt(context.outputs, "out");
    const names = config.columns === undefined || config.columns.length === 0 ? input.names : config.columns;
    this.given = names.map((name) => input.indexOf(name));
    this.written = written.fields;
    this.origins = this.schema.names.map((name): Origin => {
      const index = written.indexOf(name);
      return index < 0 ? { from: "input", index: input.indexOf(name) } : { from: "module", index };
    });
    this.time = config.eventTime;
    this.timeIndex = config.eventTime === undefined ? -1 : written.indexOf(config.eventTime.column);
    this.timeoutMs = config.timeoutMs;
    this.mayChangeRows = config.eventTime !== undefined && !config.keepInput;
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    if (batch.rowCount === 0) return;
    const taken = this.call(batch);
    if (taken.rows === 0) return;
    const { origins } = taken;
    const eventTimes = this.eventTimesOf(taken, batch);
    const columns = this.origins.map(({ from, index }): Column => {
      if (from === "module") return taken.columns[index] as Column;
      const column = batch.columns[index] as Column;
      return origins === undefined ? column : takeColumn(column, origins);
    });
    // Row by row, columns and times of the input go on as they are, and are lent as it was.
    const borrowed = batch.borrowed && origins === undefined;
    output.emit(new Batch(this.schema, taken.rows, columns, eventTimes, borrowed));
  }

  private call(batch: Batch): TakenBack {
    const columns = this.given.map((index) => batch.columns[index] as Column);
    const fields = this.given.map((index) => batch.schema.fields[index] as Field);
    const hand = new HandOver(batch.rowCount, columns, fields);
    const { memory, made } = this.run(hand);
    return takeBack(memory.buffer, made, this.written, batch.rowCount, this.mayChangeRows);
  }

  /** Everything in which the module's own code is at work. */
  private run(hand: HandOver): { readonly memory: WebAssembly.Memory; readonly made: number } {
    return this.context.foreignCode(() => {
      const { memory, alloc, run } = this.sandbox.open();
      const pointer = alloc(hand.bytes);
      hand.write(memory.buffer, pointer);
      return { memory, made: run(pointer) };
    }, this.timeoutMs);
  }

  private eventTimesOf({ rows, columns, origins }: TakenBack, { eventTimes }: Batch): EventTimes | null {
    if (this.time !== undefined) {
      const { column, unit } = this.time;
      return toEventMs(columns[this.timeIndex] as Column, unit, column);
    }
    if (eventTimes === null || origins === undefined) return eventTimes;
    const times = new Float64Array(rows);
    for (let row = 0; row < rows; row++) times[row] = eventTimes[origins[row] as number] as number;
    return times;
  }
}

export async function compute(config: ComputeConfig, context: StageContext): Promise<Operator<Batch>> {
  const { module: path, function: name, memoryMiB } = config;
  const binary = await bytesAt(path, context);
  try {
    return new Compute(config, context, await Sandbox.load(binary, name, { memoryMiB }));
  } catch (error) {
    const field = error instanceof WeirError && error.data.code === "module-function" ? "function" : "module";
    throw error instanceof WeirError ? error.at({ field: `config.${field}`, file: path }) : error;
  }
}

async function bytesAt(path: string, { files }: StageContext): Promise<Uint8Array<ArrayBuffer>> {
  const file = await files.open(path);
  try {
    assert(file.size !== undefined, "a module is a file, not a stream");
    return Uint8Array.from(await file.read(0, file.size));
  } finally {
    await file.close();
  }
}
