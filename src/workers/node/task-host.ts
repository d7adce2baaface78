import { parentPort } from "node:worker_threads";
import { type FromHost, runHost, type ToHost } from "../../engine/host.ts";
import { type NodeFiles, openFiles } from "./files.ts";

/** A task host on a worker_thread: one run, then the executor ends it. */
const port = parentPort;
if (port === null) throw new Error("this is the entry of a worker");

port.once("message", (start: ToHost) => {
  const post = (message: FromHost) => port.postMessage(message);
  void runHost(start, { post, files: openFiles(start.files as NodeFiles), threadCpuMs: threadCpu() });
  // The port keeps the worker alive until the executor ends it.
  port.on("message", () => undefined);
});

/** Node keeps a ledger of CPU time by thread only since version 23.9 (F-82). */
function threadCpu(): (() => number) | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage === undefined) return undefined;
  return () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  };
}
