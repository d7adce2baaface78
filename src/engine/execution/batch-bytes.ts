import type { EdgeId } from "../base/ids.ts";
import type { Schema } from "../data/schema.ts";
import { bytesPerRow } from "../data/storage.ts";
import type { LogicalType } from "../data/types.ts";
import type { Plan } from "../topology/physical-plan.ts";

/** As many as sources and windows put into a batch. */
const ROWS = 8192;
const EVENT_TIME_BYTES = 8;
/** An offset and a few words. */
const TEXT_BYTES = 4 + 16;

/** Bytes of a batch of many rows on each edge, about: so that its ring has room for some of them. Of a shuffle each target gets a part. */
export function batchBytesOf(plan: Plan): (edge: EdgeId) => number {
  const parts = new Map<EdgeId, number>();
  for (const { routes } of plan.tasks) {
    for (const { kind, targets } of routes) {
      if (kind === "shuffle") for (const { edge } of targets) parts.set(edge, targets.length);
    }
  }
  return (edge) => Math.ceil((ROWS * rowBytes(plan.edges[edge]?.schema)) / (parts.get(edge) ?? 1));
}

const rowBytes = (schema: Schema | undefined): number =>
  (schema?.fields ?? []).reduce((sum, { type }) => sum + valueBytes(type), EVENT_TIME_BYTES);

function valueBytes(type: LogicalType): number {
  switch (type.kind) {
    case "utf8":
    case "binary":
      return TEXT_BYTES;
    case "boolean":
      return 1 / 8;
    default:
      return bytesPerRow(type);
  }
}
