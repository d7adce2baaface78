import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FromHost, HostHandle } from "../../engine/host.ts";

/** The built entry: beside this module in dist/node, or in dist/node seen from the sources (tests). */
const ENTRY = import.meta.url.endsWith(".ts")
  ? new URL("../../../dist/node/task-host.js", import.meta.url)
  : new URL("./task-host.js", import.meta.url);

/** Starts a task host on a worker_thread. Node tells of its death by `exit` (D-16). */
export function spawnHost(host: number): HostHandle {
  const worker = new Worker(ENTRY, { name: `weir host ${host}` });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let reason: string | undefined;
  let ended = false;
  worker.on("error", (error) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on("message", (message: FromHost) => listener(message)),
    onDeath: (listener) =>
      worker.once("exit", (code) => {
        if (!ended) listener(reason ?? `it exited with code ${code}`);
      }),
    kill: () => void worker.terminate(),
    end: async () => {
      ended = true;
      await worker.terminate();
      await exited;
    },
  };
}

export const cores = (): number => availableParallelism();
