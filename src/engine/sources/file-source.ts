import { assertNever } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { BatchReader } from "../formats/batch-reader.ts";
import { openReader } from "../formats/open-reader.ts";
import { type DecodedRows, type RecordPlace, START } from "../formats/record-decoder.ts";
import { type FileSourceConfig, schemaOf } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { BadRowReport } from "./bad-row-report.ts";
import { EventTimeTracker } from "./event-time.ts";
import { checkHead, type FileHead, headOf } from "./file-head.ts";
import { NothingSource } from "./nothing-source.ts";
import { numberOf, recordOf } from "./position.ts";

interface OpenedFile {
  readonly reader: BatchReader;
  readonly tracker: EventTimeTracker;
  readonly head: FileHead | null;
  readonly from: RecordPlace;
}

/**
 * A file, one batch a poll. A file is one split: subtask 0 reads it, and with it every parallelism gives the same rows in
 * one order; the others are idle from the start and done (D-6, E-4).
 *
 * Position: the records read, bad ones included, and where in the file the next one begins, as of the last batch sent: what the
 * decoder holds beyond that is read again after a restore (P-18). It knows how the file begins, so that it is not taken for one in another file.
 */
class FileSource implements Source<Batch> {
  private readonly config: FileSourceConfig;
  private readonly reader: BatchReader;
  private readonly tracker: EventTimeTracker;
  private readonly report: BadRowReport;
  private readonly head: FileHead | null;
  private readonly from: RecordPlace;
  private place: RecordPlace;

  constructor(config: FileSourceConfig, context: SourceContext, { reader, tracker, head, from }: OpenedFile) {
    this.config = config;
    this.report = new BadRowReport(config.badRows, config.path, context);
    this.reader = reader;
    this.tracker = tracker;
    this.head = head;
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
        this.report.tell(this.place.records - this.from.records);
        return { kind: "done" };
      case "rows":
        return this.send(next.rows, output);
      default:
        return assertNever(next);
    }
  }

  private send({ batch, bad, next }: DecodedRows, output: Output<Batch>): PollResult {
    const error = this.report.take(bad);
    if (error !== undefined) return { kind: "failed", error };
    this.place = next;
    if (batch.rowCount > 0) this.tracker.send(output, batch);
    this.report.route(bad, output);
    return { kind: "again" };
  }

  position(): SnapshotValue {
    return { ...this.place, head: this.head, time: this.tracker.snapshot() };
  }

  stop(): void {
    this.reader.close();
  }
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
  const tracker = EventTimeTracker.of(config.time, context, owns ? [0] : []);
  if (!owns) return new NothingSource(tracker);
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
    await checkHead(file, recordOf(context.position)["head"]);
    const head = await headOf(file);
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
    return new FileSource(config, context, { reader, tracker, head, from: from ?? START });
  } catch (error) {
    await file.close();
    throw error instanceof WeirError ? error.at({ node: context.node, file: config.path }) : error;
  }
}
