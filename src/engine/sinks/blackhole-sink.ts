import type { Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { DeliveringSink } from "./delivering-sink.ts";

/** Forgets rows, and copies none; how many came is counted for every task (`rowsIn`). For measuring what comes before it. */
export function blackholeSink(): Sink<Batch> {
  return new DeliveringSink(() => undefined);
}
