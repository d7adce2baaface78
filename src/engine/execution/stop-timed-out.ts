import type { ErrorData } from "../base/errors.ts";

/** The failure of a run that was asked to stop and did not (D-16). `left`: names of the tasks that are still at work. */
export function stopTimedOut(limitMs: number, left: readonly string[]): ErrorData {
  return {
    code: "stop-timeout",
    domain: "engine",
    message: `the run did not stop within ${limitMs} ms; still at work: ${left.join(", ")}`,
    hint: "raise settings.stopTimeoutMs, or cancel",
  };
}
