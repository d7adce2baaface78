/** The door for the entries of task hosts: what a worker needs to run its part of a graph, and nothing else, so that it starts fast. */

export { WeirError } from "./base/errors.ts";
export { type AttachedData, AttachedFiles } from "./formats/attached-files.ts";
export type { ReadableFile, FileStore, WritableFile } from "./base/files.ts";
export { type HostPorts, runHost } from "./execution/host.ts";
export type { FromHost, HostHandle, ToHost } from "./execution/protocol.ts";
