import { parentPort } from "node:worker_threads";
import { serve } from "../worker/serve.ts";

/** The entry of the benchmarks' workers in Node. */
const port = parentPort;
if (port === null) throw new Error("this is the entry of a worker");

serve({
  post: (message) => port.postMessage(message),
  onMessage: (listener) => port.on("message", listener),
});
