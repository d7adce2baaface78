import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/lib/chromium.mjs";

const port = Number(process.env["WEIR_E2E_PORT"] ?? 4411);
const root = process.getuid?.() === 0;

/** The page's tests run against the production build, served with the isolation headers by the project's own server. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    // A trace films every test, which a small machine has no time for: ask for one with --trace retain-on-failure.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium() ?? "chromium",
      chromiumSandbox: !root,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        ...(root ? ["--no-sandbox"] : []),
      ],
    },
  },
  webServer: [
    { port, options: [] },
    // A host that sends no headers of its own, and has the page under a path: isolation.spec.ts.
    { port: port + 1, options: ["--no-isolation", "--base", "/under/a/path/"] },
  ].map((server) => ({
    command: ["node scripts/serve.mjs --strict-port --until-input-ends --port", server.port, ...server.options].join(
      " ",
    ),
    port: server.port,
    reuseExistingServer: false,
    timeout: 30_000,
  })),
});
