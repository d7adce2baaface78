import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";

/**
 * Claims a folder for this process, until it is gone: the claim is a local address that is listened at, which the system frees however a process
 * ends, so none is ever left behind. Processes of one machine see each other's; where the system knows no such addresses, nothing is claimed.
 *
 * @returns whether no other process has it
 */
export async function claimFolder(folder: string): Promise<boolean> {
  const address = addressOf(await realPath(folder));
  return new Promise((settle) => {
    const server = createServer((connection) => connection.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => settle(error.code !== "EADDRINUSE"));
    server.listen(address, () => settle(true)).unref();
  });
}

function addressOf(folder: string): string {
  const name = `weir-${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : `\0${name}`;
}

/** Also of a folder that is not there yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
