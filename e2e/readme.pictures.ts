import { expect, type Page, test } from "@playwright/test";
import { cancel, load, SLOWLY, waitFor } from "./runs.ts";
import { Workbench } from "./workbench.ts";

/** Who paid how much, and when. */
const PAID = {
  fields: [
    { kind: "timestamp", name: "at", startMs: 1717243200000, stepMs: 4 },
    { kind: "zipf", name: "customer", values: 400, prefix: "c-" },
    { kind: "uniform", name: "cents", type: "int64", min: 200, max: 90000 },
  ],
  time: { column: "at" },
};

const FOLDER = "docs/images";
const THEMES = ["dark", "light"] as const;

/** Orders, and payments that pass slow checks, meet: barriers of the first wait for those of the second. */
const SHOP = {
  format: "weir.graph/v1",
  name: "Orders and payments",
  settings: { barrierEveryMs: 3000, chaining: false, hosts: "per-task", edgeCapacity: 16 },
  nodes: [
    {
      id: "orders",
      kind: "source.generator",
      name: "Orders",
      config: {
        rows: 0,
        rowsPerSecond: 1200,
        batchRows: 100,
        seed: 5,
        ...PAID,
      },
      ui: { x: 0, y: 0 },
    },
    { id: "large", kind: "filter", name: "Large orders", config: { expression: "cents > 1000" }, ui: { x: 330, y: 0 } },
    {
      id: "payments",
      kind: "source.generator",
      name: "Payments",
      config: {
        rows: 0,
        rowsPerSecond: 300,
        batchRows: 50,
        seed: 6,
        ...PAID,
      },
      ui: { x: 0, y: 260 },
    },
    {
      id: "checks",
      kind: "throttle",
      name: "Fraud checks",
      config: { delayMsPerBatch: 180 },
      ui: { x: 330, y: 260 },
    },
    { id: "both", kind: "union", name: "Ledger", config: {}, ui: { x: 720, y: 0 } },
    {
      id: "windows",
      kind: "window",
      name: "Ten seconds",
      parallelism: 2,
      config: {
        groupBy: ["customer"],
        window: { kind: "tumbling", sizeMs: 10_000 },
        aggregates: [
          { name: "payments", fn: "count" },
          { name: "cents", fn: "sum", column: "cents" },
        ],
      },
      ui: { x: 720, y: 200 },
    },
    {
      id: "results",
      kind: "sink.table",
      name: "Results",
      config: { delivery: "exactly-once", limit: 5000 },
      ui: { x: 720, y: 430 },
    },
  ],
  edges: [
    { id: "orders-large", from: "orders", to: "large" },
    { id: "large-both", from: "large", to: "both" },
    { id: "payments-checks", from: "payments", to: "checks" },
    { id: "checks-both", from: "checks", to: "both" },
    { id: "both-windows", from: "both", to: "windows", route: { kind: "shuffle", columns: ["customer"] } },
    { id: "windows-results", from: "windows", to: "results" },
  ],
};

for (const theme of THEMES) {
  test(`pictures, ${theme}`, async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open(`?theme=${theme}`);
    await expect(page.getByTestId("example-backpressure")).toBeVisible();
    await take(page, `empty-${theme}`);

    await load(page, SHOP);
    await page.getByTestId("zoom-fit").click();
    await bench.node("large").click();
    await expect(bench.field("expression")).toBeVisible();
    await take(page, `editing-${theme}`);

    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 3 });
    await bench.node("both").click();
    await page.getByTestId("inspector-tab-watermarks").click();
    await waitFor(page, { rows: { sink: "results", atLeast: 1 } });
    await expect(page.getByTestId("aligning")).toBeHidden(SLOWLY);
    await take(page, `running-${theme}`);

    // On a busy machine an alignment can be over before its picture is made.
    await expect(async () => {
      await waitFor(page, { aligning: { node: "both", held: 4 } });
      const notice = page.getByTestId("aligning");
      const epoch = await notice.getAttribute("data-epoch", { timeout: 1000 });
      await take(page, `aligning-${theme}`);
      expect(await notice.getAttribute("data-epoch", { timeout: 100 })).toBe(epoch);
    }).toPass(SLOWLY);

    await page.evaluate(() => window.weir.killHost(window.weir.hostOf(3)));
    await expect(page.getByTestId("run-failed")).toBeVisible(SLOWLY);
    await take(page, `failed-${theme}`);
    await cancel(page);
  });
}

/** Nothing is hovered, and what moves in has come to rest. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(2, 898);
  await page.evaluate(() => document.fonts.ready);
  const motions = () => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined)));
  await page.evaluate(motions);
  await page.screenshot({ path: `${process.env["WEIR_PICTURES"] ?? FOLDER}/${name}.png` });
}
