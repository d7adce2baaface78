import type { DuckDBConnection } from "@duckdb/node-api";
import type fc from "fast-check";
import { expect } from "vitest";
import type { Batch } from "../../data/batch.ts";
import { batchRows } from "../batch-values.ts";
import { answerOf } from "../duckdb.ts";
import { intervalJoins } from "./join-cases.ts";
import { dedupes, runningAggregates } from "./keyed-cases.ts";
import { linesOf, type OracleCase, sinkOf } from "./oracle-case.ts";
import { joinPipelines, pipelines } from "./pipeline-cases.ts";
import { gridRanks, runningRanks, sessionRanks } from "./rank-cases.ts";
import { steps } from "./step-cases.ts";
import { gridWindows, sessionWindows } from "./window-cases.ts";

/** What DuckDB is asked about, and how many runs of the lab each family gets, of one to nine operators each. */
export const FAMILIES: readonly (readonly [name: string, cases: fc.Arbitrary<OracleCase>, runs: number])[] = [
  ["tumbling and sliding windows, late rows dropped, routed and corrected (D-20, D-24)", gridWindows, 70],
  ["session windows (D-28)", sessionWindows, 40],
  ["interval joins: inner, left, right, full (D-30, P-29)", intervalJoins, 50],
  ["rankings by window (D-27)", gridRanks, 40],
  ["rankings by session (D-27, D-28)", sessionRanks, 30],
  ["running rankings, by the final state of their changelog (D-27, D-32)", runningRanks, 30],
  ["running aggregates, by the final state of their changelog (D-24, D-32)", runningAggregates, 36],
  ["the first and the last row of each key (D-27)", dedupes, 36],
  ["windows behind windows, rankings and dedupes: nothing is late (D-29)", pipelines, 35],
  ["windows behind joins: nothing is late (D-29, D-30, P-35)", joinPipelines, 30],
  ["filters and derived columns (D-25, D-26)", steps, 25],
];

/** Fails unless every sink of a run has the rows that DuckDB answers. */
export async function expectAnswers(
  duck: DuckDBConnection,
  { streams, operators }: OracleCase,
  batchesOf: (sink: string) => readonly Batch[],
): Promise<void> {
  for (const { name, sql } of streams) await duck.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${sql}`);
  for (const [o, { answers }] of operators.entries()) {
    for (const [port, answer] of Object.entries(answers)) {
      const rows = batchesOf(sinkOf(o, port)).flatMap(batchRows);
      const shown = linesOf(answer.final?.(rows) ?? rows, answer);
      expect({ o, port, rows: shown }).toEqual({ o, port, rows: linesOf(await answerOf(duck, answer.sql), answer) });
    }
  }
}
