import { type FromHost, runHost, type ToHost } from "../engine/host.ts";
import { PageFiles, type PostedFiles } from "./page-files.ts";

/**
 * A task host in a Web Worker. It holds a Web Lock of its own name for as long as it lives: the lock's release is how its
 * death is noticed, because a browser tells nobody of it (D-16).
 */
const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

scope.onmessage = ({ data }: MessageEvent<ToHost>) => {
  scope.onmessage = null;
  const post = (message: FromHost) => scope.postMessage(message);
  const files = new PageFiles(data.files as PostedFiles, (path, bytes) => post({ kind: "file", path, bytes }));
  void runHost(data, { post, files });
};

void navigator.locks.request(scope.name, () => {
  scope.postMessage("alive");
  return new Promise<never>(() => undefined);
});
