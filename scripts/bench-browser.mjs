/**
 * The benchmarks in headless Chromium: `npm run bench:browser -- [NAME]… [--json] [--quick]`. Builds their page when it is out of
 * date and serves it with the isolation headers.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { findChromium } from "./lib/chromium.mjs";
import { projectRoot, run } from "./lib/run.mjs";

/** @typedef {{ weirBench: import("../bench/page/page-bench.ts").PageBench }} BenchPage what the page has among its globals */

const { values: options, positionals: asked } = parseArgs({
  options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
  allowPositionals: true,
});

const built = await run(process.execPath, ["scripts/build.mjs", "node", "bench", "--if-stale"]);
if (built.code !== 0) {
  process.stderr.write(built.output);
  process.exit(1);
}
/** @type {typeof import("../src/cli/static-server.ts")} */
const { startStaticServer } = await import(new URL("../dist/node/static-server.js", import.meta.url).href);

const root = process.getuid?.() === 0;
const executablePath = findChromium();
if (executablePath === undefined) {
  process.stderr.write("no Chromium: install one or set CHROMIUM_PATH\n");
  process.exit(1);
}
const server = await startStaticServer({ root: join(projectRoot, "dist", "bench"), port: 0 });
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: !root,
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
try {
  process.exitCode = await measure();
} finally {
  await browser.close();
  await server.close();
}

async function measure() {
  const page = await browser.newPage();
  page.on("pageerror", (error) => process.stderr.write(`${error.message}\n`));
  await page.exposeFunction("weirMemoryBytes", memoryOfThePage);
  await page.exposeFunction("weirProgress", (/** @type {string} */ text) => {
    if (process.stderr.isTTY) process.stderr.write(`${text}\n`);
  });
  await page.goto(server.url);
  const bench = await page.evaluateHandle(
    () => /** @type {BenchPage} */ (/** @type {unknown} */ (globalThis)).weirBench,
  );
  const known = await bench.evaluate(({ names }) => names);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`there is no benchmark ${JSON.stringify(unknown)}; there are ${known.join(", ")}\n`);
    return 2;
  }
  const host = { runtime: `Chromium ${browser.version()}`, cpu: cpus()[0]?.model.trim() ?? "unknown" };
  const { quick, json } = options;
  const results = [];
  for (const name of asked.length > 0 ? asked : known) {
    const task = { name, host, quick };
    const found = await bench.evaluate((page, { name, host, quick }) => page.run(name, host, quick), task);
    if (!json) process.stdout.write(`${results.length > 0 ? "\n" : ""}${found.table}`);
    results.push(found.result);
  }
  const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  if (json) process.stdout.write(`${JSON.stringify({ weir: version, results }, null, 2)}\n`);
  return 0;
}

/** Resident bytes of the largest renderer, which is the page's; where there is no /proc nobody tells. */
async function memoryOfThePage() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => residentBytes(id));
  return Math.max(...sizes);
}

/** @param {number} pid */
function residentBytes(pid) {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kib) * 1024;
  } catch {
    return Number.NaN;
  }
}
