/** Installs what is missing, builds what is out of date, serves the page: `npm start [-- --port N]`. */
import { ensureInstalled, requireNode } from "./lib/install.mjs";
import { exitOnSignals, run } from "./lib/run.mjs";

requireNode();
const leaveSignals = exitOnSignals();
if (!(await ensureInstalled())) process.exit(1);
const built = await run(process.execPath, ["scripts/build.mjs", "--if-stale"], { inherit: true });
if (built.code !== 0) process.exit(built.code);
leaveSignals();
await import("./serve.mjs");
