// Makes the WebAssembly module of the kernels from src/engine/data/wasm/*.as; `--text FILE` also writes it as text, for reading.
import { writeFileSync } from "node:fs";
import { compileKernels, fingerprintOf, kernelSources } from "./lib/kernels.mjs";

const room = new URL("../src/engine/data/wasm/", import.meta.url);
const sources = kernelSources(room);
const { binary, text } = await compileKernels(sources);
const lines = (
  Buffer.from(binary)
    .toString("base64")
    .match(/.{1,120}/g) ?? []
).map((line) => `  "${line}"`);
writeFileSync(
  new URL("module.generated.ts", room),
  `// Made of the .as files by \`npm run kernels\`.

/** State of the sources that the module was made of. */
export const SOURCES = "${fingerprintOf(sources)}";

/** The module, as base64: so it needs no request, in whatever folder a page lies. */
export const MODULE =
${lines.join(" +\n")};
`,
);
const at = process.argv.indexOf("--text");
if (at > 0) writeFileSync(process.argv[at + 1] ?? "kernels.wat", text);
console.log(`src/engine/data/wasm/module.generated.ts is written: ${binary.length} bytes`);
