import { WeirError } from "../base/errors.ts";
import type { SinkBuilder } from "../operators/context.ts";

/**
 * The builder of a kind of sink. Each kind is loaded when a graph first uses it, so that a worker starts with little code.
 * @throws WeirError `unknown-kind`
 */
export async function sinkBuilder(kind: string): Promise<SinkBuilder> {
  switch (kind) {
    case "sink.table":
      return (await import("./table-sink.ts")).tableSink;
    case "sink.file":
      return (await import("./file-sink.ts")).fileSink;
    case "sink.log":
      return (await import("./log-sink.ts")).logSink;
    case "sink.blackhole":
      return (await import("./blackhole-sink.ts")).blackholeSink;
    default:
      throw new WeirError({
        code: "unknown-kind",
        domain: "graph",
        message: `there is no sink ${JSON.stringify(kind)}`,
      });
  }
}
