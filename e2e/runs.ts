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
  /** Messages held, as they were seen frame by frame, from 0 before it to 0 after it; a number that stays is told once. */
  readonly held: readonly number[];
}

/** Watches a whole alignment of a node, from before it begins until it is over: the one after that which is under way. */
export async function watchAlignment(page: Page, node: string): Promise<Aligned> {
  return page.evaluate(
    async ([id, timeoutMs]) => {
      const { weir } = window;
      await weir.waitFor({ aligning: { node: id } }, { timeoutMs });
      const task = weir.probes().aligning[0]?.task;
      const held: number[] = [];
      let first: { epoch: number; missing: readonly string[] } | undefined;
      for (;;) {
        const now = weir.probes().aligning.find((each) => each.task === task);
        if (now === undefined && first !== undefined) return { ...first, held: [...held, 0] };
        if (now === undefined) held.splice(0, held.length, 0);
        else if (held.length > 0) {
          first ??= { epoch: now.epoch, missing: now.missing };
          if (now.held !== held.at(-1)) held.push(now.held);
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [node, PATIENCE_MS] as const,
  );
}
