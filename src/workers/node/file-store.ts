import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FileStore, type ReadableFile, WeirError, type WritableFile } from "../../engine/host.ts";
import { openStandardInput, sequentialFile } from "./sequential-file.ts";

/** Files of a disk. Relative paths start at one folder, that of the document; `-` is standard input. */
export class FolderFiles implements FileStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async open(path: string): Promise<ReadableFile> {
    if (path === "-") return openStandardInput();
    const handle = await open(this.full(path), "r").catch((error: unknown) => {
      throw this.unreadable(path, error);
    });
    try {
      return await opened(path, this.full(path), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  create(path: string): WritableFile {
    const full = this.full(path);
    return told(path, () => {
      makeFolder(dirname(full));
      return new DiskFile(path, openSync(full, "w"));
    });
  }

  rename(from: string, to: string): void {
    told(to, () => renameSync(this.full(from), this.full(to)));
  }

  remove(path: string): void {
    told(path, () => rmSync(this.full(path), { force: true }));
  }

  list(folder: string): string[] {
    try {
      const entries = readdirSync(this.full(folder), { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw new WeirError({
        code: "file-unreadable",
        domain: "data",
        file: folder,
        message:
          codeOf(error) === "ENOTDIR"
            ? "the path is a file, not a folder"
            : `the folder cannot be read (${textOf(error)})`,
        hint: "give the path of a folder that may be read",
      });
    }
  }

  private full(path: string): string {
    return resolve(this.folder, path);
  }

  private unreadable(path: string, error: unknown): WeirError {
    const isMissing = codeOf(error) === "ENOENT";
    return new WeirError({
      code: isMissing ? "file-not-found" : "file-unreadable",
      domain: "data",
      file: path,
      message: isMissing ? `there is no file ${JSON.stringify(path)}` : `the file cannot be read (${textOf(error)})`,
      hint: isMissing ? `it was looked for in ${dirname(this.full(path))}` : "check its permissions",
    });
  }
}

async function opened(path: string, full: string, handle: FileHandle): Promise<ReadableFile> {
  const stats = await handle.stat();
  if (stats.isFile()) return seekableFile(path, full, stats.size, handle);
  if (!stats.isDirectory()) return sequentialFile(path, handle.fd, () => handle.close());
  throw new WeirError({
    code: "file-unreadable",
    domain: "data",
    file: path,
    message: "the path is a folder, not a file",
    hint: "give the path of one file",
  });
}

/**
 * A file that was closed is opened again by the next read: the lab goes back to where a source was before it ended. Frozen, so that
 * a keyframe shares it.
 */
function seekableFile(name: string, full: string, size: number, handle: FileHandle): ReadableFile {
  let current: FileHandle | undefined = handle;
  /** One after the other, so that closing waits for what is being read. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = turn.then(act);
    turn = next.catch(() => undefined);
    return next;
  };
  return Object.freeze({
    name,
    size,
    read: (offset: number, length: number) =>
      inTurn(async () => {
        current ??= await open(full, "r");
        return readFully(current, offset, Math.max(0, Math.min(length, size - offset)));
      }),
    close: () =>
      inTurn(async () => {
        await current?.close();
        current = undefined;
      }),
  });
}

async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === length ? bytes : bytes.slice(0, filled);
}

class DiskFile implements WritableFile {
  private readonly path: string;
  private fd: number | undefined;

  constructor(path: string, fd: number) {
    this.path = path;
    this.fd = fd;
  }

  write(bytes: Uint8Array): void {
    this.use((fd) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    });
  }

  sync(): void {
    this.use(fsyncSync);
  }

  close(): void {
    this.use(closeSync);
    this.fd = undefined;
  }

  private use(act: (fd: number) => void): void {
    const { fd } = this;
    if (fd !== undefined) told(this.path, () => act(fd));
  }
}

/**
 * With the folders that it lies in, one by one: what makes them in one call never ends where the system says of a folder that
 * exists that it does not, as Linux does below /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another task may have made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Does something to a file; what the system says about it is told with the file's name. */
function told<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): WeirError {
  return new WeirError({
    code: "file-unwritable",
    domain: "data",
    file: path,
    message: `the file cannot be written (${textOf(error)})`,
    hint: "check the path, its permissions and the space left",
  });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** `EACCES: permission denied`, without the path that follows. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/, .*/s, "");
