import { BELL_BYTES, type HostRegion, LINE_BYTES } from "./ring-layout.ts";

/** No sleep is longer, whatever was asked: a host looks around four times a second even if all else fails. */
export const MAX_SLEEP_MS = 250;

const BELL = 0;
const SLEEPING = LINE_BYTES / 4;

/** How a sleep ended. `ready`: it never began. */
export type Awakening = "ready" | "rung" | "timed-out";

/** A bell as those see it who ring it. */
export interface Bell {
  /** Wakes the host if it sleeps. What it is to find must have been published, with Atomics, before. */
  ring(): void;
}

/**
 * A host's bell. Wakers publish first and then ring; the host announces its sleep first and then looks once more at all
 * that could have been published. All of it is sequentially consistent, so one of the two always sees the other (P-12).
 */
export class Doorbell implements Bell {
  private readonly words: Int32Array;

  constructor(buffer: SharedArrayBuffer, host: HostRegion) {
    this.words = new Int32Array(buffer, host.bell, BELL_BYTES / 4);
  }

  ring(): void {
    if (Atomics.load(this.words, SLEEPING) === 0) return;
    Atomics.add(this.words, BELL, 1);
    Atomics.notify(this.words, BELL);
  }

  /**
   * Sleeps until rung, at most `maxMs`. `ready` looks at everything that may end the sleep: inputs, outputs that blocked,
   * control, timers, the run word. It is called up to `spins` times before the sleep is announced, and once after.
   * Only where a thread may block: not in a page's main thread, and not where events must be heard.
   */
  sleep(ready: () => boolean, maxMs = MAX_SLEEP_MS, spins = 0): Awakening {
    for (let spin = 0; spin < spins; spin++) if (ready()) return "ready";
    const heard = this.announce();
    try {
      if (ready()) return "ready";
      const end = Atomics.wait(this.words, BELL, heard, Math.min(maxMs, MAX_SLEEP_MS));
      return end === "timed-out" ? "timed-out" : "rung";
    } finally {
      Atomics.store(this.words, SLEEPING, 0);
    }
  }

  /** The same without blocking the thread, for hosts that must hear events meanwhile. */
  async sleepAsync(ready: () => boolean, maxMs = MAX_SLEEP_MS): Promise<Awakening> {
    const heard = this.announce();
    try {
      if (ready()) return "ready";
      const ms = Math.min(maxMs, MAX_SLEEP_MS);
      return await (typeof Atomics.waitAsync === "function" ? this.waitAsync(heard, ms) : this.poll(heard, ms));
    } finally {
      Atomics.store(this.words, SLEEPING, 0);
    }
  }

  private announce(): number {
    const heard = Atomics.load(this.words, BELL);
    Atomics.store(this.words, SLEEPING, 1);
    return heard;
  }

  private async waitAsync(heard: number, ms: number): Promise<Awakening> {
    const wait = Atomics.waitAsync(this.words, BELL, heard, ms);
    if (!wait.async) return wait.value === "timed-out" ? "timed-out" : "rung";
    // Node does not count a pending wait as a reason to live; a timer it does.
    const alive = setTimeout(() => {}, ms + 1);
    try {
      return (await wait.value) === "timed-out" ? "timed-out" : "rung";
    } finally {
      clearTimeout(alive);
    }
  }

  /** Where nothing can wait without blocking: looks at the bell again after turns of the event loop that get longer. */
  private async poll(heard: number, ms: number): Promise<Awakening> {
    const end = performance.now() + ms;
    for (let pause = 0; Atomics.load(this.words, BELL) === heard; pause = Math.min(pause + 1, POLL_MS)) {
      if (performance.now() >= end) return "timed-out";
      await new Promise<void>((resolve) => setTimeout(resolve, pause));
    }
    return "rung";
  }
}

const POLL_MS = 4;
