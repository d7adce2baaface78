import { errorText, WeirError } from "../base/errors.ts";
import type { Attempt } from "../base/ids.ts";
import { resetRing } from "./ring-header.ts";
import type { RunLayout } from "./ring-layout.ts";
import { RunWords } from "./run-words.ts";

const WASM_PAGE = 65_536;
const TOUCH_STEP = 4096;

/**
 * The one shared buffer of a run. `memory` is what it belongs to where WebAssembly has shared memory, so that kernels can
 * work on ring slots in place; both can be posted to workers.
 */
export interface RunMemory {
  readonly buffer: SharedArrayBuffer;
  readonly memory: WebAssembly.Memory | undefined;
}

/**
 * Zeroed memory of a fixed size. A shared memory that can grow would make every view of it slow.
 *
 * @throws WeirError `no-shared-memory` in a page without isolation, `out-of-memory` when it cannot be had
 */
export function allocateRunMemory(bytes: number): RunMemory {
  if (typeof SharedArrayBuffer === "undefined") {
    throw new WeirError({
      code: "no-shared-memory",
      domain: "host",
      message: "this page may not share memory between workers",
      hint: "serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp",
    });
  }
  try {
    return wasmMemory(bytes) ?? { buffer: new SharedArrayBuffer(bytes), memory: undefined };
  } catch (error) {
    throw new WeirError({
      code: "out-of-memory",
      domain: "host",
      message: `a run needs ${Math.ceil(bytes / 2 ** 20)} MiB of shared memory, and that much cannot be had`,
      hint: "lower settings.ringBudgetMiB",
      cause: errorText(error),
    });
  }
}

/** `undefined` where WebAssembly is missing or refused. */
function wasmMemory(bytes: number): RunMemory | undefined {
  const pages = Math.ceil(bytes / WASM_PAGE);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    return memory.buffer instanceof SharedArrayBuffer ? { buffer: memory.buffer, memory } : undefined;
  } catch {
    return undefined;
  }
}

/** Touches every page of the first `length` bytes once, so that the first batches do not pay for it (milliseconds a MiB). Changes nothing. */
export function prefault(buffer: SharedArrayBuffer, length = buffer.byteLength): void {
  const bytes = new Uint8Array(buffer, 0, length);
  // A read alone maps the shared page of zeros; only a write brings a page of one's own.
  for (let at = 0; at < bytes.length; at += TOUCH_STEP) Atomics.or(bytes, at, 0);
}

/**
 * Makes the memory ready for an attempt: run words, bells, control rings, probes, paces and ring headers are zero, and every header
 * carries the attempt (D-9). Nobody may be using the memory. Payloads stay as they are: no header leads to them.
 */
export function resetRun(buffer: SharedArrayBuffer, layout: RunLayout, attempt: Attempt): void {
  const firstRing = layout.rings[0]?.header ?? layout.totalBytes;
  new Uint8Array(buffer, layout.runWords, firstRing - layout.runWords).fill(0);
  for (const ring of layout.rings) resetRing(buffer, ring, attempt);
  new RunWords(buffer, layout).begin(attempt);
}
