/** Connections to the world as a port: pages and Node have them, the lab has none, because what comes from outside cannot be repeated. */

export interface SocketRequest {
  readonly url: string;
  /** WebSocket: sub-protocols that are offered. */
  readonly protocols: readonly string[];
  /** WebSocket: messages that are sent when it is open. */
  readonly subscribe: readonly string[];
  /** Server-sent events: the last id that was seen, from which the server may go on. */
  readonly lastEventId: string | undefined;
}

/** What comes over a connection, in order; nothing comes after `closed`. */
export interface SocketListener {
  opened(): void;
  /** @param id of a server-sent event, where it has one */
  message(data: string | Uint8Array, id: string | undefined): void;
  /** The server asks to wait so long before the next attempt. */
  retry(ms: number): void;
  closed(end: SocketEnd): void;
}

export interface SocketEnd {
  /**
   * `ended`: the server said that it is through. `lost`: may be tried again. `refused`: trying again would not help.
   */
  readonly kind: "ended" | "lost" | "refused";
  readonly reason: string;
}

export interface SocketConnection {
  /** Whether reading can be held up so that the sender waits. */
  readonly canPause: boolean;
  pause(): void;
  resume(): void;
  /** The listener hears nothing more. */
  close(): void;
}

export interface Sockets {
  connect(request: SocketRequest, listener: SocketListener): SocketConnection;
}
