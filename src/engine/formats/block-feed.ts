import { type ErrorData, toErrorData, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";

/** Bytes read at a time. */
export const BLOCK_BYTES = 256 << 10;

type Outcome = { readonly block: Uint8Array } | { readonly failure: ErrorData };

/** A read on its way: what came of it, once `ready` has settled. It is shared by all who wait for it. */
interface Reading {
  readonly ready: Promise<void>;
  outcome(): Outcome | undefined;
}

/** The outcome is kept where a keyframe of the lab, which copies what it reaches, shares it: the block is for both. */
function startReading(file: ReadableFile, offset: number, length: number): Reading {
  let outcome: Outcome | undefined;
  const ready = file.read(offset, length).then(
    (block) => {
      outcome = { block };
    },
    (error: unknown) => {
      outcome = { failure: toErrorData(error, { code: "file-unreadable", domain: "data", file: file.name }) };
    },
  );
  return { ready, outcome: () => outcome };
}

/** A file's bytes in blocks of one size, in order, one block read ahead. */
export class BlockFeed {
  private readonly file: ReadableFile;
  private readonly blockBytes: number;
  private offset: number;
  private reading: Reading | undefined;
  private ended = false;

  /** @param offset of the first byte wanted */
  constructor(file: ReadableFile, offset: number, blockBytes = BLOCK_BYTES) {
    this.file = file;
    this.offset = offset;
    this.blockBytes = blockBytes;
  }

  /** Settles when the next block is there, or the end, or an error. */
  wait(): Promise<void> {
    this.readAhead();
    return this.reading?.ready ?? Promise.resolve();
  }

  /**
   * The block that was waited for; `undefined` at the end of the file.
   * @throws WeirError `file-unreadable` and whatever the file says
   */
  take(): Uint8Array | undefined {
    const outcome = this.reading?.outcome();
    if (outcome === undefined) return undefined;
    if ("failure" in outcome) throw new WeirError(outcome.failure);
    const { block } = outcome;
    this.offset += block.length;
    this.ended = block.length < this.blockBytes;
    this.reading = undefined;
    this.readAhead();
    return block.length === 0 ? undefined : block;
  }

  private readAhead(): void {
    if (!this.ended) this.reading ??= startReading(this.file, this.offset, this.blockBytes);
  }
}
