/** What a signal does to a run. */
export interface Interruptible {
  stop(): void;
  cancel(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A launcher such as npx passes on the Ctrl-C that the terminal sent to its whole group: that is one key press, not two. */
const SAME_PRESS_MS = 250;

/**
 * The first Ctrl-C stops the run with a final epoch, the second cancels it, a third ends the process as if nobody listened.
 * Answers how to stop listening.
 */
export function onInterrupts(run: Interruptible): () => void {
  let pressed = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const listener = (): void => {
    const nowMs = performance.now();
    const again = nowMs - lastMs < SAME_PRESS_MS;
    lastMs = nowMs;
    if (again) return;
    pressed++;
    if (pressed === 1) run.stop();
    else {
      quit();
      run.cancel();
    }
  };
  const quit = (): void => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return quit;
}
