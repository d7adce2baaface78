/** What a signal does to a run. */
export interface Interruptible {
  stop(): void;
  cancel(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A launcher such as npx passes on the Ctrl-C that the terminal sent to its whole group: that is one key press, not two. */
const SAME_PRESS_MS = 250;

/**
 * The first Ctrl-C stops the run with a final epoch, the second cancels it, a third ends the process as if nobody listened. It
 * listens from the start, since rows may be out before whoever starts the run hears of it.
 */
export class Interrupts {
  private run: Interruptible | undefined = undefined;
  private presses = 0;
  private lastMs = Number.NEGATIVE_INFINITY;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.listener);
  }

  /** The run is there: what was pressed before holds. */
  attach(run: Interruptible): void {
    this.run = run;
    if (this.presses > 0) run.stop();
    if (this.presses > 1) run.cancel();
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.listener);
  }

  private readonly listener = (): void => {
    const nowMs = performance.now();
    const samePress = nowMs - this.lastMs < SAME_PRESS_MS;
    this.lastMs = nowMs;
    if (samePress) return;
    this.presses++;
    if (this.presses === 1) this.run?.stop();
    else {
      this.close();
      this.run?.cancel();
    }
  };
}
