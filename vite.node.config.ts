import { existsSync } from "node:fs";
import { defineConfig } from "vite";

/** What runs in Node, by the name of its file in dist/node. Node 20 runs no TypeScript, so all of it is built. */
const entries = {
  index: "src/workers/node/library.ts",
  cli: "src/cli/main.ts",
  "static-server": "src/cli/static-server.ts",
  "task-host": "src/workers/node/task-host.ts",
  "bench-worker": "bench/node/worker.ts",
};

/**
 * Dependencies are bundled: a worker that loads apache-arrow file by file starts several times slower. All chunks lie
 * beside the entries, so that `new URL("./task-host.js", import.meta.url)` is right in whichever chunk it ends up.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    target: "node20.19",
    outDir: "dist/node",
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
      output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
