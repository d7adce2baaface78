import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { ENDLESS, EXACT, TWO_SPEEDS, UNEVEN_TIMES } from "./run-graphs.ts";
import { cancel, clockGoesOn, life, load, SLOWLY, waitFor, watchAlignment } from "./runs.ts";
import { Workbench } from "./workbench.ts";

test.describe("running a graph", () => {
  test.beforeEach(async ({ page }) => {
    await new Workbench(page).open();
  });

  test("a dropped CSV, a count and a table run to their rows", async ({ page }) => {
    const bench = new Workbench(page);
    const transfer = await page.evaluateHandle(() => {
      const carried = new DataTransfer();
      const text = "city,people\nLima,3\nOslo,4\nLima,5\n";
      carried.items.add(new File([text], "cities.csv", { type: "text/csv" }));
      return carried;
    });
    for (const type of ["dragenter", "dragover", "drop"])
      await bench.canvas.dispatchEvent(type, { dataTransfer: transfer });
    await expect(bench.nodes).toHaveCount(1);
    await bench.addByKeyboard("table");
    await expect(bench.edges).toHaveCount(1);
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
    await page.getByTestId("drawer-tab-output").click();
    await expect(page.getByTestId("output-count")).toHaveText("3 rows");
    await expect(page.getByTestId("output-grid").getByRole("cell", { name: "Oslo" })).toBeVisible();
    expect(bench.complaints).toEqual([]);
  });

  test("a barrier aligns: what is held rises and falls, the missing input is named, epochs commit", async ({
    page,
  }) => {
    await load(page, TWO_SPEEDS);
    await page.getByTestId("run").click();
    const notice = page.getByTestId("aligning");
    await expect(notice).toHaveAttribute("data-missing", "Slow step", SLOWLY);
    await expect(notice).toContainText("Fast source delivered it");
    const { epoch, missing, held } = await watchAlignment(page, "meet");
    expect(missing).toEqual(["Slow step"]);
    expect([held.at(0), held.at(-1)], `held, frame by frame: ${held}`).toEqual([0, 0]);
    expect(Math.max(...held)).toBeGreaterThan(1);
    await waitFor(page, { epochCommitted: epoch });
    await expect(page.getByTestId("epochs-committed")).toHaveText(/[1-9]/);
    await page.getByTestId("drawer-tab-epochs").click();
    await expect(page.getByTestId(`epoch-${epoch}`)).toContainText("committed");
    await expect(page.getByTestId(`epoch-${epoch}`)).toContainText("Meeting point");
    await page.getByTestId("stop").click();
    await expect(page.getByTestId("run-life")).toHaveText("Stopped", SLOWLY);
  });

  test("is paused, goes on, is stopped, edited and run again", async ({ page }) => {
    const bench = new Workbench(page);
    await load(page, ENDLESS);
    await page.getByTestId("run").click();
    await waitFor(page, { rows: { sink: "table", atLeast: 50 } });
    await page.getByTestId("pause").click();
    await expect(page.getByTestId("run-life")).toHaveText("Paused", SLOWLY);
    const issued = () => page.evaluate(() => window.weir.status().issued);
    const before = await issued();
    await clockGoesOn(page, 4 * ENDLESS.settings.barrierEveryMs);
    expect(await issued(), "epochs issued while paused (D-19)").toBe(before);
    await page.getByTestId("resume").click();
    await waitFor(page, { epochCommitted: before + 2 });
    const issuedByHand = await issued();
    await page.getByTestId("barrier").click();
    await waitFor(page, { epochCompleted: issuedByHand + 1 });
    // Undo is of the graph, not of the run (P-59).
    await bench.node("pass").click();
    await page.keyboard.press("ArrowDown");
    await bench.undo();
    await expect(page.getByTestId("undo")).toBeDisabled();
    expect(await life(page)).toBe("running");
    await page.getByTestId("stop").click();
    await expect(page.getByTestId("run-life")).toHaveText("Stopped", SLOWLY);
    expect(await page.evaluate(() => window.weir.rowCount("table"))).toBeGreaterThan(30);

    await bench.node("numbers").click();
    await bench.field("rows").fill("30");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
    expect(await page.evaluate(() => window.weir.rowCount("table"))).toBe(30);
    expect(bench.complaints).toEqual([]);
  });

  test("a graph with problems is not run: they are listed", async ({ page }) => {
    const broken = { ...ENDLESS, nodes: ENDLESS.nodes.map((node) => ({ ...node, config: { nonsense: 1 } })) };
    await load(page, broken);
    await page.getByTestId("run").click();
    await expect(page.getByTestId("drawer-tab-problems")).toHaveAttribute("aria-selected", "true");
    expect(await life(page)).toBe("idle");
  });

  test("the grid shows every digit, NULL apart from text, and the downloads hold the same", async ({ page }) => {
    await load(page, EXACT);
    await page.getByTestId("run").click();
    await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
    await page.getByTestId("drawer-tab-output").click();
    const grid = page.getByTestId("output-grid");
    for (const text of [
      "9007199254740993",
      "-9223372036854775808",
      "2024-06-01T12:00:00.123456Z",
      "1234567890123456.7890",
    ]) {
      await expect(grid.getByRole("cell", { name: text })).toBeVisible();
    }
    await expect(grid.locator("[data-null=true]")).toHaveCount(3);
    const text = async (format: string): Promise<string> => {
      await page.getByTestId("output-download").click();
      const file = page.waitForEvent("download");
      await page.getByTestId(`download-${format}`).click();
      return readFileSync(await (await file).path(), "utf8");
    };
    expect((await text("ndjson")).split("\n")[0]).toBe(
      '{"id":9007199254740993,"word":"ada","at":"2024-06-01T12:00:00.123456Z","price":"1234567890123456.7890"}',
    );
    expect((await text("csv")).split("\n").slice(0, 3)).toEqual([
      "id,word,at,price",
      "9007199254740993,ada,2024-06-01T12:00:00.123456Z,1234567890123456.7890",
      '-9223372036854775808,"",,0.0001',
    ]);
    expect((await text("arrow")).slice(0, 6)).toBe("ARROW1");
  });

  test("every node shows its first rows before anything runs", async ({ page }) => {
    const bench = new Workbench(page);
    await load(page, EXACT);
    await bench.node("rows").click();
    await page.getByTestId("inspector-tab-preview").click();
    await expect(page.getByTestId("preview").getByRole("cell", { name: "9007199254740993" })).toBeVisible();
    await bench.node("table").click();
    await expect(page.getByTestId("preview").getByRole("cell", { name: "9007199254740993" })).toBeVisible();
    expect(await life(page)).toBe("idle");
  });

  test("the timeline shows each task, stands still when asked, and leaves as a trace", async ({ page }) => {
    await load(page, TWO_SPEEDS);
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await page.getByTestId("drawer-tab-timeline").click();
    await page.getByTestId("timeline-rows").focus();
    await page.keyboard.press("+");
    await expect(page.getByTestId("timeline-span")).toHaveText("last 4 s");
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("timeline-follow")).toBeVisible();
    await page.keyboard.press("End");
    await expect(page.getByTestId("timeline-hold")).toBeVisible();
    const file = page.waitForEvent("download");
    await page.getByTestId("export-trace").click();
    const trace = JSON.parse(readFileSync(await (await file).path(), "utf8")) as {
      traceEvents: { ph: string; name: string }[];
    };
    expect(trace.traceEvents.some(({ name }) => name === "barrier 1")).toBe(true);
    expect(trace.traceEvents.some(({ ph, name }) => ph === "X" && name === "Working")).toBe(true);
    await cancel(page);
    // Painted strip by strip while time went by, it looks as if painted at once.
    const farthest = await page
      .getByTestId("timeline-rows")
      .locator("canvas")
      .evaluate(async (element) => {
        const canvas = element as HTMLCanvasElement;
        const context = canvas.getContext("2d");
        const frames = async (count: number) => {
          for (let i = 0; i < count; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
        };
        // Not its left end, where a bar that goes on from before may begin round or straight.
        const pixels = () => [...(context?.getImageData(200, 0, canvas.width - 200, canvas.height).data ?? [])];
        let before: string;
        do {
          before = canvas.toDataURL();
          await frames(20);
        } while (canvas.toDataURL() !== before);
        const strips = pixels();
        // Other colours, or the same anew: then all of it is painted.
        const { dataset } = document.documentElement;
        dataset["mantineColorScheme"] = dataset["mantineColorScheme"] ?? "light";
        await frames(6);
        return pixels().reduce((most, value, index) => Math.max(most, Math.abs(value - (strips[index] ?? 0))), 0);
      });
    expect(farthest).toBeLessThan(64);
  });

  test("times say which input holds them back, and why", async ({ page }) => {
    const bench = new Workbench(page);
    await load(page, UNEVEN_TIMES);
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await bench.node("meet").click();
    await page.getByTestId("inspector-tab-watermarks").click();
    await expect(page.getByTestId("node-watermarks")).toContainText("Combined time");
    await expect(page.getByTestId("why-not-further")).toContainText("Behind");
    await page.getByTestId("drawer-tab-watermarks").click();
    await expect(page.getByTestId("watermarks")).toContainText("Meeting point");
    // And how they went on, and what goes over the edges meanwhile.
    await page.getByTestId("drawer-tab-event-time").click();
    await expect(page.getByTestId("event-time")).toContainText(/[1-9]\d* points? of results/);
    await page.getByTestId("inspector-tab-preview").click();
    await expect(page.getByTestId("sample").getByRole("row").nth(1)).toBeVisible();
    await cancel(page);
  });
});
