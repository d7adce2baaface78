/**
 * Plays the demos in a window, or records them where there is none: `npm run demo -- [NAME]… [--record] [--pace N]`.
 * Recordings are WebM files in test-results/demos. A pace of 2 gives twice the time to look.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "./lib/chromium.mjs";
import { projectRoot, run } from "./lib/run.mjs";

const { values, positionals } = parseArgs({
  options: { record: { type: "boolean", default: false }, pace: { type: "string", default: "1" } },
  allowPositionals: true,
});

const RECORDINGS = join("test-results", "demos");
const hasDisplay =
  process.platform === "darwin" ||
  process.platform === "win32" ||
  Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
const recorded = values.record || !hasDisplay;

if (findChromium() === undefined) {
  process.stderr.write("no Chromium: install one or set CHROMIUM_PATH\n");
  process.exit(1);
}
await must(["scripts/build.mjs", "--if-stale"]);
await must(
  [
    join(projectRoot, "node_modules/@playwright/test/cli.js"),
    "test",
    "--config=playwright.demos.config.ts",
    "--reporter=line",
    ...(recorded ? [] : ["--headed"]),
    ...positionals,
  ],
  { WEIR_DEMO_PACE: values.pace, ...(recorded ? { WEIR_DEMO_RECORDINGS: RECORDINGS } : {}) },
);
if (recorded) process.stdout.write(`recorded in ${RECORDINGS}\n`);

/**
 * @param {readonly string[]} args of Node
 * @param {Record<string, string>} [env]
 */
async function must(args, env = {}) {
  const { code, output } = await run(process.execPath, args, { env, timeoutMs: 1_200_000 });
  if (code === 0) return;
  process.stderr.write(output);
  process.exit(1);
}
