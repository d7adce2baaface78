import { type Remote, wrap } from "comlink";
import { type EngineApi, type ErrorData, WeirError } from "../../engine/index.ts";

/** A worker that has not said by then that it loaded never will. */
const LOADS_WITHIN_MS = 15_000;

const NOT_LOADED: ErrorData = {
  code: "engine-not-loaded",
  domain: "host",
  message: "the engine's worker did not load",
  hint: "its script must be served, and with the header Cross-Origin-Embedder-Policy: require-corp; then reload the page",
};

const DIED: ErrorData = {
  code: "engine-died",
  domain: "host",
  message: "the worker that coordinates the run is gone",
  hint: "run again",
};

/**
 * The engine's worker and what a browser does not tell of it: that it loaded, and that it is gone. A call to it settles in any case:
 * when the worker fails or is ended, whatever waits for it is rejected (P-53).
 */
export class EngineWorker {
  /** Settles, with the reason, when the worker is gone or was ended. */
  readonly gone: Promise<ErrorData>;
  private readonly api: Remote<EngineApi>;
  private readonly worker: Worker;
  private readonly alive: Promise<void>;
  private readonly watch = new AbortController();
  private tellGone: (reason: ErrorData) => void = () => undefined;
  private reason: ErrorData | undefined = undefined;

  constructor() {
    const name = `weir engine ${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    this.gone = new Promise((resolve) => {
      this.tellGone = resolve;
    });
    this.worker = new Worker(new URL("../../workers/engine.worker.ts", import.meta.url), { type: "module", name });
    this.worker.onerror = (event) => this.lose({ ...NOT_LOADED, ...(event.message ? { cause: event.message } : {}) });
    const late = setTimeout(() => this.lose(NOT_LOADED), LOADS_WITHIN_MS);
    this.alive = new Promise((resolve) => {
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (data !== "alive") return;
        this.worker.removeEventListener("message", hear);
        clearTimeout(late);
        this.worker.onerror = ({ message }) => this.lose({ ...DIED, ...(message ? { cause: message } : {}) });
        this.watchLock(name);
        resolve();
      };
      this.worker.addEventListener("message", hear);
    });
    void this.gone.then(() => clearTimeout(late));
    this.api = wrap<EngineApi>(this.worker);
  }

  /** @throws WeirError when the worker does not load, or goes before it answered */
  async call<T>(ask: (api: Remote<EngineApi>) => Promise<T>): Promise<T> {
    const lost = this.gone.then((reason): never => {
      throw new WeirError(reason);
    });
    await Promise.race([this.alive, lost]);
    return Promise.race([ask(this.api), lost]);
  }

  /** Ends the worker and every worker that it started. */
  end(reason: ErrorData = DIED): void {
    this.lose(reason);
  }

  /** Whoever gets the lock after the worker had it learns that the worker is gone. */
  private watchLock(name: string): void {
    if (!("locks" in navigator)) return;
    const { signal } = this.watch;
    navigator.locks.request(name, { signal }, () => this.lose(DIED)).catch(() => undefined);
  }

  private lose(reason: ErrorData): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.watch.abort();
    this.worker.terminate();
    this.tellGone(reason);
  }
}
