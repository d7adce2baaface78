import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, run } from "./run.mjs";

const OLDEST_NODE = [20, 19];

/** Ends the process with one line of advice when Node is too old for the tools. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [needMajor = 0, needMinor = 0] = OLDEST_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  process.stderr.write(`weir needs Node ${OLDEST_NODE.join(".")} or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}

/**
 * Installs the dependencies when node_modules is missing or is not what package-lock.json says.
 *
 * @returns {Promise<boolean>} false when it could not be done; the reason is on stderr
 */
export async function ensureInstalled() {
  if (matchesLock()) return true;
  process.stdout.write("installing dependencies (npm ci)…\n");
  const npm = process.env["npm_execpath"];
  const [command, before] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  const result = await run(command, [...before, "ci", "--no-audit", "--no-fund"], {
    // The browser comes from the system (lib/chromium.mjs).
    env: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
    timeoutMs: 1_200_000,
  });
  if (result.code === 0) return true;
  process.stderr.write(
    `${result.output}\nnpm ci failed: see above; with a network that reaches npm it is enough to try again\n`,
  );
  return false;
}

/**
 * npm keeps beside the packages a list of what it installed, written last, so an interrupted installation has none.
 * Packages for other systems are optional and may be missing.
 */
function matchesLock() {
  try {
    const wanted = readPackages("package-lock.json");
    const installed = readPackages("node_modules/.package-lock.json");
    const complete = Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === "" || installed[path]?.version === version || (optional === true && !(path in installed)),
    );
    return complete && Object.keys(installed).every((path) => path in wanted);
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(join(projectRoot, file), "utf8")).packages;
}
