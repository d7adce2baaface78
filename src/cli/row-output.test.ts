import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { RowOutput } from "./row-output.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stream that takes one chunk at a time, when the test says so. */
class SlowStream extends Writable {
  readonly taken: string[] = [];
  private pending: (() => void) | undefined = undefined;

  constructor() {
    super({ highWaterMark: 4 });
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.taken.push(new TextDecoder().decode(chunk));
    this.pending = done;
  }

  take(): void {
    const done = this.pending;
    this.pending = undefined;
    done?.();
  }

  /** What a pipe does when its reader is gone, or a disk when it is full. */
  fail(code: string): void {
    this.destroy(Object.assign(new Error(code), { code }));
  }
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

describe("rows to a slow stream", () => {
  it("wait until the stream takes more, and are all written before the end", async () => {
    const stream = new SlowStream();
    const output = new RowOutput(stream, () => undefined);
    await output.write(bytes("one"));
    let second = false;
    const written = output.write(bytes("two")).then(() => {
      second = true;
    });
    await turn();
    expect([stream.taken, second]).toEqual([["one"], false]);
    stream.take();
    await turn();
    stream.take();
    await written;
    const finished = output.finish();
    await turn();
    stream.take();
    await finished;
    expect(stream.taken.join("")).toBe("onetwo");
  });

  it("end quietly, and say so once, when their reader goes away", async () => {
    const stream = new SlowStream();
    let closed = 0;
    const output = new RowOutput(stream, () => closed++);
    const waiting = output.write(bytes("more than it holds"));
    stream.fail("EPIPE");
    await waiting;
    await output.write(bytes("dropped"));
    await output.finish();
    expect([closed, stream.taken]).toEqual([1, ["more than it holds"]]);
  });

  it("are an error when the stream fails for another reason, now and at the end", async () => {
    const stream = new SlowStream();
    const output = new RowOutput(stream, () => undefined);
    const waiting = output.write(bytes("more than it holds"));
    stream.fail("ENOSPC");
    await expect(waiting).rejects.toThrow(/cannot be written: ENOSPC/);
    await expect(output.write(bytes("x"))).rejects.toThrow(/ENOSPC/);
    await expect(output.finish()).rejects.toThrow(/ENOSPC/);
  });
});
