/** The door for the entries of task hosts: what a worker needs to run its part of a graph, and nothing else, so that it starts fast. */

export { WeirError } from "./base/errors.ts";
export type { FileStore, ReadableFile, WritableFile } from "./base/files.ts";
export type { Interrupter } from "./base/interrupter.ts";
export { runHost } from "./execution/host.ts";
export type { FromHost, HostHandle, ToHost } from "./execution/protocol.ts";
export { type AttachedData, AttachedFiles } from "./formats/attached-files.ts";
