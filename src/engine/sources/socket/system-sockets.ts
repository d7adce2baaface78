import { errorText } from "../../base/errors.ts";
import type { SocketConnection, SocketEnd, SocketListener, SocketRequest, Sockets } from "../../base/sockets.ts";
import { EventStreamParser } from "./event-stream.ts";

/** What pages, workers and Node have of connections, as far as it is used here. */
interface Platform {
  fetch(url: string, options: object): Promise<Answer>;
  readonly WebSocket?: WebSocketClass;
}

interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ByteReader } | null;
}

interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

type WebSocketClass = new (url: string, protocols: string[]) => AnyWebSocket;

/** A browser's WebSocket, or that of `ws`, which can also pause. */
interface AnyWebSocket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  send(data: string): void;
  close(): void;
  pause?(): void;
  resume?(): void;
}

const platform = globalThis as unknown as Platform;

/** The connections of the page or of Node. */
export const systemSockets: Sockets = {
  connect: (request, listener) =>
    /^wss?:/i.test(request.url) ? new WebSocketLine(request, listener) : new EventStreamLine(request, listener),
};

/** Ended by the server in good order: it is through, or goes away. */
const GOOD_ENDS: ReadonlySet<number> = new Set([1000, 1001]);
/** Closed because of what we said or are: it would be the same again. */
const REFUSALS: ReadonlySet<number> = new Set([1002, 1003, 1007, 1008, 1010]);

class WebSocketLine implements SocketConnection {
  private socket: AnyWebSocket | undefined;
  private listener: SocketListener | undefined;
  private fault = "";

  constructor(request: SocketRequest, listener: SocketListener) {
    this.listener = listener;
    this.open(request).catch((error: unknown) => this.end({ kind: "refused", reason: errorText(error) }));
  }

  get canPause(): boolean {
    return this.socket?.pause !== undefined;
  }

  pause(): void {
    this.socket?.pause?.();
  }

  resume(): void {
    this.socket?.resume?.();
  }

  close(): void {
    this.listener = undefined;
    this.socket?.close();
  }

  private async open({ url, protocols, subscribe }: SocketRequest): Promise<void> {
    // Node 20 has none of its own.
    const Class = platform.WebSocket ?? ((await import("ws")).WebSocket as unknown as WebSocketClass);
    if (this.listener === undefined) return;
    const socket = new Class(url, [...protocols]);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      for (const text of subscribe) socket.send(text);
      this.listener?.opened();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.listener?.message(data, undefined);
      else if (data instanceof ArrayBuffer) this.listener?.message(new Uint8Array(data), undefined);
    };
    socket.onerror = ({ message }) => {
      this.fault = message ?? "";
    };
    socket.onclose = ({ code, reason }) => {
      const why = [`code ${code}`, reason, this.fault].filter((part) => part !== "").join(", ");
      this.end({ kind: GOOD_ENDS.has(code) ? "ended" : REFUSALS.has(code) ? "refused" : "lost", reason: why });
    };
  }

  private end(end: SocketEnd): void {
    const { listener } = this;
    this.listener = undefined;
    listener?.closed(end);
  }
}

/** Statuses after which another attempt may do better. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Server-sent events over `fetch`, which, other than `EventSource`, says what is wrong, and makes the server wait. */
class EventStreamLine implements SocketConnection {
  readonly canPause = true;
  private listener: SocketListener | undefined;
  private readonly abort = new AbortController();
  private paused: Promise<void> | undefined;
  private release: (() => void) | undefined;

  constructor(request: SocketRequest, listener: SocketListener) {
    this.listener = listener;
    this.read(request).then(
      (end) => this.end(end),
      (error: unknown) => this.end({ kind: "lost", reason: reasonOf(error) }),
    );
  }

  pause(): void {
    this.paused ??= new Promise((resolve) => {
      this.release = resolve;
    });
  }

  resume(): void {
    this.release?.();
    this.paused = undefined;
    this.release = undefined;
  }

  close(): void {
    this.listener = undefined;
    this.resume();
    this.abort.abort();
  }

  private async read({ url, lastEventId }: SocketRequest): Promise<SocketEnd> {
    // An empty one is what a server says to have none.
    const id: Record<string, string> = (lastEventId ?? "") === "" ? {} : { "Last-Event-ID": lastEventId as string };
    const headers = { Accept: "text/event-stream", ...id };
    const answer = await platform.fetch(url, { headers, signal: this.abort.signal, cache: "no-store" });
    const refusal = refusalOf(answer);
    if (refusal !== undefined || answer.body === null) return refusal ?? { kind: "ended", reason: "no content" };
    this.listener?.opened();
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventStreamParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.listener === undefined) return { kind: "ended", reason: "the stream ended" };
      for (const item of parser.push(decoder.decode(value, { stream: true }))) {
        if (item.kind === "retry") this.listener?.retry(item.ms);
        else this.listener?.message(item.data, item.id);
      }
      while (this.paused !== undefined) await this.paused;
    }
  }

  private end(end: SocketEnd): void {
    const { listener } = this;
    this.listener = undefined;
    listener?.closed(end);
  }
}

/** `undefined` where the answer is a stream of events. */
function refusalOf({ status, headers }: Answer): SocketEnd | undefined {
  if (status === 204) return { kind: "ended", reason: "status 204" };
  if (status !== 200) {
    return { kind: status >= 500 || PASSING.has(status) ? "lost" : "refused", reason: `status ${status}` };
  }
  const type = headers.get("content-type") ?? "";
  if (/^text\/event-stream\s*(;|$)/i.test(type)) return undefined;
  return { kind: "refused", reason: `the answer is ${type === "" ? "of no type" : type}, not text/event-stream` };
}

/** What `fetch` wraps in an error that says nothing. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? errorText(error) : `${errorText(error)}, ${errorText(cause)}`;
}
