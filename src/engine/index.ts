/** The door for users of the library: named exports only. */

export { closest } from "./base/edit-distance.ts";
export { type ErrorData, errorLine, errorText, toErrorData, WeirError } from "./base/errors.ts";
export type { TimeMark } from "./base/event-time.ts";
export type { FileStore, ReadableFile, WritableFile } from "./base/files.ts";
export { type EdgeId, type Epoch, edgeId, epoch, type NodeId, nodeId, type TaskId, taskId } from "./base/ids.ts";
export type { CompletedEpoch } from "./core/epoch-tracker.ts";
export type { MessageKind } from "./core/messages.ts";
export {
  COUNTERS,
  type Counter,
  type EdgeReading,
  ProbeReader,
  type ProbeShape,
  probeBytes,
  type StageReading,
  TASK_STATES,
  type TaskReading,
  type TaskState,
} from "./core/probes.ts";
export { Batch } from "./data/batch.ts";
export type { Column } from "./data/column.ts";
export { csvHeader, csvOf } from "./data/csv-rows.ts";
export { ndjsonOf } from "./data/json-rows.ts";
export { sliceBatch } from "./data/kernels/slice.ts";
export { type CellValue, cell, rowsOf } from "./data/row-codec.ts";
export { type Field, Schema } from "./data/schema.ts";
export { TYPE_NAMES, typeName } from "./data/types.ts";
export { callOverdue } from "./execution/call-overdue.ts";
export { checkpointOf } from "./execution/checkpointing.ts";
export type { RunLife, RunOutcome } from "./execution/coordinator.ts";
export { taskName } from "./execution/coordinator-spec.ts";
export type * from "./execution/engine-api.ts";
export type { EpochRecord } from "./execution/epoch-ledger.ts";
export { Graph, GraphError } from "./execution/graph.ts";
export { guessColumns } from "./execution/guess-columns.ts";
export { Lab, type LabOptions, type MoveList } from "./execution/lab/lab.ts";
export { type Move, moveText, parseMove } from "./execution/lab/moves.ts";
export { RoundRobinScheduler, type Scheduler, SeededScheduler, WeightedScheduler } from "./execution/lab/scheduler.ts";
export { packBatch, unpackBatch } from "./execution/pack-batch.ts";
export { type Prepared, prepare } from "./execution/prepare.ts";
export { preview } from "./execution/preview.ts";
export { firstStageOf, probeShape } from "./execution/probe-shape.ts";
export type { HostHandle, PackedBatch, TraceMode } from "./execution/protocol.ts";
export { type RunReport, reportOf, reportText } from "./execution/report.ts";
export { resume } from "./execution/resume.ts";
export type { Resumption } from "./execution/resumption.ts";
export type { RunOptions } from "./execution/run-options.ts";
export { SAMPLE_ROWS, sampleOf } from "./execution/sample.ts";
export { memoryCost, ThreadsExecutor, type ThreadsOptions } from "./execution/threads.ts";
export { ThreadsRun } from "./execution/threads-run.ts";
export { quotedName } from "./expressions/check.ts";
export {
  type CheckedExpression,
  checkExpression,
  faultPlace,
  repaired,
  type Wanted,
} from "./expressions/check-expression.ts";
export { parser as expressionParser } from "./expressions/expression-parser.generated.ts";
export type { ExpressionFault } from "./expressions/fault.ts";
export { EXPRESSION_FUNCTIONS, type FunctionHelp } from "./expressions/functions.ts";
export { EXPRESSION_KEYWORDS } from "./expressions/keywords.ts";
export { type ExpressionPreview, previewExpression } from "./expressions/preview-expression.ts";
export { CAST_TYPE_NAMES } from "./expressions/type-names.ts";
export { encoderFactory } from "./formats/open-encoder.ts";
export {
  CATALOG,
  type Catalog,
  type ConfigProblem,
  type InputPort,
  KINDS,
  type KindGroup,
  type KindSpec,
  type OutputPort,
  type PatchOperation,
} from "./operators/catalog.ts";
export type { Checkpoint, CheckpointNode, StageState } from "./state/checkpoint.ts";
export { CheckpointStore } from "./state/checkpoint-store.ts";
export { documentBefore, type GraphPlace } from "./topology/document-before.ts";
export {
  type AttachedFile,
  edgeSchema,
  GRAPH_FORMAT,
  type GraphAnnotation,
  type GraphDocument,
  type GraphDocumentInput,
  type GraphEdge,
  type GraphEdgeEnd,
  type GraphNode,
  type GraphRoute,
  type GraphSettings,
  graphDocumentSchema,
  settingsSchema,
} from "./topology/graph-document.ts";
export { parseJson } from "./topology/json-text.ts";
export { writeJson } from "./topology/json-write.ts";
export { parseDocument, serializeDocument } from "./topology/parse-document.ts";
export type { Plan, PlanEdge, PlanRoute, PlanStage, PlanTask } from "./topology/physical-plan.ts";
export { planOf } from "./topology/plan.ts";
export { type PackedPlan, packPlan, unpackPlan } from "./topology/plan-transfer.ts";
export { applyPatch, type Fix, type Problem } from "./topology/problem.ts";
export { type Analysis, analyse, validate } from "./topology/validate.ts";
export { type PerfettoInput, perfettoTrace } from "./trace/perfetto.ts";
export { TimelineReader } from "./trace/timeline.ts";
export type { TraceEvent } from "./trace/trace-event.ts";
export { traceLine } from "./trace/trace-line.ts";
export type { EdgeView } from "./transport/edge.ts";
export type { PlanCost, RunLayout } from "./transport/ring-layout.ts";
export { RingView } from "./transport/ring-view.ts";
