import { expect, type Page, test } from "@playwright/test";
import {
  type ExecutorUnderTest,
  executorCases,
  type OutcomeUnderTest,
  type RunUnderTest,
} from "../src/engine/testing/executor-contract.ts";
import { Workbench } from "./workbench.ts";

/** A run of the page, driven by `window.weir`. */
class PageRun implements RunUnderTest {
  readonly over: Promise<OutcomeUnderTest>;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    this.over = page.evaluate(outcomeInPage).then(({ rows, ...rest }) => ({ ...rest, rows: new Map(rows) }));
    // Whoever waits for it hears of it.
    this.over.catch(() => undefined);
  }

  rows(sink: string, atLeast: number): Promise<void> {
    return this.page.evaluate((rows) => window.weir.waitFor({ rows }), { sink, atLeast });
  }

  committed(epochs: number): Promise<void> {
    return this.page.evaluate((epochCommitted) => window.weir.waitFor({ epochCommitted }), epochs);
  }

  barrier(): void {
    void this.page.evaluate(() => window.weir.barrier());
  }

  stop(): void {
    void this.page.evaluate(() => window.weir.stop());
  }

  cancel(): void {
    void this.page.evaluate(() => window.weir.cancel());
  }

  pause(): void {
    void this.page.evaluate(() => window.weir.pause());
  }

  resume(): void {
    void this.page.evaluate(() => window.weir.resume());
  }

  kill(task: number): void {
    void this.page.evaluate((id) => window.weir.killHost(window.weir.hostOf(id)), task);
  }
}

async function outcomeInPage() {
  const { weir } = window;
  const { kind, error } = await weir.outcome();
  const { rows, epochs } = weir.status();
  return {
    kind,
    error,
    rows: Object.keys(rows).map((sink): [string, string[]] => [
      sink,
      weir.rows(sink).map((row) => JSON.stringify(row)),
    ]),
    completed: epochs.filter(({ completedMs }) => completedMs !== undefined).map(({ epoch }) => epoch),
    committed: epochs.filter(({ committedMs }) => committedMs !== undefined).map(({ epoch }) => epoch),
  };
}

/** The random graphs run by the dozen in Node; here every fifth of them shows that a page gives the same rows. */
const CASES = executorCases.filter(({ name }) => !/random graph \d*[1-46-9]\b/.test(name));

for (const executor of ["threads", "lab"] as const) {
  test.describe(`the page as an executor: ${executor}`, () => {
    test.describe.configure({ mode: "default" });
    let page: Page;

    test.beforeAll(async ({ browser }) => {
      page = await browser.newPage();
      await new Workbench(page).open();
    });

    test.afterAll(async () => {
      await expect.poll(() => page.workers().length, "workers left after all runs (P-58)").toBe(0);
      await page.close();
    });

    const underTest: ExecutorUnderTest = {
      name: executor,
      start: async (document) => {
        await page.evaluate(
          async ([graph, chosen]) => {
            await window.weir.load(graph);
            await window.weir.run({ executor: chosen });
          },
          [JSON.parse(JSON.stringify(document)) as object, executor] as const,
        );
        return new PageRun(page);
      },
    };
    for (const each of CASES) test(each.name, () => each.run(underTest));
  });
}
