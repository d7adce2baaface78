import { WeirError } from "../base/errors.ts";
import type { FileStore, ReadableFile, WritableFile } from "../base/files.ts";

/** Files in memory, for tests and for runs that must leave no trace. A path is a name; `./a` and `a` are the same. */
export class MemoryFiles implements FileStore {
  private readonly files = new Map<string, Uint8Array[]>();

  constructor(files: Readonly<Record<string, Uint8Array>> = {}) {
    for (const [path, bytes] of Object.entries(files)) this.files.set(normal(path), [bytes]);
  }

  /** All paths, sorted. */
  get paths(): string[] {
    return [...this.files.keys()].sort();
  }

  /** What a file holds; `undefined` when there is none. */
  bytes(path: string): Uint8Array | undefined {
    const pieces = this.files.get(normal(path));
    if (pieces === undefined) return undefined;
    const bytes = joined(pieces);
    pieces.splice(0, pieces.length, bytes);
    return bytes;
  }

  async open(path: string): Promise<ReadableFile> {
    const bytes = this.bytes(path);
    if (bytes === undefined) {
      throw new WeirError({
        code: "file-not-found",
        domain: "data",
        file: path,
        message: `there is no file ${JSON.stringify(path)}`,
        hint: this.files.size === 0 ? undefined : `the files are ${this.paths.join(", ")}`,
      });
    }
    return readableBytes(path, bytes);
  }

  create(path: string): WritableFile {
    const pieces: Uint8Array[] = [];
    this.files.set(normal(path), pieces);
    return new MemoryFile(pieces);
  }

  rename(from: string, to: string): void {
    const pieces = this.files.get(normal(from));
    if (pieces === undefined) {
      throw new WeirError({ code: "file-not-found", domain: "data", file: from, message: `there is no file ${from}` });
    }
    this.files.delete(normal(from));
    this.files.set(normal(to), pieces);
  }

  remove(path: string): void {
    this.files.delete(normal(path));
  }

  list(folder: string): string[] {
    const prefix = normal(folder) === "" ? "" : `${normal(folder)}/`;
    return this.paths.flatMap((path) => {
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : "";
      return name === "" || name.includes("/") ? [] : [name];
    });
  }
}

/** Its state is in no closure, so that a keyframe of the lab can copy it together with its store. */
class MemoryFile implements WritableFile {
  private readonly pieces: Uint8Array[];

  constructor(pieces: Uint8Array[]) {
    this.pieces = pieces;
  }

  write(bytes: Uint8Array): void {
    this.pieces.push(bytes.slice());
  }

  sync(): void {}

  close(): void {}
}

const normal = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

/** Bytes as an open file. Every read is a copy. */
export function readableBytes(name: string, bytes: Uint8Array): ReadableFile {
  return {
    name,
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
    close: async () => undefined,
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
