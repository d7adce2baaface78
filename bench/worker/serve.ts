import { type FromHost, runHost, type ToHost } from "../../src/engine/parts.ts";
import { JOBS, type JobName } from "./jobs.ts";
import { type BenchSetup, benchBuilders, NO_FILES, silenceProbes } from "./stages.ts";

export interface JobRequest {
  readonly kind: "job";
  readonly id: number;
  readonly name: JobName;
  readonly input: unknown;
}

export type JobAnswer =
  | { readonly kind: "done"; readonly id: number; readonly output: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** The worker's side of its channel. */
export interface WorkerPort {
  post(message: JobAnswer | FromHost): void;
  onMessage(listener: (message: JobRequest | ToHost) => void): void;
}

/** A worker of the benchmarks: does jobs, one after another, or is a task host of one run, with the benchmarks' own kinds. */
export function serve(port: WorkerPort): void {
  port.onMessage((message) => {
    if (message.kind === "job") void doJob(message, port);
    else void beHost(message, port);
  });
}

async function doJob({ id, name, input }: JobRequest, port: WorkerPort): Promise<void> {
  try {
    const job = JOBS[name] as (input: unknown) => unknown;
    port.post({ kind: "done", id, output: await job(input) });
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    port.post({ kind: "failed", id, message: `${name}: ${message}` });
  }
}

function beHost(start: ToHost, port: WorkerPort): Promise<void> {
  const setup = start.files as BenchSetup;
  if (!setup.probes) silenceProbes();
  return runHost(start, { post: (message) => port.post(message), files: NO_FILES, builders: benchBuilders(setup) });
}
