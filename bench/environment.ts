import type { FromHost, HostHandle, ToHost } from "../src/engine/parts.ts";
import type { Machine } from "./results.ts";
import type { JobInput, JobName, JobOutput } from "./worker/jobs.ts";
import type { Port } from "./worker/messages.ts";
import type { JobAnswer, JobRequest } from "./worker/serve.ts";

/** A worker with the benchmarks' code, as Node or a page starts it. */
export interface RawWorker {
  post(message: JobRequest | ToHost, transfer: readonly Transferable[]): void;
  onMessage(listener: (message: JobAnswer | FromHost) => void): void;
  onError(listener: (why: string) => void): void;
  end(): Promise<void>;
}

export type Transferable = ArrayBuffer | Port;

/** Both ends of a channel. The declarations of Node's ports and of a page's have little in common, the ports themselves all that is used. */
export function channel(): [Port, Port] {
  const { port1, port2 } = new MessageChannel();
  return [port1, port2] as unknown as [Port, Port];
}

/** Where benchmarks run: everything in which Node and a page differ. */
export interface Environment {
  readonly name: "node" | "chromium";
  readonly machine: Machine;
  startWorker(): RawWorker;
  /** A task host as a real run has it, with the catalog's kinds. */
  startHost(host: number): HostHandle;
  /** What `startHost` is given to open files. */
  readonly hostFiles: unknown;
  /** Bytes that the whole process takes: in a page, that of the renderer. */
  memoryBytes(): Promise<number>;
  /** CPU milliseconds of the whole process, where somebody tells. */
  cpuMs?(): number;
}

/** A worker that does jobs. */
export class BenchWorker {
  private readonly raw: RawWorker;
  private readonly waiting = new Map<number, { resolve: (output: unknown) => void; reject: (error: Error) => void }>();
  private jobs = 0;

  constructor(env: Environment) {
    this.raw = env.startWorker();
    this.raw.onError((why) => this.waiting.forEach(({ reject }) => reject(new Error(`a worker failed: ${why}`))));
    this.raw.onMessage((answer) => {
      if (answer.kind !== "done" && answer.kind !== "failed") return;
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (answer.kind === "done") waiter?.resolve(answer.output);
      else waiter?.reject(new Error(answer.message));
    });
  }

  do<N extends JobName>(name: N, input: JobInput<N>, transfer: readonly Transferable[] = []): Promise<JobOutput<N>> {
    const id = this.jobs++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: (output) => resolve(output as JobOutput<N>), reject });
      this.raw.post({ kind: "job", id, name, input }, transfer);
    });
  }

  end(): Promise<void> {
    return this.raw.end();
  }
}

/** Starts so many workers, and ends them whatever happens. */
export async function withWorkers<T>(
  env: Environment,
  count: number,
  use: (workers: BenchWorker[]) => Promise<T>,
): Promise<T> {
  const workers = Array.from({ length: count }, () => new BenchWorker(env));
  try {
    return await use(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

/** A task host with the benchmarks' own kinds. */
export function benchHost(env: Environment): HostHandle {
  const raw = env.startWorker();
  let ended = false;
  return {
    post: (message) => raw.post(message, []),
    onMessage: (listener) => raw.onMessage((message) => listener(message as FromHost)),
    onDeath: (listener) => raw.onError((why) => ended || listener(why)),
    kill: () => void raw.end(),
    end: () => {
      ended = true;
      return raw.end();
    },
  };
}
