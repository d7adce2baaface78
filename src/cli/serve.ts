import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Arguments, Refusal, usageError, wholeNumber } from "./arguments.ts";
import type { ExitStatus } from "./exit-status.ts";
import { type StaticServer, startStaticServer } from "./static-server.ts";

const DEFAULT_PORT = 4410;
/** Further ports that are tried when nobody asked for a certain one. */
const MORE_PORTS = 20;
const HIGHEST_PORT = 65_535;

/** `weir serve`: the built page with the isolation headers, until Ctrl-C. */
export async function serve(args: Arguments): Promise<ExitStatus> {
  const asked = wholeNumber(args, "port", HIGHEST_PORT);
  const root = fileURLToPath(new URL("../page", import.meta.url));
  if (!existsSync(`${root}/index.html`)) {
    throw new Refusal([usageError("the page is not built", "run npm run build in the project's folder")]);
  }
  const server = await listen(root, asked ?? DEFAULT_PORT, asked === undefined ? MORE_PORTS : 0);
  process.stdout.write(`Weir is at ${server.url} (Ctrl-C ends it)\n`);
  await new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  await server.close();
  return 0;
}

async function listen(root: string, port: number, more: number): Promise<StaticServer> {
  try {
    return await startStaticServer({ root, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && more > 0) return listen(root, port + 1, more - 1);
    if (code === "EADDRINUSE" || code === "EACCES") {
      const why = code === "EADDRINUSE" ? "is taken" : "may not be used";
      throw new Refusal([usageError(`port ${port} ${why}`, "choose another with --port")]);
    }
    throw error;
  }
}
