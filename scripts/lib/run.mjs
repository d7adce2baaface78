import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The project's folder; every command runs there. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @typedef {object} RunResult
 * @property {number} code exit status; 124 when the time was up
 * @property {string} output stdout and stderr as they came, empty when inherited
 * @property {number} ms
 */

/**
 * Runs a command without a terminal or standard input, and ends it with all that it started when its time is up.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, timeoutMs?: number, inherit?: boolean }} [options] `inherit` shows the output
 *   as it comes instead of collecting it
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { env = {}, timeoutMs = 600_000, inherit = false } = {}) {
  const started = performance.now();
  const group = process.platform !== "win32";
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: inherit ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    detached: group,
  });
  const end = () => {
    if (child.pid === undefined) return;
    try {
      if (group) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  };
  process.once("exit", end);

  return new Promise((resolve) => {
    let output = "";
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      output += `\nnot finished after ${timeoutMs / 1000} s: ended\n`;
      end();
    }, timeoutMs);
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer);
      process.off("exit", end);
      resolve({ code: timedOut ? 124 : code, output, ms: performance.now() - started });
    };
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.once("error", (error) => {
      output += `${command}: ${error.message}\n`;
      finish(127);
    });
    child.once("close", (code) => finish(code ?? 1));
  });
}

/**
 * Makes Ctrl-C end what runs, too: children are in groups of their own and would not hear it.
 *
 * @returns {() => void} undoes it
 */
export function exitOnSignals() {
  const interrupt = () => process.exit(130);
  const terminate = () => process.exit(143);
  process.on("SIGINT", interrupt).on("SIGTERM", terminate);
  return () => {
    process.off("SIGINT", interrupt).off("SIGTERM", terminate);
  };
}
