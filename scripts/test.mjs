/**
 * The whole check of the project, from a fresh clone on: `npm test`, or `npm test -- lint unit` for some of its steps.
 * Needs no terminal and no input. The last line counts every test and every static check: `N passed, N failed`.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureInstalled, requireNode } from "./lib/install.mjs";
import { exitOnSignals, projectRoot, run } from "./lib/run.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {import("./lib/run.mjs").RunResult} RunResult
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} args of Node
 * @property {readonly string[]} [needs] steps without whose success this one is not run and counts as failed
 * @property {Record<string, string>} [env]
 * @property {number} [timeoutMs]
 * @property {(result: RunResult) => Counts} [count] by default the step is one check
 */

const REPORTS = "test-results";
const UNIT_REPORT = `${REPORTS}/unit.json`;
const PAGE_REPORT = `${REPORTS}/page.json`;

/** @param {string} path under node_modules */
const tool = (path) => join(projectRoot, "node_modules", path);

/** These only read, so two of them run at a time. @type {readonly Step[]} */
const CHECKS = [
  { name: "types", args: [tool("typescript/bin/tsc"), "-b"] },
  { name: "lint", args: [tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."] },
  { name: "imports", args: ["scripts/check-imports.mjs"] },
  { name: "laws", args: ["scripts/check-laws.mjs"] },
  { name: "globals", args: ["scripts/check-globals.mjs"] },
  { name: "unused", args: [tool("knip/bin/knip.js"), "--no-progress"] },
  { name: "build:node", args: ["scripts/build.mjs", "node", "types"] },
  { name: "build:page", args: ["scripts/build.mjs", "page"] },
];

/** These start workers and browsers and measure nothing; each has the machine for itself. @type {readonly Step[]} */
const SUITES = [
  {
    name: "unit",
    args: [
      tool("vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${UNIT_REPORT}`,
    ],
    needs: ["build:node"],
    timeoutMs: 1_800_000,
    count: (result) => countUnit(result),
  },
  {
    name: "page",
    args: [tool("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(projectRoot, PAGE_REPORT) },
    needs: ["build:node", "build:page"],
    timeoutMs: 1_800_000,
    count: (result) => countPage(result),
  },
];

/** @type {Counts} */
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {Set<string>} */
const failed = new Set();

/** @param {RunResult} result */
const countCheck = ({ code }) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/**
 * Vitest's own counts; a file that could not be loaded or an error outside of any test counts as one failure.
 *
 * @param {RunResult} result
 * @returns {Counts}
 */
function countUnit({ code }) {
  const report = readReport(UNIT_REPORT);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    (/** @type {any} */ file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failures = report.numFailedTests + broken;
  return {
    passed: report.numPassedTests,
    failed: failures === 0 && code !== 0 ? 1 : failures,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Playwright's own counts; a test that passed only at a second try has failed.
 *
 * @param {RunResult} result
 * @returns {Counts}
 */
function countPage({ code }) {
  const stats = readReport(PAGE_REPORT)?.stats;
  if (!stats) return { passed: 0, failed: 1, skipped: 0 };
  const failures = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failures === 0 && code !== 0 ? 1 : failures, skipped: stats.skipped };
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, file), "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {Step} step */
async function runStep(step) {
  const missing = step.needs?.filter((name) => failed.has(name)) ?? [];
  if (missing.length > 0) {
    report(step, { passed: 0, failed: 1, skipped: 0 }, 0, `not run: ${missing.join(" and ")} failed\n`);
    return;
  }
  const result = await run(process.execPath, step.args, {
    env: { NO_COLOR: "1", FORCE_COLOR: "0", ...step.env },
    timeoutMs: step.timeoutMs ?? 600_000,
  });
  const counts = (step.count ?? countCheck)(result);
  report(step, counts, result.ms, result.output);
}

/**
 * @param {Step} step
 * @param {Counts} counts
 * @param {number} ms
 * @param {string} output shown only when the step failed
 */
function report(step, counts, ms, output) {
  const ok = counts.failed === 0 && counts.passed > 0;
  if (!ok) failed.add(step.name);
  total.passed += counts.passed;
  total.failed += ok ? 0 : Math.max(1, counts.failed);
  total.skipped += counts.skipped;
  const detail = step.count ? `  ${counts.passed} passed, ${counts.failed} failed` : "";
  process.stdout.write(
    `${ok ? "ok    " : "FAILED"} ${step.name.padEnd(10)} ${(ms / 1000).toFixed(1).padStart(6)} s${detail}\n`,
  );
  if (!ok) process.stdout.write(`${output.trimEnd().replace(/^/gm, "    ")}\n`);
}

/**
 * @param {readonly Step[]} steps
 * @param {number} lanes how many run at a time
 */
async function runSteps(steps, lanes) {
  const queue = [...steps];
  const lane = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) await runStep(step);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function main() {
  requireNode();
  exitOnSignals();
  const asked = process.argv.slice(2);
  const known = [...CHECKS, ...SUITES].map(({ name }) => name);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`${unknown}: no such step; there are ${known.join(", ")}\n`);
    return 2;
  }
  /** @param {Step} step */
  const chosen = ({ name }) => asked.length === 0 || asked.includes(name);

  const started = performance.now();
  const ready =
    (await ensureInstalled()) && (!SUITES.some((s) => s.name === "page" && chosen(s)) || (await ensureChromium()));
  if (!ready) {
    process.stdout.write("\n0 passed, 1 failed\n");
    return 1;
  }
  rmSync(join(projectRoot, REPORTS), { recursive: true, force: true });
  mkdirSync(join(projectRoot, REPORTS), { recursive: true });
  await runSteps(CHECKS.filter(chosen), 2);
  await runSteps(SUITES.filter(chosen), 1);

  process.stdout.write(`\nin ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
