import { expect, type Page, test } from "@playwright/test";
import { doing, identityModule, op } from "../src/engine/testing/wasm-modules.ts";
import { life, load, SLOWLY } from "./runs.ts";
import { Workbench } from "./workbench.ts";

/** Three rows through a module that the document carries. */
function graph(module: Uint8Array, config: Record<string, unknown> = {}, carried = true) {
  const schema = [
    { name: "city", type: "utf8" },
    { name: "people", type: "int64" },
  ];
  const rows = [
    ["Lima", 3],
    ["Oslo", "9007199254740993"],
    [null, 5],
  ];
  return {
    format: "weir.graph/v1",
    name: "through a module",
    nodes: [
      { id: "rows", kind: "source.rows", config: { schema, rows }, ui: { x: 0, y: 0 } },
      {
        id: "step",
        kind: "compute",
        config: { module: "attached:step.wasm", output: schema, ...config },
        ui: { x: 360, y: 0 },
      },
      { id: "table", kind: "sink.table", config: {}, ui: { x: 720, y: 0 } },
    ],
    edges: [
      { id: "a", from: "rows", to: "step" },
      { id: "b", from: "step", to: "table" },
    ],
    ...(carried && {
      data: { "step.wasm": { encoding: "base64", content: Buffer.from(module).toString("base64") } },
    }),
  };
}

const rowsOf = (page: Page): Promise<unknown> => page.evaluate(() => window.weir.rows("table"));

test.describe("a step that runs a module", () => {
  test("a shared link runs no code of its own before the person agrees, once for each module", async ({
    page,
    browser,
  }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("module.json", JSON.stringify(graph(identityModule())));
    await page.getByTestId("share").click();
    const link = await page.getByTestId("share-link").inputValue();

    const elsewhere = await browser.newContext();
    const there = new Workbench(await elsewhere.newPage());
    await there.page.goto(link);
    await expect(there.nodes).toHaveCount(3);
    const asked = there.page.getByTestId("foreign-code");
    await there.page.getByTestId("run").click();
    await expect(asked).toContainText("attached:step.wasm");
    await expect(asked).toContainText("in step");
    expect(await life(there.page)).toBe("idle");

    await there.page.getByRole("button", { name: "Close this notice" }).click();
    await expect(asked).toBeHidden();
    await there.page.keyboard.press("ControlOrMeta+Enter");
    await expect(asked).toBeVisible();
    await expect(there.page.evaluate(() => window.weir.run())).rejects.toThrow(/nobody has agreed/);

    await there.page.getByTestId("accept-code").click();
    await expect(there.page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
    await expect(asked).toBeHidden();
    await there.saved();
    await there.page.reload();
    await there.page.getByTestId("run").click();
    await expect(there.page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);

    // Another module in the same graph is asked about again.
    await load(there.page, graph(doing(op.argument, { globals: [1] })));
    await there.page.getByTestId("run").click();
    await expect(asked).toBeVisible();
    expect(there.complaints).toEqual([]);
    await elsewhere.close();
  });

  test("a module that the person chooses in the form is attached, and runs on threads and in the lab", async ({
    page,
  }) => {
    const bench = new Workbench(page);
    await bench.open();
    await load(page, graph(identityModule(), { module: "none.wasm" }, false));
    await bench.node("step").click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByTestId("choose-module").click();
    await (await chooser).setFiles({
      name: "mine.wasm",
      mimeType: "application/wasm",
      buffer: Buffer.from(identityModule()),
    });
    await expect(bench.field("module")).toHaveValue("attached:mine.wasm");
    for (const executor of ["threads", "lab"] as const) {
      await page.evaluate(async (chosen) => {
        await window.weir.run({ executor: chosen });
        await window.weir.outcome();
      }, executor);
      expect(await rowsOf(page), executor).toEqual([
        ["Lima", "3"],
        ["Oslo", "9007199254740993"],
        [null, "5"],
      ]);
    }
    expect(bench.complaints).toEqual([]);
  });

  for (const executor of ["threads", "lab"] as const) {
    test(`a call that does not return ends the run and names the node: ${executor}`, async ({ page }) => {
      const bench = new Workbench(page);
      await bench.open();
      await load(page, graph(doing([...op.forever, ...op.i32(0)]), { timeoutMs: 300 }));
      await page.evaluate((chosen) => window.weir.run({ executor: chosen, trustModules: true }), executor);
      const text = 'compute node "step" did not return within 300 ms';
      await expect(page.getByTestId("run-failed")).toContainText(text, SLOWLY);
      expect(await life(page)).toBe("failed");
    });
  }
});
