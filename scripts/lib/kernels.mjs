import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const FEATURES = ["simd", "threads", "bulk-memory"];

/**
 * AssemblyScript's own sources end in .ts, which every tool here would take for TypeScript: those of the kernels end in .as.
 *
 * @param {URL} folder
 * @returns {Map<string, string>} text by name without ending
 */
export function kernelSources(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".as"));
  return new Map(names.sort().map((name) => [name.slice(0, -3), readFileSync(new URL(name, folder), "utf8")]));
}

/**
 * Tells one state of the sources from another.
 *
 * @param {Map<string, string>} sources
 */
export function fingerprintOf(sources) {
  const hash = createHash("sha256");
  for (const [name, text] of sources) hash.update(`${name}\0${text}\0`);
  return hash.digest("hex").slice(0, 16);
}

/**
 * The module of the kernels: imports a shared memory, has no data and no start function.
 *
 * @param {Map<string, string>} sources of which `kernels` is the entry
 * @returns {Promise<{ binary: Uint8Array, text: string }>}
 */
export async function compileKernels(sources) {
  const { default: asc } = await import("assemblyscript/asc");
  /** @type {Map<string, string | Uint8Array>} */
  const written = new Map();
  const { error, stderr } = await asc.main(
    [
      "kernels.ts",
      ...["-O3", "--noAssert", "--runtime", "stub", "--importMemory", "--sharedMemory"],
      ...["--initialMemory", "1", "--maximumMemory", "65536"],
      ...FEATURES.flatMap((feature) => ["--enable", feature]),
      ...["--outFile", "kernels.wasm", "--textFile", "kernels.wat"],
    ],
    {
      readFile: (name) => sources.get(name.replace(/\.ts$/, "")) ?? null,
      writeFile: (name, contents) => {
        written.set(name, contents);
      },
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(`${error.message}\n${stderr.toString()}`);
  return {
    binary: /** @type {Uint8Array} */ (written.get("kernels.wasm")),
    text: String(written.get("kernels.wat")),
  };
}
