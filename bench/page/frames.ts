import type { CDPSession, Page } from "@playwright/test";

export interface Frames {
  /** Milliseconds between animation frames: what a person sees. */
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
  readonly count: number;
  /** CPU time of the page's main thread for each frame, from a Chromium trace: what the page costs, whatever else the machine does. */
  readonly mainThreadMs: number;
  /** CPU time for each frame of those threads that put the page's layers together and on the screen: without a GPU they do it all. */
  readonly compositingMs: number;
}

/** Counts and traces frames while something is done. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<Frames> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error("the page has no browser of its own");
  const events = await traced(session, async () => {
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
  });
  await session.detach();
  const times = await page.evaluate(() => {
    const { weirFrames } = globalThis as unknown as { weirFrames: { id: number; times: number[] } };
    cancelAnimationFrame(weirFrames.id);
    return weirFrames.times;
  });
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const at = (share: number) => quantile(gaps, share);
  return {
    median: at(0.5),
    p95: at(0.95),
    worst: at(1),
    count: gaps.length,
    mainThreadMs: cpuMs(events, "CrRendererMain") / gaps.length,
    compositingMs: (cpuMs(events, "Compositor") + cpuMs(events, "VizCompositorThread")) / gaps.length,
  };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

async function traced(session: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel"], recordMode: "recordAsMuchAsPossible" },
    transferMode: "ReportEvents",
  });
  await work();
  await session.send("Tracing.end");
  await complete;
  return events;
}

/** Of the thread of that name that did most: the browser has renderers for its own pages, too. */
function cpuMs(events: readonly TraceEvent[], thread: string): number {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args?.name === thread);
  const sums = threads.map(({ pid, tid }) =>
    events
      .filter((event) => event.pid === pid && event.tid === tid && event.name === "ThreadControllerImpl::RunTask")
      .reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0),
  );
  return Math.max(0, ...sums);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
