/** The door for benchmarks: the parts that the executors are made of, and the hosts that run a benchmark's own kinds. */

export type { FileStore } from "./base/files.ts";
export { type Attempt, attempt, type EdgeId, edgeId } from "./base/ids.ts";
export type { Message } from "./core/messages.ts";
export { EdgeProbe, type ProbeShape, probeBytes, StageProbe, TaskProbe, type TaskState } from "./core/probes.ts";
export type { Output, PollResult, Sink, Source } from "./core/stages.ts";
export { vnodeRanges } from "./core/vnodes.ts";
export { Batch } from "./data/batch.ts";
export type { Column, VarColumn } from "./data/column.ts";
export { splitByVnode } from "./data/kernels/split.ts";
export { Schema } from "./data/schema.ts";
export { typeOf } from "./data/types.ts";
export { KernelMemory } from "./data/wasm/kernel-memory.ts";
export { KernelSplitter } from "./data/wasm/kernel-splitter.ts";
export { CATALOG_BUILDERS, type StageBuilders } from "./execution/build-task.ts";
export { runHost } from "./execution/host.ts";
export type { FromHost, HostHandle, ToHost } from "./execution/protocol.ts";
export { Doorbell } from "./transport/doorbell.ts";
export { layoutRun, type RunLayout } from "./transport/ring-layout.ts";
export { RingReader } from "./transport/ring-reader.ts";
export { RingWriter } from "./transport/ring-writer.ts";
export { allocateRunMemory, prefault, type RunMemory, resetRun } from "./transport/run-memory.ts";
