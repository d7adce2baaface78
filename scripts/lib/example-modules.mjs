import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** Custom section, the last one of a module, that tells of which sources it was made. */
const SOURCES_SECTION = "weir.sources";

/**
 * The AssemblyScript files of a folder, by name.
 *
 * @param {URL} folder
 * @returns {Map<string, string>}
 */
export function moduleSources(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return new Map(names.sort().map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}

/**
 * Tells one state of the sources from another.
 *
 * @param {Map<string, string>} sources
 */
export function sourcesHash(sources) {
  const hash = createHash("sha256");
  for (const [name, text] of sources) hash.update(`${name}\0${text}\0`);
  return hash.digest("hex");
}

/**
 * Compiles a module for `compute`: no imports, memory of its own of 512 KiB that may grow.
 *
 * @param {Map<string, string>} sources
 * @param {string} entry
 * @returns {Promise<Uint8Array>}
 */
export async function compileModule(sources, entry) {
  const { default: asc } = await import("assemblyscript/asc");
  /** @type {string | Uint8Array | undefined} */
  let written;
  // `--use abort=`: a failed check traps by itself instead of calling out.
  const { error, stderr } = await asc.main(
    [entry, "-O3", "--runtime", "stub", "--use", "abort=", "--initialMemory", "8", "--outFile", "module.wasm"],
    {
      readFile: (name) => sources.get(name.replace(/^\.\//, "")) ?? null,
      writeFile: (_name, contents) => {
        written = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || !(written instanceof Uint8Array)) throw new Error(`${error?.message}\n${stderr.toString()}`);
  return withSection(written, SOURCES_SECTION, sourcesHash(sources));
}

/**
 * @param {Uint8Array} binary
 * @param {string} name
 * @param {string} text both shorter than 128 characters together
 */
function withSection(binary, name, text) {
  const encoder = new TextEncoder();
  const body = [name.length, ...encoder.encode(name), ...encoder.encode(text)];
  return Uint8Array.from([...binary, 0, body.length, ...body]);
}
