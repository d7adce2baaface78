import { type FileStore, type ReadableFile, WeirError, type WritableFile } from "../engine/host.ts";

/** Files of a page as they are posted to a worker. */
export interface PostedFiles {
  /** By the path that the document uses; attached data under `attached:NAME`. */
  readonly blobs: ReadonlyMap<string, Blob>;
}

/**
 * The page's files. What is read stays where the browser has it, and comes in blocks. What is written is kept in memory and told
 * whole when it becomes visible: closed under a name without a dot before it, or renamed to one.
 */
export class PageFiles implements FileStore {
  private readonly blobs: ReadonlyMap<string, Blob>;
  private readonly written = new Map<string, Uint8Array[]>();
  private readonly show: (path: string, bytes: Uint8Array) => void;

  constructor(files: PostedFiles, show: (path: string, bytes: Uint8Array) => void) {
    this.blobs = files.blobs;
    this.show = show;
  }

  open(path: string): Promise<ReadableFile> {
    const blob = this.blobs.get(path);
    if (blob !== undefined) return Promise.resolve(readable(path, blob));
    return Promise.reject(
      new WeirError({
        code: "file-not-found",
        domain: "data",
        file: path,
        message: `there is no file ${JSON.stringify(path)} in this page`,
        hint: "drop the file onto the source",
      }),
    );
  }

  create(path: string): WritableFile {
    const pieces: Uint8Array[] = [];
    this.written.set(path, pieces);
    return new PageFile(pieces, this, path);
  }

  rename(from: string, to: string): void {
    const pieces = this.written.get(from);
    if (pieces === undefined) return;
    this.written.delete(from);
    this.written.set(to, pieces);
    this.tell(to);
  }

  remove(path: string): void {
    this.written.delete(path);
  }

  list(folder: string): string[] {
    const prefix = folder.endsWith("/") ? folder : `${folder}/`;
    return [...this.written.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }

  /** Not of a file whose name begins with a dot: it is staged. */
  tell(path: string): void {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!name.startsWith(".")) this.show(path, joined(this.written.get(path) ?? []));
  }
}

/** Its state is in no closure, so that a keyframe of the lab can copy it together with its store. */
class PageFile implements WritableFile {
  private readonly pieces: Uint8Array[];
  private readonly files: PageFiles;
  private readonly path: string;

  constructor(pieces: Uint8Array[], files: PageFiles, path: string) {
    this.pieces = pieces;
    this.files = files;
    this.path = path;
  }

  write(bytes: Uint8Array): void {
    this.pieces.push(bytes.slice());
  }

  sync(): void {}

  close(): void {
    this.files.tell(this.path);
  }
}

function readable(name: string, blob: Blob): ReadableFile {
  return {
    name,
    size: blob.size,
    read: async (offset, length) => {
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (error) {
        throw gone(name, error);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The browser hands out only what a file was when it was chosen. */
function gone(name: string, error: unknown): WeirError {
  return new WeirError({
    code: "file-unreadable",
    domain: "data",
    file: name,
    message: `${name} can no longer be read: since it was chosen it was changed, moved or deleted`,
    hint: "drop the file onto the source again",
    cause: String(error),
  });
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
