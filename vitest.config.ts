import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx", "bench/**/*.test.ts", "scripts/**/*.test.mjs"],
    environment: "node",
    // Processes, not threads: tests start worker_threads themselves and look for those that were left behind.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    // A filter that matches nothing is a mistake of whoever typed it.
    passWithNoTests: false,
  },
});
