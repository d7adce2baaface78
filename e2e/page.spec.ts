import { gzipSync } from "node:zlib";
import { expect, type Locator, type Request, test } from "@playwright/test";
import { SMALL, Workbench } from "./workbench.ts";

const BUDGET_BYTES = 600_000;

test("the first load asks this origin only, breaks no rule of the policy, and stays under its budget of script", async ({
  page,
}) => {
  const bench = new Workbench(page);
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await bench.open();
  await expect(page.getByTestId("example-backpressure")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const origin = new URL(page.url()).origin;
  const elsewhere = requests.map((request) => request.url()).filter((url) => new URL(url).origin !== origin);
  expect(elsewhere).toEqual([]);

  const scripts = requests.filter((request) => request.resourceType() === "script");
  const bodies = await Promise.all(scripts.map(async (request) => (await request.response())?.body()));
  const bytes = bodies.reduce((sum, body) => sum + (body === undefined ? 0 : gzipSync(body).length), 0);
  test.info().annotations.push({ type: "script", description: `${Math.round(bytes / 1000)} kB gzipped` });
  expect(bytes).toBeLessThan(BUDGET_BYTES);
  expect(bench.complaints).toEqual([]);
});

test("everything fits at 1280 × 720, also at twice the size, and panels remember where they were put", async ({
  page,
}) => {
  const bench = new Workbench(page);
  await bench.open();
  await bench.openFile("small.json", JSON.stringify(SMALL));
  await expect(bench.nodes).toHaveCount(3);
  for (const size of [
    { width: 720, height: 450 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      return { x: scrollWidth - clientWidth, y: scrollHeight - clientHeight };
    });
    expect(overflow).toEqual({ x: 0, y: 0 });
    await expect(page.getByTestId("run")).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId("theme")).toBeInViewport({ ratio: 1 });
  }

  const splitter = page.getByTestId("splitter-inspector");
  await splitter.focus();
  await page.keyboard.press("End");
  const width = await splitter.getAttribute("aria-valuenow");
  await page.getByTestId("toggle-palette").click();
  await expect(page.getByTestId("palette")).toHaveCount(0);
  await page.reload();
  await expect(bench.nodes).toHaveCount(3);
  await expect(splitter).toHaveAttribute("aria-valuenow", String(width));
  await expect(page.getByTestId("palette")).toHaveCount(0);
});

test("a graph that was fitted stays whole when the canvas gets smaller; a view that was moved by hand stays as it is", async ({
  page,
}) => {
  const bench = new Workbench(page);
  await bench.open();
  await bench.openFile("small.json", JSON.stringify(SMALL));
  const zoom = page.getByRole("toolbar", { name: "Zoom" });
  const last = bench.node("table");
  const right = async (of: Locator) => ((await of.boundingBox())?.x ?? 0) + ((await of.boundingBox())?.width ?? 0);
  await page.setViewportSize({ width: 1100, height: 700 });
  await expect.poll(async () => (await right(last)) < (await right(zoom))).toBe(true);
  await page.mouse.move(500, 600);
  await page.mouse.wheel(0, -120);
  const moved = await last.boundingBox();
  await page.getByTestId("toggle-drawer").click();
  await expect(page.getByTestId("drawer-tab-problems")).toBeVisible();
  expect(await last.boundingBox()).toEqual(moved);
});

test("a chosen theme is kept; one from the address is not", async ({ page }) => {
  const bench = new Workbench(page);
  const scheme = page.locator("html");
  await bench.open();
  await page.getByTestId("theme").click();
  await page.getByTestId("theme-dark").click();
  await expect(scheme).toHaveAttribute("data-mantine-color-scheme", "dark");
  await bench.open("?theme=light");
  await expect(scheme).toHaveAttribute("data-mantine-color-scheme", "light");
  await bench.open();
  await expect(scheme).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("from the first visit it takes two clicks to a graph that runs", async ({ page }) => {
  const bench = new Workbench(page);
  await bench.open();
  await page.getByTestId("example-orders-by-country").click();
  await page.getByTestId("run").click();
  await expect(page.getByTestId("run-life")).toBeVisible();
  await expect(page.getByTestId("drawer-tab-output")).toContainText(/[1-9]/);
});
