import { WeirError } from "../base/errors.ts";
import type { FileStore, ReadableFile, WritableFile } from "../base/files.ts";
import { fromBase64 } from "../data/base64.ts";
import { encodeUtf8 } from "../data/text.ts";
import { readableBytes } from "./memory-files.ts";

/** A file that a document carries in its `data`. */
export interface AttachedData {
  readonly encoding: "base64" | "text";
  readonly content: string;
}

const PREFIX = "attached:";

/** Answers `attached:NAME` from a document's data and leaves all other paths to the store underneath. Attached files are only read. */
export class AttachedFiles implements FileStore {
  private readonly data: ReadonlyMap<string, AttachedData>;
  private readonly others: FileStore;

  constructor(data: Readonly<Record<string, AttachedData>>, others: FileStore) {
    this.data = new Map(Object.entries(data));
    this.others = others;
  }

  async open(path: string): Promise<ReadableFile> {
    if (!path.startsWith(PREFIX)) return this.others.open(path);
    const name = path.slice(PREFIX.length);
    const attached = this.data.get(name);
    if (attached === undefined) {
      throw new WeirError({
        code: "file-not-found",
        domain: "data",
        file: path,
        message: `no file ${JSON.stringify(name)} is attached to the document`,
        hint: this.data.size === 0 ? "attach it" : `the attached files are ${[...this.data.keys()].join(", ")}`,
      });
    }
    return readableBytes(path, bytesOf(path, attached));
  }

  create(path: string): WritableFile {
    refuseAttached(path);
    return this.others.create(path);
  }

  rename(from: string, to: string): void {
    refuseAttached(from);
    refuseAttached(to);
    this.others.rename(from, to);
  }

  remove(path: string): void {
    refuseAttached(path);
    this.others.remove(path);
  }

  list(folder: string): string[] {
    return folder.startsWith(PREFIX) ? [] : this.others.list(folder);
  }
}

function bytesOf(path: string, { encoding, content }: AttachedData): Uint8Array {
  if (encoding === "text") return encodeUtf8(content);
  const bytes = fromBase64(content.replace(/\s+/g, ""));
  if (bytes !== undefined) return bytes;
  throw new WeirError({
    code: "file-unreadable",
    domain: "data",
    file: path,
    message: "the attached file is no base64",
    hint: "attach it again",
  });
}

function refuseAttached(path: string): void {
  if (!path.startsWith(PREFIX)) return;
  throw new WeirError({
    code: "file-read-only",
    domain: "data",
    file: path,
    message: "an attached file cannot be written",
    hint: "give a path outside of the document",
  });
}
