/**
 * The globals that pages, Web Workers and Node 20 have in common, as far as the engine uses them. A name that is not
 * here (document, process, Buffer…) does not exist for the engine. `core` may use none of them but `structuredClone`;
 * scripts/check-globals.mjs holds that.
 */

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  /** Browsers refuse a destination in shared memory. */
  encodeInto(text: string, destination: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  /** Browsers refuse a source in shared memory. */
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

declare const performance: { now(): number; readonly timeOrigin: number };

declare const crypto: {
  getRandomValues<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(array: T): T;
  randomUUID(): string;
};

declare const console: Record<"debug" | "info" | "log" | "warn" | "error", (...values: unknown[]) => void>;

/** Opaque: a number in a browser, an object in Node. */
interface TimerHandle {
  readonly timerHandle: never;
}
declare function setTimeout(callback: () => void, ms?: number): TimerHandle;
declare function clearTimeout(handle: TimerHandle | undefined): void;
declare function setInterval(callback: () => void, ms?: number): TimerHandle;
declare function clearInterval(handle: TimerHandle | undefined): void;
declare function queueMicrotask(callback: () => void): void;

type Transferable = ArrayBuffer | MessagePort;
declare function structuredClone<T>(value: T, options?: { transfer?: Transferable[] }): T;

declare function btoa(binary: string): string;
declare function atob(base64: string): string;

declare class Event {
  constructor(type: string);
  readonly type: string;
}

declare class EventTarget {
  addEventListener(type: string, listener: (event: Event) => void, options?: { once?: boolean }): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
}

interface MessageEvent<T = unknown> extends Event {
  readonly data: T;
}

declare class MessagePort extends EventTarget {
  private constructor();
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  start(): void;
  close(): void;
}

declare class MessageChannel {
  readonly port1: MessagePort;
  readonly port2: MessagePort;
}

declare class AbortSignal extends EventTarget {
  private constructor();
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class URL {
  constructor(url: string, base?: string | URL);
  readonly href: string;
  readonly protocol: string;
  readonly pathname: string;
  toString(): string;
}

interface ReadableStreamReader<T> {
  read(): Promise<{ done: false; value: T } | { done: true; value: undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

declare class ReadableStream<T = unknown> {
  getReader(): ReadableStreamReader<T>;
  cancel(reason?: unknown): Promise<void>;
}

interface Blob {
  readonly size: number;
  readonly type: string;
  slice(start?: number, end?: number): Blob;
  arrayBuffer(): Promise<ArrayBuffer>;
}
