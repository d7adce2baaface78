import type { Writable } from "node:stream";
import { WeirError } from "../engine/index.ts";

/**
 * Bytes to a stream that may be slow, or gone: `write` settles when the stream takes more, so that whoever makes the rows
 * is held back. A reader that went away (`weir run … | head -1`) is no error: what follows is dropped, and `onClosed` is told once.
 */
export class RowOutput {
  private readonly stream: Writable;
  private readonly onClosed: () => void;
  private closed = false;
  private failure: WeirError | undefined = undefined;
  private waiting: (() => void)[] = [];

  constructor(stream: Writable, onClosed: () => void) {
    this.stream = stream;
    this.onClosed = onClosed;
    stream.on("error", this.onError).on("drain", this.wake);
  }

  /** @throws WeirError `output-failed` when the stream fails, other than by losing its reader */
  async write(bytes: Uint8Array): Promise<void> {
    this.check();
    if (this.closed || bytes.length === 0 || this.stream.write(bytes)) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.check();
  }

  /**
   * Settles when everything is written.
   * @throws WeirError as `write` does
   */
  async finish(): Promise<void> {
    this.check();
    if (!this.closed) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        this.stream.write("", () => resolve());
      });
    }
    this.stream.off("drain", this.wake);
    this.check();
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  private readonly wake = (): void => {
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  };

  private readonly onError = (error: NodeJS.ErrnoException): void => {
    const gone = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
    if (!gone) this.failure ??= notWritten(error);
    else if (!this.closed) {
      this.closed = true;
      this.onClosed();
    }
    this.wake();
  };
}

function notWritten({ message }: Error): WeirError {
  return new WeirError({
    code: "output-failed",
    domain: "data",
    message: `the rows cannot be written: ${message}`,
    hint: "look at where standard output goes",
  });
}
