import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { moduleSources, SOURCES_SECTION, sourcesHash } from "./lib/example-modules.mjs";

test("the module of the examples is made of the sources beside it, and imports nothing", () => {
  const folder = new URL("../examples/compute/", import.meta.url);
  const module = new WebAssembly.Module(readFileSync(new URL("geo.wasm", folder)));
  const [made] = WebAssembly.Module.customSections(module, SOURCES_SECTION);
  expect(new TextDecoder().decode(made), "run node scripts/example-modules.mjs").toBe(
    sourcesHash(moduleSources(folder)),
  );
  expect(WebAssembly.Module.imports(module)).toEqual([]);
});
