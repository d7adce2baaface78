import { defineConfig } from "vite";

/** The page that runs the benchmarks in a browser: built as the page is, and served with the same headers. */
export default defineConfig({
  root: "bench/page",
  publicDir: false,
  base: "./",
  worker: { format: "es" },
  build: { outDir: "../../dist/bench", emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
});
