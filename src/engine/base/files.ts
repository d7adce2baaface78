/** The world's files as a port: Node's file system, files dropped onto a page, data attached to a document. */

export interface ReadableFile {
  /** For messages: what the person called it. */
  readonly name: string;
  /** Bytes; `undefined` for a stream whose end is not known (stdin). */
  readonly size: number | undefined;
  /** Up to `length` bytes from `offset`; fewer only at the end. Private memory, the caller's to keep. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * A file being written. Calls are synchronous, because a barrier must know that what came before it is down (F-42);
 * the page keeps the bytes in memory and offers a download.
 */
export interface WritableFile {
  write(bytes: Uint8Array): void;
  /** Makes what was written durable. */
  sync(): void;
  close(): void;
}

export interface FileStore {
  /** @throws WeirError `file-not-found`, `file-unreadable` naming the file */
  open(path: string): Promise<ReadableFile>;
  /** Creates or truncates; makes folders as needed. */
  create(path: string): WritableFile;
  /** Atomic within a folder; replaces the target. */
  rename(from: string, to: string): void;
  /** A file that is not there is no error. */
  remove(path: string): void;
  /** Names of the files directly in a folder; empty when it does not exist. @throws WeirError `file-unreadable` */
  list(folder: string): string[];
}
