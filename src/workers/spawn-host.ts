import type { FromHost, HostHandle } from "../engine/host.ts";

/**
 * Starts a task host in a Web Worker. A browser tells nobody that a worker is gone: the host holds a Web Lock of its own name for as
 * long as it lives, and whoever gets the lock after it learns of it (D-16).
 */
export function spawnHost(host: number): HostHandle {
  const name = `weir host ${host} ${crypto.randomUUID()}`;
  const worker = new Worker(new URL("./task-host.worker.ts", import.meta.url), { type: "module", name });
  let told = false;
  let hear: (message: FromHost) => void = () => undefined;
  let die: (why: string) => void = () => undefined;
  let isGone: () => void = () => undefined;
  let alive = false;
  const gone = new Promise<void>((resolve) => {
    isGone = resolve;
  });

  const dead = (why: string) => {
    if (told) return;
    told = true;
    die(why);
  };
  const terminate = () => {
    worker.terminate();
    // It never had its lock, so it never ran.
    if (!alive) isGone();
  };
  worker.onmessage = ({ data }: MessageEvent<FromHost | "alive">) => {
    if (data !== "alive") {
      hear(data);
      return;
    }
    alive = true;
    void navigator.locks.request(name, () => {
      isGone();
      dead("it was ended");
    });
  };
  worker.onerror = (event) => {
    terminate();
    // A script that was served without the isolation headers fails without any message.
    dead(event.message || "its script did not load; it must be served with Cross-Origin-Embedder-Policy: require-corp");
  };
  worker.onmessageerror = () => {
    terminate();
    dead("a message from it could not be read");
  };

  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onDeath: (listener) => {
      die = listener;
    },
    kill: () => {
      terminate();
      // A worker in the middle of a loop is stopped by the browser only after seconds: this death is known at once.
      dead("it was ended");
    },
    end: () => {
      told = true;
      terminate();
      return gone;
    },
  };
}
