import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import type { CellValue } from "./batch-values.ts";

/**
 * An independent engine for tests, in memory and on one thread: one connection a file, many queries. Expressions are
 * answered as they stand: rewritten, a constant that is no whole day compared with date_trunc('day', NULL) is false.
 */
export async function openDuck(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await connection.run("SET disabled_optimizers = 'expression_rewriter'");
  return connection;
}

/** Rows of a query, in its order, their values as `cellValue` gives ours. */
export async function answerOf(connection: DuckDBConnection, sql: string): Promise<CellValue[][]> {
  const answer = await connection.runAndReadAll(sql);
  return answer.getRows().map((row) => row.map(plainValue));
}

/** A value of DuckDB as `cellValue` gives ours. Of zeros the sign is left out: DuckDB's depends on the plan. */
function plainValue(value: DuckDBValue): CellValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return value + 0;
  if (typeof value === "bigint") return value;
  if ("scale" in value && "value" in value) return value.value as bigint;
  if ("micros" in value) return value.micros as bigint;
  if ("days" in value) return value.days as number;
  if ("bytes" in value)
    return Array.from(value.bytes as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("");
  throw new Error(`a value of an unknown type: ${String(value)}`);
}
