import fc from "fast-check";
import { joinsWith } from "./join-cases.ts";
import { dedupe } from "./keyed-cases.ts";
import { casesOf, type OperatorCase, parallelism } from "./oracle-case.ts";
import { gridRank, sessionRank } from "./rank-cases.ts";
import type { Stream } from "./stream.ts";
import { gridWindow, oneStream, sessionWindow } from "./window-cases.ts";

/**
 * The operator with a window behind it that counts all its rows by their event time. A row that came behind the watermark that the operator forwards would
 * be missing.
 */
const counted = (of: OperatorCase): fc.Arbitrary<OperatorCase> =>
  fc.tuple(fc.integer({ min: 1, max: 30 }), parallelism).map(([sizeMs, tasks]) => {
    const start = `CAST(floor(happened / ${sizeMs}) AS BIGINT) * ${sizeMs}`;
    const sql = `SELECT ${start} AS first, first + ${sizeMs}, count(*) FROM (${of.times ?? ""}) GROUP BY first ORDER BY first`;
    const then = { kind: "window", parallelism: tasks, config: { window: { kind: "tumbling", sizeMs } } };
    return { ...of, then, answers: { ...of.answers, out: { sql, ordered: true } } };
  });

export const pipelines = casesOf(oneStream("never idle"), ([stream]) => {
  const of = stream as Stream;
  return fc.oneof(gridWindow(of), sessionWindow(of), gridRank(of), sessionRank(of), dedupe(of)).chain(counted);
});

export const joinPipelines = joinsWith(counted);
