import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These start workers or processes and take longest. */
const LONG = [
  "src/cli/**/*.test.ts",
  "src/workers/node/**/*.test.ts",
  "src/engine/testing/**/*.test.ts",
  "src/engine/execution/lab/**/*.test.ts",
  "src/**/*.threads.test.ts",
  "bench/**/*.test.ts",
];

/** What takes long and is begun last leaves a core without work at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification): boolean => project.name === "alone";
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
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
    projects: [
      // Each file in a process of its own, for what is left behind is looked for in the whole process.
      { extends: true, test: { name: "alone", include: LONG } },
      // Files that follow one another in a process and read the engine's modules once: half of their time.
      {
        extends: true,
        test: {
          name: "together",
          isolate: false,
          include: ["src/**/*.test.ts", "src/**/*.test.tsx", "scripts/**/*.test.mjs"],
          exclude: LONG,
        },
      },
    ],
  },
});
