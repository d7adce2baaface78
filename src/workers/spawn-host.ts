import type { FromHost, HostHandle } from "../engine/host.ts";

/** Starts a task host in a Web Worker. */
export function spawnHost(host: number): HostHandle {
  const name = `weir host ${host} ${crypto.randomUUID()}`;
  const worker = new Worker(new URL("./task-host.worker.ts", import.meta.url), { type: "module", name });
  const waiting = new AbortController();
  let ended = false;
  let hear: (message: FromHost) => void = () => undefined;
  let die: (why: string) => void = () => undefined;

  const dead = (why: string) => {
    if (ended) return;
    ended = true;
    worker.terminate();
    die(why);
  };
  worker.onmessage = ({ data }: MessageEvent<FromHost | "alive">) => {
    if (data !== "alive") hear(data);
    // Whoever gets the lock after the worker had it learns that the worker is gone.
    else navigator.locks.request(name, { signal: waiting.signal }, () => dead("it was ended")).catch(() => undefined);
  };
  worker.onerror = (event) => {
    // A script that was served without the isolation headers fails without any message.
    dead(event.message || "its script did not load; it must be served with Cross-Origin-Embedder-Policy: require-corp");
  };
  worker.onmessageerror = () => dead("a message from it could not be read");

  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onDeath: (listener) => {
      die = listener;
    },
    kill: () => worker.terminate(),
    end: () => {
      ended = true;
      waiting.abort();
      worker.terminate();
      return Promise.resolve();
    },
  };
}
