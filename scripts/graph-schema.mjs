// Writes what is made of the zod schemas of the engine: public/graph.schema.json, the JSON Schema of graph documents, and docs/reference.md.
import { writeFile } from "node:fs/promises";
import { runnerImport } from "vite";

const root = new URL("..", import.meta.url);

/**
 * @param {string} path of a module of the engine
 * @returns {Promise<Record<string, () => string>>}
 */
async function load(path) {
  const { module } = await runnerImport(path, { root: root.pathname, configFile: false, logLevel: "error" });
  return module;
}

const schema = await load("/src/engine/topology/json-schema.ts");
const reference = await load("/src/engine/topology/reference.ts");
await writeFile(new URL("public/graph.schema.json", root), schema.graphJsonSchemaText());
await writeFile(new URL("docs/reference.md", root), reference.referenceText());
console.log("public/graph.schema.json and docs/reference.md are written");
