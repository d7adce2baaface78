import type { SocketConnection, SocketEnd, SocketListener } from "../../base/sockets.ts";

export interface InboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

export interface Received {
  readonly data: string | Uint8Array;
  readonly id: string | undefined;
}

/**
 * Messages between a connection and its source, within bounds: where the connection can be paused the sender waits while they are
 * reached, otherwise the oldest messages give way and are counted.
 */
export class Inbox implements SocketListener {
  /** Where the connection was closed, and why: behind all messages. */
  end: SocketEnd | undefined;
  isOpen = false;
  /** Messages that gave way since `takeDropped`. */
  private dropped = 0;
  /** Asked for by the server. */
  retryMs: number | undefined;
  /** Of the newest message that has one: from there a server of events can go on. */
  lastEventId: string | undefined;
  private readonly limits: InboxLimits;
  private queue: Received[] = [];
  private head = 0;
  private bytes = 0;
  private connection: SocketConnection | undefined;
  private isPaused = false;
  private wake: (() => void) | undefined;

  constructor(limits: InboxLimits, lastEventId: string | undefined) {
    this.limits = limits;
    this.lastEventId = lastEventId;
  }

  /** A new connection will say what comes; what is here stays. */
  follow(connect: (listener: SocketListener) => SocketConnection): void {
    this.end = undefined;
    this.isOpen = false;
    this.isPaused = false;
    this.connection = connect(this);
  }

  opened(): void {
    this.isOpen = true;
    this.tell();
  }

  retry(ms: number): void {
    this.retryMs = ms;
  }

  message(data: string | Uint8Array, id: string | undefined): void {
    this.queue.push({ data, id });
    this.bytes += data.length;
    this.lastEventId = id ?? this.lastEventId;
    if (this.isFull) this.holdUp();
    this.tell();
  }

  closed(end: SocketEnd): void {
    this.end = end;
    this.tell();
  }

  /** Up to `most` messages, the oldest first. */
  take(most: number): Received[] {
    const taken = this.queue.slice(this.head, this.head + most);
    this.forget(taken.length);
    if (this.isPaused && this.size <= this.limits.messages / 2 && this.bytes <= this.limits.bytes / 2) {
      this.isPaused = false;
      this.connection?.resume();
    }
    return taken;
  }

  takeDropped(): number {
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }

  /** Settles when there is something new. */
  arrival(): Promise<void> {
    if (this.size > 0 || this.end !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  close(): void {
    this.connection?.close();
    this.connection = undefined;
    this.tell();
  }

  private get size(): number {
    return this.queue.length - this.head;
  }

  private get isFull(): boolean {
    return this.size > this.limits.messages || this.bytes > this.limits.bytes;
  }

  private holdUp(): void {
    if (this.connection?.canPause === true) {
      if (!this.isPaused) this.connection.pause();
      this.isPaused = true;
      return;
    }
    while (this.isFull && this.size > 1) {
      this.forget(1);
      this.dropped++;
    }
  }

  private forget(count: number): void {
    for (let i = this.head; i < this.head + count; i++) this.bytes -= this.queue[i]?.data.length ?? 0;
    this.head += count;
    if (this.head * 2 < this.queue.length) return;
    this.queue = this.queue.slice(this.head);
    this.head = 0;
  }

  private tell(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
