import type { ToHost } from "../../src/engine/parts.ts";
import { type JobRequest, serve } from "../worker/serve.ts";

/** The part of a worker's global scope that is used here; this folder is checked with a page's declarations. */
interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: JobRequest | ToHost }) => void) | null;
}

const scope = globalThis as unknown as Scope;

serve({
  post: (message) => scope.postMessage(message),
  onMessage: (listener) => {
    scope.onmessage = ({ data }) => listener(data);
  },
});
