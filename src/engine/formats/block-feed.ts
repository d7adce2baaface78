import { toErrorData, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";

/** Bytes read at a time. */
export const BLOCK_BYTES = 256 << 10;

/** A file's bytes in blocks of one size, in order, one block read ahead. */
export class BlockFeed {
  private readonly file: ReadableFile;
  private readonly blockBytes: number;
  private offset: number;
  private arrived: Uint8Array | undefined;
  private failure: WeirError | undefined;
  private reading: Promise<void> | undefined;
  private ended = false;

  /** @param offset of the first byte wanted */
  constructor(file: ReadableFile, offset: number, blockBytes = BLOCK_BYTES) {
    this.file = file;
    this.offset = offset;
    this.blockBytes = blockBytes;
  }

  /** Settles when the next block is there, or the end, or an error. */
  wait(): Promise<void> {
    this.reading ??= this.read();
    return this.reading;
  }

  /**
   * The block that was waited for; `undefined` at the end of the file.
   * @throws WeirError `file-unreadable` and whatever the file says
   */
  take(): Uint8Array | undefined {
    if (this.failure !== undefined) throw this.failure;
    const block = this.arrived;
    this.arrived = undefined;
    this.reading = undefined;
    if (block !== undefined && !this.ended) this.reading = this.read();
    return block;
  }

  private async read(): Promise<void> {
    if (this.ended) return;
    try {
      const block = await this.file.read(this.offset, this.blockBytes);
      this.offset += block.length;
      if (block.length < this.blockBytes) this.ended = true;
      if (block.length > 0) this.arrived = block;
    } catch (error) {
      this.failure = new WeirError(
        toErrorData(error, { code: "file-unreadable", domain: "data", file: this.file.name }),
      );
    }
  }
}
