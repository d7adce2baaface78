import { cpus } from "node:os";
import { type TransferListItem, Worker } from "node:worker_threads";
import { cores, spawnHost } from "../../src/workers/node/spawn-host.ts";
import type { Environment, RawWorker } from "../environment.ts";

/** The built entry: beside this module in dist/node, or in dist/node seen from the sources (tests). */
const ENTRY = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/node/bench-worker.js", import.meta.url)
  : new URL("./bench-worker.js", import.meta.url);

export function nodeEnvironment(): Environment {
  return {
    name: "node",
    machine: { runtime: `Node ${process.versions.node}`, cpu: cpus()[0]?.model.trim() ?? "unknown", cores: cores() },
    startWorker,
    startHost: spawnHost,
    hostFiles: { folder: ".", attached: {} },
    memoryBytes: async () => process.memoryUsage.rss(),
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
  };
}

function startWorker(): RawWorker {
  const worker = new Worker(ENTRY);
  return {
    post: (message, transfer) =>
      worker.postMessage(message, transfer as readonly unknown[] as readonly TransferListItem[]),
    onMessage: (listener) => worker.on("message", listener),
    onError: (listener) => worker.on("error", (error) => listener(String(error))),
    end: async () => void (await worker.terminate()),
  };
}
