/**
 * The one loop that reads and draws. It turns once a frame while it is on, once when it is asked to, and not at all while the tab
 * is hidden: the browser gives a hidden tab no frames.
 */
export class FrameLoop {
  private readonly listeners = new Set<(nowMs: number) => void>();
  private handle: number | undefined = undefined;
  private on = false;

  /** Answers how to stop listening. Listeners are called in the order in which they came. */
  listen(listener: (nowMs: number) => void): () => void {
    this.listeners.add(listener);
    this.request();
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Turns with every frame from now on, or no longer. */
  turn(on: boolean): void {
    this.on = on;
    this.request();
  }

  /** Turns once more: something else changed. */
  request(): void {
    this.handle ??= requestAnimationFrame((nowMs) => {
      this.handle = undefined;
      if (this.on) this.request();
      for (const listener of this.listeners) {
        try {
          listener(nowMs);
        } catch (error) {
          // What one part cannot draw must not stop the others.
          reportError(error);
        }
      }
    });
  }
}
