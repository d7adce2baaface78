/** Makes the WebAssembly modules of the examples from their AssemblyScript: `node scripts/example-modules.mjs`. */
import { writeFileSync } from "node:fs";
import { compileModule, moduleSources } from "./lib/example-modules.mjs";

const folder = new URL("../examples/compute/", import.meta.url);
const binary = await compileModule(moduleSources(folder), "geo.ts");
writeFileSync(new URL("geo.wasm", folder), binary);
console.log(`examples/compute/geo.wasm is written: ${binary.length} bytes`);
