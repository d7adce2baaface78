import { expect, test } from "@playwright/test";
import { SHORT } from "./run-graphs.ts";
import { load, SLOWLY } from "./runs.ts";
import { Workbench } from "./workbench.ts";

/** Where playwright.config.ts serves the same page from a sub-path and without the isolation headers. */
const plain = (baseURL: string | undefined): string => {
  const url = new URL("/under/a/path/", baseURL);
  url.port = String(Number(url.port) + 1);
  return url.href;
};

test("without isolation the page says within two seconds which header is missing, and runs the same graph in the lab", async ({
  page,
  baseURL,
}) => {
  const bench = new Workbench(page);
  await page.goto(plain(baseURL));
  await expect(bench.canvas).toBeVisible();
  const told = page.getByTestId("isolation-reason");
  await expect(told).toBeVisible({ timeout: 2000 });
  await expect(told).toContainText("Cross-Origin-Opener-Policy: same-origin");
  await expect(told).toContainText("Cross-Origin-Embedder-Policy: require-corp");
  expect(await page.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer])).toEqual([false, "undefined"]);

  await load(page, SHORT);
  await page.getByTestId("run").click();
  await expect(page.getByTestId("run-life"), "nothing runs before it was asked for").toBeHidden();
  await page.getByTestId("accept-lab").click();
  await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
  expect(await page.evaluate(() => window.weir.status().executor)).toBe("lab");
  const rows = await page.evaluate(() => window.weir.rows("table").map(([n]) => Number(n)));
  expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  await expect(page.getByTestId("not-isolated")).toBeHidden();
  expect(bench.complaints).toEqual([]);
});
