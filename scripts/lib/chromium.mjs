import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { run } from "./run.mjs";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The browser for the page's tests: CHROMIUM_PATH, one that the system has, or Playwright's own.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const asked = process.env["CHROMIUM_PATH"];
  // A path that was asked for and is wrong is an error, not a reason to take another browser.
  if (asked) return isExecutable(asked) ? asked : undefined;
  return USUAL_PLACES.find(isExecutable) ?? playwrightsOwn();
}

/**
 * Finds the browser; as root on Debian and its kin it is installed when there is none.
 *
 * @returns {Promise<string | undefined>} undefined when there is none; the advice is on stderr
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.env["CHROMIUM_PATH"]) {
    process.stderr.write(`CHROMIUM_PATH names no program: ${process.env["CHROMIUM_PATH"]}\n`);
    return undefined;
  }
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stdout.write("installing Chromium (apt-get)…\n");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const update = await run("apt-get", ["update", "-q"], { env });
    const install = await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium"], { env });
    if (install.code !== 0) process.stderr.write(update.output + install.output);
  }
  const installed = findChromium();
  if (!installed) {
    process.stderr.write("no Chromium: install one, set CHROMIUM_PATH, or run `npx playwright install chromium`\n");
  }
  return installed;
}

/** @returns {string | undefined} */
function playwrightsOwn() {
  try {
    const path = createRequire(import.meta.url)("@playwright/test").chromium.executablePath();
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
