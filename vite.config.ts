import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** The page. Its base is relative, so that the built folder works under any path of any static host. */
export default defineConfig({
  root: "src/ui",
  publicDir: "../../public",
  base: "./",
  plugins: [react()],
  // The server puts a fresh nonce in the place of this word (src/cli/static-server.ts).
  html: { cspNonce: "__WEIR_NONCE__" },
  worker: { format: "es" },
  build: {
    outDir: "../../dist/page",
    emptyOutDir: true,
    // The policy allows no data: URLs but for images, so nothing is inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
  server: { headers: isolation },
});
