import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { ENDLESS, EXACT, TWO_SPEEDS } from "./run-graphs.ts";
import { cancel, load, SLOWLY, waitFor } from "./runs.ts";
import { SMALL, Workbench } from "./workbench.ts";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/**
 * Serious and critical findings, each as one line. The themes differ in nothing but colours: one of them is asked for these alone.
 * The page has no frames (the legacy mode's only limit), and nobody reads the list of what passed, which costs most of axe's time.
 */
async function findings(page: Page, theme: Theme): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], preload: false });
  const { violations } = await (theme === "light" ? axe.withRules(["color-contrast"]) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`));
}

const BROKEN = {
  ...SMALL,
  nodes: [...SMALL.nodes, { id: "lost", kind: "select", config: { columns: ["amont"] }, ui: { x: 280, y: 140 } }],
  edges: [...SMALL.edges, { id: "e3", from: "rows", to: "lost" }],
};

for (const theme of THEMES) {
  test.describe(`axe finds nothing serious, ${theme}`, () => {
    test.beforeEach(async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await new Workbench(page).open(`?theme=${theme}`);
    });

    test("on the first visit", async ({ page }) => {
      await expect(page.getByTestId("example-backpressure")).toBeVisible();
      expect(await findings(page, theme)).toEqual([]);
    });

    test("with a node and its problems", async ({ page }) => {
      const bench = new Workbench(page);
      await bench.openFile("broken.json", JSON.stringify(BROKEN));
      await page.getByTestId("drawer-tab-problems").click();
      await bench.node("lost").click();
      await expect(page.getByTestId("node-config").getByRole("alert").first()).toBeVisible();
      const columns = page.getByTestId("field-columns");
      await expect(columns).toHaveAttribute("aria-invalid", "true");
      await expect(columns).toHaveAccessibleDescription(/What stays.*no column "amont"/);
      expect(await findings(page, theme)).toEqual([]);
      await bench.node("rows").click();
      expect(await findings(page, theme)).toEqual([]);
      await page.getByTestId("inspector-tab-schema").click();
      expect(await findings(page, theme)).toEqual([]);
    });

    test("with an edge and its route", async ({ page }) => {
      const bench = new Workbench(page);
      await bench.openFile("small.json", JSON.stringify(SMALL));
      await bench.node("rows").click();
      await page.getByTestId("link-e1").click();
      await expect(page.getByTestId("edge-config")).toBeVisible();
      expect(await findings(page, theme)).toEqual([]);
    });

    test("with the commands, the keyboard help and the search for a node open", async ({ page }) => {
      for (const [keys, id] of [
        ["ControlOrMeta+k", "command-list"],
        ["?", "keyboard-help"],
        ["Tab", "add-node-dialog"],
      ] as const) {
        await page.getByTestId("canvas").focus();
        await page.keyboard.press(keys);
        await expect(page.getByTestId(id)).toBeVisible();
        expect(await findings(page, theme), id).toEqual([]);
        await page.keyboard.press("Escape");
        await expect(page.getByTestId(id)).toBeHidden();
      }
    });

    test("with the examples, the share link and a refused file", async ({ page }) => {
      const bench = new Workbench(page);
      await page.getByTestId("welcome-examples").click();
      await expect(page.getByTestId("examples").getByTestId("example-backpressure")).toBeVisible();
      expect(await findings(page, theme)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByTestId("share").click();
      await expect(page.getByTestId("share-link")).toBeVisible();
      expect(await findings(page, theme)).toEqual([]);
      await page.keyboard.press("Escape");
      await bench.openFile("empty.json", "");
      await expect(page.getByTestId("refused")).toContainText("empty");
      expect(await findings(page, theme)).toEqual([]);
    });

    test("while a graph runs, aligns and has failed", async ({ page }) => {
      test.setTimeout(120_000);
      const bench = new Workbench(page);
      await load(page, TWO_SPEEDS);
      await page.getByTestId("run").click();
      await expect(page.getByTestId("aligning")).toBeVisible(SLOWLY);
      await page.evaluate(() => window.weir.pause());
      await waitFor(page, { life: "paused" });
      expect(await findings(page, theme)).toEqual([]);
      await bench.node("meet").click();
      await page.getByTestId("view-tasks").click();
      for (const [drawer, inspector] of [
        ["epochs", "watermarks"],
        ["watermarks", "metrics"],
        ["event-time", "preview"],
        ["log", "schema"],
      ]) {
        await page.getByTestId(`drawer-tab-${drawer}`).click();
        await page.getByTestId(`inspector-tab-${inspector}`).click();
        expect(await findings(page, theme), `${drawer}, ${inspector}`).toEqual([]);
      }
      await cancel(page);

      await load(page, EXACT);
      await page.getByTestId("run").click();
      await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
      await page.getByTestId("drawer-tab-output").click();
      await expect(page.getByTestId("output-grid").getByRole("cell", { name: "ada" })).toBeVisible();
      expect(await findings(page, theme), "output").toEqual([]);

      await load(page, ENDLESS);
      await page.getByTestId("run").click();
      await waitFor(page, { rows: { sink: "table", atLeast: 10 } });
      await page.evaluate(() => window.weir.killHost(window.weir.hostOf(1)));
      await expect(page.getByTestId("run-failed")).toBeVisible();
      expect(await findings(page, theme), "failed").toEqual([]);
    });
  });
}
