import type { ErrorData } from "../base/errors.ts";
import type { EdgeId, NodeId } from "../base/ids.ts";
import type { CompletedEpoch } from "../core/epoch-tracker.ts";
import type { Batch } from "../data/batch.ts";
import type { TraceMode } from "./protocol.ts";
import type { Resumption } from "./resumption.ts";

/** Makes a completed epoch durable (F-55): the commit follows only when it settles well. */
export type EpochHook = (epoch: CompletedEpoch) => void | Promise<void>;

export interface RunOptions {
  /** What the workers' entry needs to open files; plain data. */
  readonly files: unknown;
  /** Everything is built (F-10), and nothing has been sent or written yet. Throwing fails the start. */
  readonly onStart?: (() => void) | undefined;
  readonly onEpoch?: EpochHook | undefined;
  /** Visible rows of a sink, in order. While the answer is pending, sinks are held back once many rows wait. */
  readonly onRows?: ((node: NodeId, batch: Batch) => void | Promise<void>) | undefined;
  /** A file became visible, where there is no disk: in a page. */
  readonly onFile?: ((path: string, bytes: Uint8Array) => void) | undefined;
  /** Rows of an edge, as `sample` asked for them. */
  readonly onSample?: ((edge: EdgeId, batch: Batch) => void) | undefined;
  /** A warning for the person. */
  readonly onNote?: ((note: ErrorData) => void) | undefined;
  /** Where the run begins: at a checkpoint; left out, at the beginning. */
  readonly from?: Resumption | undefined;
  readonly trace?: TraceMode | undefined;
}
