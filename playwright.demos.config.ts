import base from "./playwright.config.ts";

/** `npm run demo`: the demos at a pace that a person can follow, in a window or recorded (scripts/demo.mjs). */
export default { ...base, testDir: "e2e/demos", timeout: 300_000, use: { ...base.use, trace: "off" as const } };
