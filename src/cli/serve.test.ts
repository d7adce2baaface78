import { cpSync, mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { built, PATIENCE_MS, TestFolder, Weir, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

/** A built command line with a page beside it. */
let folder: TestFolder;
let from: string;
beforeAll(() => {
  folder = new TestFolder();
  mkdirSync(folder.file("dist/page"), { recursive: true });
  from = folder.file("dist/node");
  cpSync(built, from, { recursive: true });
  folder.write("package.json", { type: "module", version: "1.2.3" });
});
afterAll(() => folder.remove());

describe("weir serve", () => {
  it("refuses to serve a page that is not built, and says how to build it", async () => {
    expect(await weir(["serve"], { from })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "the page is not built; run npm run build in the project's folder\n",
    });
  });

  it("serves the page with the isolation headers until Ctrl-C, and refuses a port that is taken", async () => {
    folder.write("dist/page/index.html", "<title>Weir</title>");
    const server = new Weir(["serve", "--port", "0"], { from });
    await server.until(({ stdout }) => stdout.includes("\n"));
    const url = /http:\S+/.exec(server.stdout)?.[0] ?? "";
    const response = await fetch(url);
    expect(await response.text()).toBe("<title>Weir</title>");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    const { port } = new URL(url);
    expect(await weir(["serve", "--port", port], { from })).toMatchObject({
      status: 2,
      stderr: `port ${port} is taken; choose another with --port\n`,
    });
    server.signal("SIGINT");
    expect(await server.ended).toMatchObject({ status: 0, stderr: "" });
  });
});
