import { batchBytes, copyBatches, splitBatches } from "./kernels.ts";
import { type NexmarkJob, nexmarkRows } from "./nexmark-rows.ts";
import { consume, ping, produce } from "./rings.ts";

/** Everything that a worker of the benchmarks can be asked to do. Libraries are loaded by the jobs that need them. */
export const JOBS = {
  copyBatches,
  batchBytes,
  splitBatches,
  produce,
  consume,
  ping,
  decodeFile: async (job: import("./formats.ts").DecodeJob) => (await import("./formats.ts")).decodeFile(job),
  fileBytes: async (job: Pick<import("./formats.ts").DecodeJob, "format" | "rows">) =>
    (await import("./formats.ts")).fileBytes(job),
  windowRows: async (job: import("./operators.ts").WindowJob) => (await import("./operators.ts")).windowRows(job),
  windowByHand: async (job: import("./operators.ts").WindowJob) => (await import("./operators.ts")).windowByHand(job),
  expressionRows: async (job: import("./operators.ts").ExpressionJob) =>
    (await import("./operators.ts")).expressionRows(job),
  expressionByHand: async (job: import("./operators.ts").ExpressionJob) =>
    (await import("./operators.ts")).expressionByHand(job),
  nexmarkRows,
  nexmarkLoop: async (job: NexmarkJob) => (await import("./nexmark-loops.ts")).nexmarkLoop(job),
  nexmarkRxjs: async (job: NexmarkJob) => (await import("./nexmark-rxjs.ts")).nexmarkRxjs(job),
  nexmarkD2ts: async (job: Omit<NexmarkJob, "count">) => (await import("./nexmark-d2ts.ts")).nexmarkD2ts(job),
  post: async (job: import("./messages.ts").PostJob) => (await import("./messages.ts")).post(job),
  receive: async (job: import("./messages.ts").ReceiveJob) => (await import("./messages.ts")).receive(job),
  echo: async (job: import("./messages.ts").EchoJob) => (await import("./messages.ts")).echo(job),
  call: async (job: import("./messages.ts").EchoJob) => (await import("./messages.ts")).call(job),
};

export type JobName = keyof typeof JOBS;
export type JobInput<N extends JobName> = Parameters<(typeof JOBS)[N]>[0];
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof JOBS)[N]>>;
