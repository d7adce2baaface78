import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../../dist/node/cli.js", import.meta.url));

/** Runs the command line with a standard output that takes nothing: a disk that is full. */
export function onFullDisk(args: readonly string[], cwd: string): Promise<{ status: number | null; stderr: string }> {
  const output = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ["ignore", output, "pipe"] });
  closeSync(output);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, stderr })));
}
