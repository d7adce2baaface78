import { WeirError } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";

const refuse = (path: string): never => {
  throw new WeirError({ code: "file-not-found", domain: "data", file: path, message: "there are no files here" });
};

/** For graphs that touch no file. */
export const noFiles: FileStore = {
  open: (path) => refuse(path),
  create: (path) => refuse(path),
  rename: (from) => refuse(from),
  remove: (path) => refuse(path),
  list: () => [],
};
