import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These start workers or processes and take longest: begun last, they would leave a core without work at the end. */
const LONG = /\/(cli|bench|workers\/node|engine\/testing|execution\/lab)\/|\.threads\.test/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx", "bench/**/*.test.ts", "scripts/**/*.test.mjs"],
    environment: "node",
    // Processes, not threads: tests start worker_threads themselves and look for those that were left behind.
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    // A filter that matches nothing is a mistake of whoever typed it.
    passWithNoTests: false,
  },
});
