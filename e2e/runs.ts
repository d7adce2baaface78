import type { Page } from "@playwright/test";

type Condition = Parameters<Window["weir"]["waitFor"]>[0];
type Status = ReturnType<Window["weir"]["status"]>;

/** A machine that does something else as well takes its time to start workers. */
const PATIENCE_MS = 45_000;
export const SLOWLY = { timeout: PATIENCE_MS };

export const life = (page: Page): Promise<Status["life"]> => page.evaluate(() => window.weir.status().life);

export async function load(page: Page, graph: object): Promise<void> {
  await page.evaluate((document) => window.weir.load(document), graph);
}

export async function waitFor(page: Page, condition: Condition): Promise<void> {
  await page.evaluate(([what, timeoutMs]) => window.weir.waitFor(what, { timeoutMs }), [
    condition,
    PATIENCE_MS,
  ] as const);
}

export async function cancel(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.weir.cancel();
    return window.weir.outcome();
  });
}

/** Lets the run's clock go on; it does so while the run is paused, too. */
export async function clockGoesOn(page: Page, ms: number): Promise<void> {
  await page.evaluate(async (much) => {
    const until = window.weir.probes().nowMs + much;
    while (window.weir.probes().nowMs < until) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, ms);
}

export interface Aligned {
  readonly epoch: number;
  /** Inputs that were waited for when it was first seen. */
  readonly missing: readonly string[];
  /** Messages held, as they were seen frame by frame; a number that stays is told once. */
  readonly held: readonly number[];
}

/** Watches an alignment of a node from its begin on until it is over; of several the first in which anything was held. */
export async function watchAlignment(page: Page, node: string): Promise<Aligned> {
  return page.evaluate(
    async ([id, timeoutMs]) => {
      const { weir } = window;
      await weir.waitFor({ aligning: { node: id, held: 1 } }, { timeoutMs });
      const held: number[] = [];
      const [first] = weir.probes().aligning;
      if (first === undefined) throw new Error("the alignment was over at once");
      for (;;) {
        const now = weir.probes().aligning.find(({ task, epoch }) => task === first.task && epoch === first.epoch);
        const count = now?.held ?? 0;
        if (count !== held.at(-1)) held.push(count);
        if (now === undefined) return { epoch: first.epoch, missing: first.missing, held };
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [node, PATIENCE_MS] as const,
  );
}
