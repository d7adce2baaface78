import base from "./playwright.config.ts";

/** `npm run bench:page`: how smooth the built page is (bench/README.md). */
export default {
  ...base,
  testDir: "bench/page",
  testMatch: "**/*.measure.ts",
  timeout: 300_000,
  use: { ...base.use, trace: "off" as const },
};
