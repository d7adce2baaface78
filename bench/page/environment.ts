import { spawnHost } from "../../src/workers/spawn-host.ts";
import type { Environment, RawWorker } from "../environment.ts";
import type { Machine } from "../results.ts";

export function pageEnvironment(machine: Machine, memoryBytes: () => Promise<number>): Environment {
  return { name: "chromium", machine, startWorker, startHost: spawnHost, hostFiles: { blobs: new Map() }, memoryBytes };
}

function startWorker(): RawWorker {
  const worker = new Worker(new URL("./bench.worker.ts", import.meta.url), { type: "module" });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as readonly unknown[] as Transferable[]),
    onMessage: (listener) => worker.addEventListener("message", ({ data }) => listener(data)),
    onError: (listener) => worker.addEventListener("error", (event) => listener(event.message)),
    end: async () => worker.terminate(),
  };
}
