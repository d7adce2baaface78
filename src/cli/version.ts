import { readFile } from "node:fs/promises";

/** The version of the package that this code was built in. */
export async function version(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
