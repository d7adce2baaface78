import { type ErrorData, WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { SocketEnd, Sockets } from "../base/sockets.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { SocketSourceConfig } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { BadRowReport } from "./bad-row-report.ts";
import { EventTimeTracker } from "./event-time.ts";
import { NothingSource } from "./nothing-source.ts";
import { numberOf, recordOf } from "./position.ts";
import { Inbox } from "./socket/inbox.ts";
import { type MessageDecoder, messageDecoder } from "./socket/message-decoder.ts";

/** Notes about lost connections and dropped messages that one subtask makes; the rest is counted, or shows in silence. */
const MOST_NOTES = 8;

/**
 * A live feed. Subtask 0 listens; the others are idle from the start and done (D-6, E-4).
 *
 * The position counts the rows sent and keeps the id of the last event among them. A restore asks the server to go on behind it; a WebSocket
 * has no such thing, so what was not sent when the checkpoint was taken is lost (P-18 ends at the socket).
 */
class SocketSource implements Source<Batch> {
  private readonly config: SocketSourceConfig;
  private readonly context: SourceContext;
  private readonly sockets: Sockets;
  private readonly name: string;
  private readonly tracker: EventTimeTracker;
  private readonly report: BadRowReport;
  private readonly inbox: Inbox;
  private readonly decoder: MessageDecoder;
  private records: number;
  private readonly from: number;
  private lastEventId: string | undefined;
  /** Attempts in a row that did not connect. */
  private failures = 0;
  private retryAtMs: number | undefined;
  private notes = 0;

  constructor(config: SocketSourceConfig, context: SourceContext, sockets: Sockets, tracker: EventTimeTracker) {
    const { url, badRows, buffer } = config;
    const saved = recordOf(context.position);
    this.config = config;
    this.context = context;
    this.sockets = sockets;
    this.tracker = tracker;
    this.name = shownAddress(url);
    this.report = new BadRowReport(badRows, this.name, context);
    this.records = numberOf(saved["records"]);
    this.from = this.records;
    this.lastEventId = typeof saved["lastEventId"] === "string" ? saved["lastEventId"] : undefined;
    this.inbox = new Inbox({ messages: buffer.messages, bytes: buffer.mebibytes * 2 ** 20 }, this.lastEventId);
    this.decoder = messageDecoder(config, this.name, this.records);
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
    this.connect();
  }

  poll(output: Output<Batch>): PollResult {
    const dropped = this.tellDropped();
    if (dropped !== undefined) return { kind: "failed", error: dropped };
    if (this.inbox.isOpen) this.failures = 0;
    const messages = this.inbox.take(this.config.batchRows);
    if (messages.length > 0) return this.send(messages, output);
    const { end } = this.inbox;
    return end === undefined ? this.waitForMore(output) : this.afterEnd(end, output);
  }

  private send(messages: ReturnType<Inbox["take"]>, output: Output<Batch>): PollResult {
    try {
      for (const { batch, bad, next } of this.decoder.decode(messages)) {
        const error = this.report.take(bad);
        if (error !== undefined) return { kind: "failed", error };
        this.records = next.records;
        if (batch.rowCount > 0) this.tracker.send(output, batch);
        this.report.route(bad, output);
      }
    } catch (error) {
      if (error instanceof WeirError) return { kind: "failed", error: error.at({ file: this.name }).data };
      throw error;
    }
    for (const { id } of messages) this.lastEventId = id ?? this.lastEventId;
    return { kind: "again" };
  }

  private waitForMore(output: Output<Batch>): PollResult {
    const idleAtMs = this.tracker.quiet(output);
    // With an idle time-out it has to look at the clock; without one it sleeps until something comes.
    return idleAtMs === undefined ? { kind: "pending", ready: this.inbox.arrival() } : { kind: "idle" };
  }

  /** The connection is closed, and all that it brought is sent. */
  private afterEnd(end: SocketEnd, output: Output<Batch>): PollResult {
    if (end.kind === "ended" && this.config.whenEnded === "end") {
      this.report.tell(this.records - this.from);
      return { kind: "done" };
    }
    if (end.kind === "refused") return { kind: "failed", error: this.unreachable("socket-refused", end.reason) };
    if (this.retryAtMs === undefined) {
      const { attempts } = this.config.reconnect;
      if (!this.inbox.isOpen) this.failures++;
      if (attempts > 0 && this.failures >= attempts) {
        return { kind: "failed", error: this.unreachable("socket-unreachable", end.reason) };
      }
      const delayMs = this.delayMs();
      this.retryAtMs = output.nowMs + delayMs;
      this.note("socket-lost", `the connection is closed (${end.reason}); the next attempt is in ${delayMs} ms`);
    }
    const retryAtMs = this.retryAtMs;
    if (output.nowMs >= retryAtMs) {
      this.connect();
      return { kind: "again" };
    }
    return { kind: "idle", wakeAtMs: Math.min(retryAtMs, this.tracker.quiet(output) ?? retryAtMs) };
  }

  private delayMs(): number {
    const { minDelayMs, maxDelayMs } = this.config.reconnect;
    const first = Math.max(minDelayMs, this.inbox.retryMs ?? 0);
    return Math.min(first * 2 ** Math.min(Math.max(0, this.failures - 1), 30), maxDelayMs);
  }

  private connect(): void {
    const { url, protocols, subscribe } = this.config;
    const { lastEventId } = this.inbox;
    this.retryAtMs = undefined;
    this.inbox.follow((listener) => this.sockets.connect({ url, protocols, subscribe, lastEventId }, listener));
  }

  private tellDropped(): ErrorData | undefined {
    const dropped = this.inbox.takeDropped();
    if (dropped === 0) return undefined;
    const message = `${dropped} messages came faster than they were sent on, and gave way to newer ones`;
    if (this.config.buffer.whenFull === "fail") {
      return { ...this.errorOf("socket-overflow", message), hint: "make what follows faster, or hold more messages" };
    }
    this.context.count("evicted", dropped);
    this.note("socket-overflow", message);
    return undefined;
  }

  private unreachable(code: string, reason: string): ErrorData {
    const hint =
      "check the address; in a page, that its policy (connect-src) allows it and that the server allows other origins";
    return { ...this.errorOf(code, `cannot listen to ${this.name}: ${reason}`), hint };
  }

  private errorOf(code: string, message: string): ErrorData {
    return { code, domain: "data", node: this.context.node, file: this.name, message };
  }

  private note(code: string, message: string): void {
    if (this.notes++ < MOST_NOTES) this.context.note(this.errorOf(code, message));
  }

  position(): SnapshotValue {
    return { records: this.records, lastEventId: this.lastEventId ?? null, time: this.tracker.snapshot() };
  }

  stop(): void {
    this.inbox.close();
  }
}

/** An address without what may be secret in it: user, password and query. */
function shownAddress(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, "$1").replace(/[?#].*$/, "");
}

/** @throws WeirError `not-in-lab` */
export async function socketSource(config: SocketSourceConfig, context: SourceContext): Promise<Source<Batch>> {
  const owns = context.subtask === 0;
  const tracker = EventTimeTracker.of(config.time, context, owns ? [0] : []);
  if (context.sockets === undefined) {
    throw new WeirError({
      code: "not-in-lab",
      domain: "graph",
      node: context.node,
      message: "the lab does not listen to the world: what comes from there cannot be repeated",
      hint: "run it on threads, or put a script, a file or a generator in its place",
    });
  }
  if (!owns) return new NothingSource(tracker);
  return new SocketSource(config, context, await context.sockets(), tracker);
}
