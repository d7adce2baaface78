// Writes public/graph.schema.json, the JSON Schema of graph documents, from the zod schemas of the engine.
import { writeFile } from "node:fs/promises";
import { runnerImport } from "vite";

const target = new URL("../public/graph.schema.json", import.meta.url);
const { module } = await runnerImport("/src/engine/topology/json-schema.ts", {
  root: new URL("..", import.meta.url).pathname,
  configFile: false,
  logLevel: "error",
});
await writeFile(target, module.graphJsonSchemaText());
console.log("public/graph.schema.json is written");
