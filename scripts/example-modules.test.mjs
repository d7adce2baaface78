import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { moduleSources, sourcesHash } from "./lib/example-modules.mjs";

test("the module of the examples is made of the sources beside it, and imports nothing", () => {
  const folder = new URL("../examples/compute/", import.meta.url);
  const binary = readFileSync(new URL("geo.wasm", folder));
  const expected = sourcesHash(moduleSources(folder));
  const made = new TextDecoder().decode(binary.subarray(-expected.length));
  expect(made, "run node scripts/example-modules.mjs").toBe(expected);
  expect(WebAssembly.Module.imports(new WebAssembly.Module(binary))).toEqual([]);
});
