import { aggregate } from "./catalog/aggregate.ts";
import { compute } from "./catalog/compute.ts";
import { count } from "./catalog/count.ts";
import { dedupe } from "./catalog/dedupe.ts";
import { derive, filter } from "./catalog/filter-derive.ts";
import { joinInterval } from "./catalog/join-interval.ts";
import type { Catalog, KindSpec } from "./catalog/kind-spec.ts";
import { rank } from "./catalog/rank.ts";
import { drop, rename, select } from "./catalog/select-drop-rename.ts";
import { blackholeSink, fileSink, logSink, tableSink } from "./catalog/sinks.ts";
import { fileSource } from "./catalog/source-file.ts";
import { generatorSource } from "./catalog/source-generator.ts";
import { nexmarkSource } from "./catalog/source-nexmark.ts";
import { rowsSource } from "./catalog/source-rows.ts";
import { scriptSource } from "./catalog/source-script.ts";
import { socketSource } from "./catalog/source-socket.ts";
import { throttle, union } from "./catalog/union-throttle.ts";
import { window } from "./catalog/window.ts";

/** Every kind of node, in the order of the palette. A new kind is a file under `catalog/` and a line here. */
export const KINDS: readonly KindSpec[] = [
  rowsSource,
  scriptSource,
  generatorSource,
  nexmarkSource,
  fileSource,
  socketSource,
  select,
  drop,
  rename,
  filter,
  derive,
  compute,
  union,
  throttle,
  count,
  window,
  aggregate,
  joinInterval,
  rank,
  dedupe,
  tableSink,
  fileSink,
  logSink,
  blackholeSink,
];

export const CATALOG: Catalog = new Map(KINDS.map((spec) => [spec.kind, spec]));

export type { RunningAggregateConfig } from "./catalog/aggregate.ts";
export type { ComputeConfig } from "./catalog/compute.ts";
export type { CountConfig } from "./catalog/count.ts";
export type { DedupeConfig } from "./catalog/dedupe.ts";
export type { DeriveConfig, FilterConfig, OnError } from "./catalog/filter-derive.ts";
export type { IntervalJoinConfig } from "./catalog/join-interval.ts";
export type * from "./catalog/kind-spec.ts";
export type { RankConfig } from "./catalog/rank.ts";
export { rowsOf } from "./catalog/row-cells.ts";
export type { DropConfig, SelectConfig } from "./catalog/select-drop-rename.ts";
export type { SchemaConfig, TimeConfig } from "./catalog/shared-config.ts";
export { schemaOf } from "./catalog/shared-config.ts";
export type { FileSinkConfig, TableSinkConfig } from "./catalog/sinks.ts";
export type { FileSourceConfig } from "./catalog/source-file.ts";
export { BAD_ROW_SCHEMA } from "./catalog/source-file.ts";
export type { GeneratorField, GeneratorSourceConfig } from "./catalog/source-generator.ts";
export { generatorSchema } from "./catalog/source-generator.ts";
export type { NexmarkSourceConfig, NexmarkStream } from "./catalog/source-nexmark.ts";
export { NEXMARK_STREAMS, nexmarkSchema } from "./catalog/source-nexmark.ts";
export type { RowsSourceConfig } from "./catalog/source-rows.ts";
export type { ScriptSourceConfig, ScriptStep } from "./catalog/source-script.ts";
export type { SocketSourceConfig } from "./catalog/source-socket.ts";
export type { ThrottleConfig } from "./catalog/union-throttle.ts";
export type { WindowConfig } from "./catalog/window.ts";
