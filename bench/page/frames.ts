import type { Page } from "@playwright/test";

/** Milliseconds between animation frames of a page: what a person sees of it. */
export interface Frames {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
}

/** Counts frames while something is done; the page is otherwise left alone. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    const count = (now: number) => {
      times.push(now);
      handle.id = requestAnimationFrame(count);
    };
    const handle = { id: requestAnimationFrame(count), times };
    Object.assign(globalThis, { weirFrames: handle });
  });
  await work();
  const times = await page.evaluate(() => {
    const { weirFrames } = globalThis as unknown as { weirFrames: { id: number; times: number[] } };
    cancelAnimationFrame(weirFrames.id);
    return weirFrames.times;
  });
  return framesOf(times);
}

function framesOf(times: readonly number[]): Frames {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = gaps.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { count: gaps.length, median: at(0.5), p95: at(0.95), worst: at(1) };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
