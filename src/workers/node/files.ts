import { type AttachedData, AttachedFiles, type FileStore } from "../../engine/host.ts";
import { FolderFiles } from "./file-store.ts";

/** What it takes to open the files of a document; plain data, which a worker is sent. */
export interface NodeFiles {
  /** Relative paths start here. */
  readonly folder: string;
  /** What the document carries. */
  readonly attached: Readonly<Record<string, AttachedData>>;
}

export function openFiles({ folder, attached }: NodeFiles): FileStore {
  return new AttachedFiles(attached, new FolderFiles(folder));
}
