import { read } from "node:fs";
import { promisify } from "node:util";
import { type ReadableFile, WeirError } from "../../engine/host.ts";

const readFd = promisify(read);
const PIECE_BYTES = 64 << 10;
/** Wait before a terminal that has nothing yet is asked again. */
const RETRY_MS = 20;

/**
 * A pipe, a terminal or another file that can only be read on: standard input. A read from behind the place reached
 * passes over what lies between; one from before it fails. Frozen, so that a keyframe of the lab shares it.
 */
export function sequentialFile(name: string, fd: number, close: () => Promise<void>): ReadableFile {
  const reader = new SequentialReader(name, fd);
  return Object.freeze({
    name,
    size: undefined,
    read: (offset: number, length: number) => reader.read(offset, length),
    close,
  });
}

class SequentialReader {
  private readonly name: string;
  private readonly fd: number;
  private at = 0;
  private ended = false;
  /** Reads go one after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(name: string, fd: number) {
    this.name = name;
    this.fd = fd;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    const next = this.turn.then(() => this.readOn(offset, length));
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async readOn(offset: number, length: number): Promise<Uint8Array> {
    if (offset < this.at) {
      throw new WeirError({
        code: "file-unreadable",
        domain: "data",
        file: this.name,
        message: "a stream can be read only once, and only forward",
        hint: "give the path of a file",
      });
    }
    while (this.at < offset && (await this.piece(offset - this.at)).length > 0);
    const pieces: Uint8Array[] = [];
    let left = length;
    while (left > 0) {
      const piece = await this.piece(left);
      if (piece.length === 0) break;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** At least one byte and at most `most`; none at the end. */
  private async piece(most: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.min(most, PIECE_BYTES));
    while (!this.ended) {
      try {
        const { bytesRead } = await readFd(this.fd, bytes, 0, bytes.length, null);
        this.ended = bytesRead === 0;
        this.at += bytesRead;
        return bytes.subarray(0, bytesRead);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code === "EOF") this.ended = true;
        else if (code !== "EAGAIN") throw error;
        else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return bytes.subarray(0, 0);
  }
}

/** Its descriptor belongs to the process and stays open. */
export const openStandardInput = (): ReadableFile => sequentialFile("standard input", 0, () => Promise.resolve());
