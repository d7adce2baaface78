import { build } from "vite";

/**
 * A module of the engine as a worker's whole code, for tests: Node 20 runs no TypeScript. The worker calls `run` with its
 * `workerData`, posts what it answers, and ends.
 *
 * @param {string} file path of the module, from the project's root
 * @param {string} run name of a function that the module exports
 * @returns {Promise<URL>} to be given to `new Worker`
 */
export async function bundleWorker(file, run) {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    ssr: { noExternal: true, target: "node" },
    build: { ssr: file, write: false, target: "node20.19", minify: false },
  });
  const [result] = Array.isArray(output) ? output : [output];
  if (result === undefined || !("output" in result)) throw new TypeError("vite built nothing");
  return scriptUrl(`
    import { parentPort, workerData } from "node:worker_threads";
    import { ${run} } from ${JSON.stringify(scriptUrl(result.output[0].code).href)};
    parentPort.postMessage(${run}(workerData));
  `);
}

/** @param {string} code */
function scriptUrl(code) {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
