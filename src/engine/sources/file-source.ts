import { assertNever } from "../base/assert.ts";
import { type ErrorData, WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { columnBuilder, TextBuilder, WordBuilder } from "../data/column-builder.ts";
import { type BadRow, BadRowTally } from "../formats/bad-rows.ts";
import type { BatchReader } from "../formats/batch-reader.ts";
import { openReader } from "../formats/open-reader.ts";
import { type DecodedRows, type RecordPlace, START } from "../formats/record-decoder.ts";
import { BAD_ROW_SCHEMA, type FileSourceConfig, schemaOf } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { EventTimeTracker } from "./event-time.ts";
import { numberOf, recordOf } from "./position.ts";

/** Bad rows of which each subtask keeps a note; the others are counted. */
const NOTED_ROWS = 5;

/**
 * A file, one batch a poll. A file is one split: subtask 0 reads it, and with it every parallelism gives the same rows in
 * one order; the others are idle from the start and done (D-6, E-4).
 *
 * Position: the records read, bad ones included, and where in the file the next one begins, as of the last batch sent: what the
 * decoder holds beyond that is read again after a restore (P-18).
 */
class FileSource implements Source<Batch> {
  private readonly config: FileSourceConfig;
  private readonly context: SourceContext;
  private readonly reader: BatchReader;
  private readonly tracker: EventTimeTracker;
  private readonly tally = new BadRowTally();
  private readonly from: RecordPlace;
  private place: RecordPlace;

  constructor(
    config: FileSourceConfig,
    context: SourceContext,
    reader: BatchReader,
    tracker: EventTimeTracker,
    from: RecordPlace,
  ) {
    this.config = config;
    this.context = context;
    this.reader = reader;
    this.tracker = tracker;
    this.from = from;
    this.place = from;
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(output: Output<Batch>): PollResult {
    try {
      return this.read(output);
    } catch (error) {
      if (error instanceof WeirError) return { kind: "failed", error: error.at({ file: this.config.path }).data };
      throw error;
    }
  }

  private read(output: Output<Batch>): PollResult {
    const next = this.reader.next();
    switch (next.kind) {
      case "wait":
        return { kind: "pending", ready: next.ready };
      case "end":
        this.tellTally();
        return { kind: "done" };
      case "rows":
        return this.send(next.rows, output);
      default:
        return assertNever(next);
    }
  }

  private send({ batch, bad, next }: DecodedRows, output: Output<Batch>): PollResult {
    for (const row of bad) this.note(row);
    const first = bad[0];
    if (first !== undefined && this.config.badRows === "fail") return { kind: "failed", error: this.errorOf(first) };
    this.place = next;
    if (batch.rowCount > 0) this.tracker.send(output, batch);
    if (first !== undefined && this.config.badRows === "route") {
      output.emit(badBatch(this.config.path, bad), "bad");
      this.context.count("routed", bad.length);
    }
    return { kind: "again" };
  }

  private note(row: BadRow): void {
    this.context.count("bad");
    this.tally.add(row);
    if (this.tally.total <= NOTED_ROWS && this.config.badRows !== "fail") this.context.note(this.errorOf(row));
  }

  private errorOf({ row, line, fields, reason }: BadRow): ErrorData {
    const field = fields.length === 0 ? {} : { field: fields.join(", ") };
    return { code: "bad-row", domain: "data", file: this.config.path, row, line, ...field, message: reason };
  }

  /** Bad rows by column, once there were more than were noted one by one. */
  private tellTally(): void {
    if (this.tally.total <= NOTED_ROWS) return;
    this.context.note({
      code: "bad-rows",
      domain: "data",
      file: this.config.path,
      message: this.tally.summary(this.place.records - this.from.records),
      hint: "look at the samples; change the schema, or route the rows to see them all",
    });
  }

  position(): SnapshotValue {
    return { ...this.place, time: this.tracker.snapshot() };
  }

  stop(): void {
    this.reader.close();
  }
}

/** Subtasks to which the file does not fall. */
class NoFileSource implements Source<Batch> {
  private readonly tracker: EventTimeTracker;

  constructor(tracker: EventTimeTracker) {
    this.tracker = tracker;
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(): PollResult {
    return { kind: "done" };
  }

  position(): SnapshotValue {
    return null;
  }
}

function badBatch(file: string, bad: readonly BadRow[]): Batch {
  const [files, lines, raws, columns, reasons] = BAD_ROW_SCHEMA.fields.map(({ type }) =>
    columnBuilder(type, bad.length),
  );
  if (
    !(files instanceof TextBuilder) ||
    !(lines instanceof WordBuilder) ||
    !(raws instanceof TextBuilder) ||
    !(columns instanceof TextBuilder) ||
    !(reasons instanceof TextBuilder)
  ) {
    throw new TypeError("the schema of bad rows is not the one that is filled here");
  }
  for (const { line, text, fields, reason } of bad) {
    files.appendString(file);
    lines.appendNumber(line);
    raws.appendString(text);
    if (fields[0] === undefined) columns.appendNull();
    else columns.appendString(fields[0]);
    reasons.appendString(reason);
  }
  const builders = [files, lines, raws, columns, reasons];
  return new Batch(
    BAD_ROW_SCHEMA,
    bad.length,
    builders.map((builder) => builder.finish()),
  );
}

function placeOf(position: SnapshotValue | undefined): RecordPlace | undefined {
  const saved = recordOf(position);
  if (saved["records"] === undefined) return undefined;
  return { records: numberOf(saved["records"]), offset: numberOf(saved["offset"]), line: numberOf(saved["line"]) };
}

/**
 * Opens the file, its header included.
 * @throws WeirError `file-not-found`, `file-unreadable`, and what `openReader` says
 */
export async function fileSource(config: FileSourceConfig, context: SourceContext): Promise<Source<Batch>> {
  const owns = context.subtask === 0;
  const tracker = new EventTimeTracker({
    time: config.time,
    partitions: owns ? [0] : [],
    restored: recordOf(context.position)["time"],
    note: (error) => context.note(error),
  });
  if (!owns) return new NoFileSource(tracker);
  if (config.schema === undefined) {
    throw new WeirError({
      code: "schema-unknown",
      domain: "graph",
      node: context.node,
      field: "schema",
      message: "the columns of the file are not known",
    });
  }
  const from = placeOf(context.position);
  const file = await context.files.open(config.path);
  try {
    const reader = await openReader(config.format, file, {
      schema: schemaOf(config.schema),
      csv: config.csv,
      extraFields: config.extraFields,
      timestampUnit: config.timestampUnit,
      batchRows: config.batchRows,
      rescueColumn: config.badRows === "rescue" ? config.rescueColumn : undefined,
      from,
      note: (message) => context.note({ code: "file-note", domain: "data", file: config.path, message }),
    });
    return new FileSource(config, context, reader, tracker, from ?? START);
  } catch (error) {
    await file.close();
    throw error instanceof WeirError ? error.at({ node: context.node, file: config.path }) : error;
  }
}
