/**
 * Serves the built page: `node scripts/serve.mjs [--port N] [--strict-port] [--base /path/] [--no-isolation]
 * [--until-input-ends]`. A port that is taken is passed over for the next free one, unless the port is strict.
 * With the last option the server ends with whoever holds its standard input, even if that one is killed.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "./lib/run.mjs";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: process.env["PORT"] ?? "4410" },
    "strict-port": { type: "boolean", default: false },
    base: { type: "string", default: "/" },
    "no-isolation": { type: "boolean", default: false },
    "until-input-ends": { type: "boolean", default: false },
  },
});

/** @type {typeof import("../src/cli/static-server.ts")} */
const { startStaticServer } = await import(new URL("../dist/node/static-server.js", import.meta.url).href);

const server = await listen(Number(values.port), values["strict-port"] ? 0 : 20);
process.stdout.write(`Weir is at ${server.url} (Ctrl-C ends it)\n`);
const stop = () => void server.close().then(() => process.exit(0));
process.once("SIGINT", stop).once("SIGTERM", stop);
if (values["until-input-ends"]) process.stdin.once("end", stop).resume();

/**
 * @param {number} port
 * @param {number} more how many further ports may be tried
 * @returns {Promise<import("../src/cli/static-server.ts").StaticServer>}
 */
async function listen(port, more) {
  const root = join(projectRoot, "dist", "page");
  try {
    return await startStaticServer({ root, port, base: values.base, isolation: !values["no-isolation"] });
  } catch (error) {
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (taken && more > 0) return listen(port + 1, more - 1);
    if (!taken) throw error;
    process.stderr.write(`port ${port} is taken: end what uses it, or choose another with --port\n`);
    process.exit(1);
  }
}
