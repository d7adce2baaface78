import { type Arguments, oneOf, wholeNumber } from "./arguments.ts";
import { labRun } from "./drive-lab.ts";
import { threadsRun } from "./drive-threads.ts";
import { execute } from "./execute.ts";
import type { ExitStatus } from "./exit-status.ts";
import { readJob } from "./job.ts";

const DEFAULT_SEED = 1;

/** `weir run GRAPH`: on threads, or in the lab. */
export async function run(args: Arguments): Promise<ExitStatus> {
  const mode = oneOf(args, "mode", ["threads", "lab"]) ?? "threads";
  const seed = wholeNumber(args, "seed") ?? DEFAULT_SEED;
  const job = await readJob(args);
  if (mode === "threads") return execute(job, threadsRun(job));
  return execute(job, (listener) => labRun(job, { seed }, listener));
}
