import { expect, test } from "@playwright/test";
import { ENDLESS, SHORT } from "./run-graphs.ts";
import { cancel, load, SLOWLY, waitFor } from "./runs.ts";
import { Workbench } from "./workbench.ts";

test.describe("what can go wrong while a graph runs (P-53, P-58, D-16)", () => {
  test.beforeEach(async ({ page }) => {
    await new Workbench(page).open();
  });

  test("a killed worker fails the run within two seconds, at its node and with its reason; the next run works", async ({
    page,
  }) => {
    await load(page, ENDLESS);
    await page.getByTestId("run").click();
    await waitFor(page, { rows: { sink: "table", atLeast: 20 } });
    const took = await page.evaluate(async () => {
      const from = performance.now();
      window.weir.killHost(window.weir.hostOf(1));
      await window.weir.outcome();
      return performance.now() - from;
    });
    expect(took).toBeLessThan(2000);
    await expect(page.getByTestId("run-failed")).toContainText("died");
    await expect(page.getByTestId("failure-pass")).toContainText("died");
    await expect(page.getByTestId("node-pass")).toHaveAttribute("data-mark", "failed");
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await expect(page.getByTestId("run-failed")).toBeHidden();
    await cancel(page);
  });

  test("the coordinator's worker goes: the run fails with its reason, and the next one works", async ({ page }) => {
    await load(page, ENDLESS);
    await page.getByTestId("run").click();
    await waitFor(page, { rows: { sink: "table", atLeast: 20 } });
    const engine = page.workers().find((worker) => worker.url().includes("engine.worker"));
    await engine?.evaluate(() => self.close());
    await expect(page.getByTestId("run-failed")).toContainText("the worker that coordinates the run is gone");
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await cancel(page);
  });

  test("a worker script that does not load is told, not waited for; once it loads, the graph runs", async ({
    page,
  }) => {
    await page.route("**/engine.worker-*.js", (route) => route.abort());
    await load(page, SHORT);
    await page.getByTestId("run").click();
    await expect(page.getByTestId("run-refused")).toContainText("the engine's worker did not load");
    await page.unroute("**/engine.worker-*.js");
    await page.getByTestId("run").click();
    await expect(page.getByTestId("run-life")).toHaveText("Finished", SLOWLY);
  });

  test("Run pressed twice is one run; a stop before it has begun ends it", async ({ page }) => {
    await load(page, ENDLESS);
    await page.getByTestId("run").dblclick();
    await waitFor(page, { epochCommitted: 1 });
    expect(page.workers().length).toBe(4);
    await cancel(page);
    const outcome = await page.evaluate(async () => {
      const started = window.weir.run();
      window.weir.stop();
      await started;
      return window.weir.outcome();
    });
    expect(outcome.kind).toBe("cancelled");
  });

  test("a reload in the middle of a run ends its workers, and the graph runs again", async ({ page }) => {
    await load(page, ENDLESS);
    await new Workbench(page).saved();
    await page.getByTestId("run").click();
    await waitFor(page, { rows: { sink: "table", atLeast: 20 } });
    const before = page.workers();
    expect(before.length).toBeGreaterThan(1);
    await page.reload();
    await expect(page.getByTestId("node-numbers")).toBeVisible();
    await expect.poll(() => page.workers().filter((worker) => before.includes(worker)).length).toBe(0);
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await cancel(page);
  });

  test("another document ends the run of the one before", async ({ page }) => {
    await load(page, ENDLESS);
    await page.getByTestId("run").click();
    await waitFor(page, { epochCommitted: 1 });
    await page.evaluate(() => window.weir.newDocument());
    await expect(page.getByTestId("run")).toBeVisible();
    await expect.poll(() => page.workers().length).toBe(0);
  });

  test("fifty runs, half of them broken off, leave no worker, and the memory of the page does not grow with them", async ({
    page,
  }) => {
    test.setTimeout(300_000);
    await load(page, SHORT);
    const runs = async (count: number) => {
      await page.evaluate(async (times) => {
        const { weir } = window;
        for (let i = 0; i < times; i++) {
          await weir.run();
          if (i % 2 === 1) weir.cancel();
          const { kind } = await weir.outcome();
          const whole = kind === "finished" && weir.rowCount("table") === 40;
          if (!whole && !(i % 2 === 1 && kind === "cancelled")) throw new Error(`run ${i} ${kind}`);
        }
      }, count);
    };
    const heap = async (): Promise<number> => {
      const session = await page.context().newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      await session.detach();
      return usedSize;
    };
    await runs(6);
    const early = await heap();
    await runs(44);
    expect((await heap()) - early, "bytes of heap after 44 more runs").toBeLessThan(12_000_000);
    await expect.poll(() => page.workers().length).toBe(0);
  });
});
