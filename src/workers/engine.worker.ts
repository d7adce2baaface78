import { expose } from "comlink";
import { EngineService } from "./engine-service.ts";

/**
 * The coordinator's worker: plans, starts and ends runs. It never blocks, so the workers that it starts do start.
 *
 * It holds a Web Lock of its own name for as long as it lives, and says so: that tells its page that it loaded, and later, by the lock's
 * release, that it is gone, of which a browser tells nobody (P-53). A page without a secure context has no locks.
 */
const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

expose(new EngineService());

if ("locks" in navigator) {
  void navigator.locks.request(scope.name, () => {
    scope.postMessage("alive");
    return new Promise<never>(() => undefined);
  });
} else scope.postMessage("alive");
