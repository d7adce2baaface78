import type { ErrorData } from "../base/errors.ts";
import type { Output } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { columnBuilder, TextBuilder, WordBuilder } from "../data/column-builder.ts";
import { type BadRow, BadRowTally } from "../formats/bad-rows.ts";
import { BAD_ROW_SCHEMA } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";

/** Bad rows of which each subtask keeps a note; the others are counted. */
const NOTED_ROWS = 5;

/** What a source says about rows that do not fit, and what becomes of them (D-41). */
export class BadRowReport {
  private readonly policy: "drop" | "route" | "rescue" | "fail";
  /** The file or address that the rows come from. */
  private readonly from: string;
  private readonly context: SourceContext;
  private readonly tally = new BadRowTally();

  constructor(policy: "drop" | "route" | "rescue" | "fail", from: string, context: SourceContext) {
    this.policy = policy;
    this.from = from;
    this.context = context;
  }

  /** Counts and notes them. Answers the error where the first one ends the run. */
  take(bad: readonly BadRow[]): ErrorData | undefined {
    for (const row of bad) {
      this.context.count("bad");
      this.tally.add(row);
      if (this.tally.total <= NOTED_ROWS && this.policy !== "fail") this.context.note(this.errorOf(row));
    }
    const [first] = bad;
    if (first === undefined || this.policy !== "fail") return undefined;
    return { ...this.errorOf(first), hint: "correct the row or the schema, or drop or route bad rows (badRows)" };
  }

  /** Sends them to the port `bad` where they are routed. */
  route(bad: readonly BadRow[], output: Output<Batch>): void {
    if (bad.length === 0 || this.policy !== "route") return;
    output.emit(badBatch(this.from, bad), "bad");
    this.context.count("routed", bad.length);
  }

  /** Bad rows by column, once there were more than were noted one by one. */
  tell(rows: number): void {
    if (this.tally.total <= NOTED_ROWS) return;
    this.context.note({
      code: "bad-rows",
      domain: "data",
      file: this.from,
      message: this.tally.summary(rows),
      hint: "look at the samples; change the schema, or route the rows to see them all",
    });
  }

  private errorOf({ row, line, fields, reason }: BadRow): ErrorData {
    const field = fields.length === 0 ? {} : { field: fields.join(", ") };
    return { code: "bad-row", domain: "data", file: this.from, row, line, ...field, message: reason };
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
