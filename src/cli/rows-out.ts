import { type Batch, ndjsonOf } from "../engine/index.ts";
import type { Job } from "./job.ts";
import { RowOutput } from "./row-output.ts";

const NEWLINE = 10;

/** Where visible rows go: those of the chosen sink to standard output, those of logs to standard error, others nowhere. */
export class RowsOut {
  /** Rows given to standard output. */
  printed = 0;
  private readonly sink: string | undefined;
  private readonly logs: ReadonlySet<string>;
  private readonly output: RowOutput;
  private readonly errors = new RowOutput(process.stderr, () => undefined);

  /** `onClosed`: whoever read standard output is gone. */
  constructor({ sink, graph }: Job, onClosed: () => void) {
    this.sink = sink;
    this.logs = new Set(graph.document.nodes.filter(({ kind }) => kind === "sink.log").map(({ id }) => id));
    this.output = new RowOutput(process.stdout, onClosed);
  }

  /**
   * Settles when there is room for more.
   * @throws Error when standard output cannot be written
   */
  async take(node: string, batch: Batch): Promise<void> {
    if (node === this.sink) {
      this.printed += batch.rowCount;
      await this.output.write(ndjsonOf(batch));
    } else if (this.logs.has(node)) await this.errors.write(prefixed(`${node}: `, ndjsonOf(batch)));
  }

  /** @throws Error as `take` does */
  async finish(): Promise<void> {
    await this.output.finish();
  }
}

/** Puts the prefix before every line. */
function prefixed(prefix: string, lines: Uint8Array): Uint8Array {
  const start = new TextEncoder().encode(prefix);
  const parts: Uint8Array[] = [];
  for (let from = 0; from < lines.length; ) {
    const to = lines.indexOf(NEWLINE, from) + 1;
    parts.push(start, lines.subarray(from, to));
    from = to;
  }
  return Buffer.concat(parts);
}
