import type { Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { retain } from "../data/kernels/copy.ts";
import type { SinkContext } from "../operators/context.ts";
import { DeliveringSink } from "./delivering-sink.ts";

/**
 * Rows for the log, at once. They leave as rows, and the command line and the page write them as NDJSON lines: so a log keeps every
 * digit and every order of columns that a table has.
 */
export function logSink(_config: unknown, context: SinkContext): Sink<Batch> {
  return new DeliveringSink((batch) => context.deliver(retain(batch)));
}
