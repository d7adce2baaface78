import { expect, test } from "@playwright/test";
import { SLOWLY } from "./runs.ts";
import { Workbench } from "./workbench.ts";

/** In the page. */
function progress(): string {
  const { life, rows, error } = window.weir.status();
  if (life === "failed") return JSON.stringify(error);
  return life === "finished" || Object.values(rows).some((count) => count > 0) ? "goes well" : life;
}

/** A live feed needs its server; of the Nexmark queries, which Node's tests run one by one, one stands for all. */
const runsHere = (id: string): boolean => !/^example-(live-|nexmark\/q(?!5$))/.test(id);

/** Node's tests run every example on threads and in the lab; what a page adds to that, a part of them shows. */
const EVERY = 3;

test("examples of the gallery run, one in three of them", async ({ page }) => {
  await new Workbench(page).open();
  test.setTimeout(240_000);
  const gallery = page.getByRole("dialog", { name: "Examples" });
  const open = async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("examples");
    await page.keyboard.press("Enter");
    await expect(gallery.getByTestId("example-backpressure")).toBeVisible();
  };
  await open();
  const ids = await gallery
    .locator("[data-testid^=example-]")
    .evaluateAll((found) => found.map((each) => (each as HTMLElement).dataset["testid"] ?? ""));
  expect(ids.length).toBeGreaterThan(8);
  for (const id of ids.filter(runsHere).filter((_, index) => index % EVERY === 0)) {
    await test.step(id, async () => {
      if (!(await gallery.isVisible())) await open();
      await gallery.getByTestId(id).click();
      await expect(gallery).toBeHidden();
      await page.getByTestId("run").click();
      // To its end, or to its first rows: slow sources are the point of some.
      await expect.poll(() => page.evaluate(progress), { ...SLOWLY, message: id }).toBe("goes well");
    });
  }
});
