import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { socketSource as spec } from "../operators/catalog/source-socket.ts";
import { BAD_ROW_SCHEMA, type SocketSourceConfig, schemaOf } from "../operators/catalog.ts";
import type { CellValue } from "../testing/batch-values.ts";
import { context, type RecordingContext, RecordingOutput } from "../testing/stage-kit.ts";
import { EventStreamParser } from "./socket/event-stream.ts";
import { Inbox } from "./socket/inbox.ts";
import { systemSockets } from "./socket/system-sockets.ts";
import { socketSource } from "./socket-source.ts";

const SCHEMA = [
  { name: "id", type: "int64", nullable: false },
  { name: "name", type: "utf8" },
];

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}/feed?token=secret`;
}

/** A server of WebSockets; `serve` is told of each connection, by number from 0. */
async function webSockets(serve: (socket: WebSocket, n: number) => void): Promise<string> {
  const server = createServer();
  let connections = 0;
  new WebSocketServer({ server }).on("connection", (socket) => serve(socket, connections++));
  return `ws://${await listening(server)}`;
}

/** A server of events; `serve` is told of each request. */
async function events(serve: (answer: ServerResponse, request: IncomingMessage, n: number) => void): Promise<string> {
  let requests = 0;
  return `http://${await listening(createServer((request, answer) => serve(answer, request, requests++)))}`;
}

const STREAM = { "Content-Type": "text/event-stream; charset=utf-8" };

class Listening {
  readonly source: Source<Batch>;
  readonly home: RecordingContext;
  readonly output = new RecordingOutput();

  private constructor(source: Source<Batch>, home: RecordingContext) {
    this.source = source;
    this.home = home;
    source.open?.(this.output);
    running.push(() => source.stop?.());
  }

  static async to(url: string, more: object = {}, position?: SnapshotValue): Promise<Listening> {
    const reconnect = { minDelayMs: 100, maxDelayMs: 1000 };
    const config = spec.config.parse({ url, schema: SCHEMA, reconnect, ...more }) as SocketSourceConfig;
    const home = context({ position, outputs: { out: schemaOf(config.schema), bad: BAD_ROW_SCHEMA } });
    return new Listening(await socketSource(config, { ...home, sockets: async () => systemSockets }), home);
  }

  /** One poll, and the wait that it asks for, with a clock of its own. */
  async step(): Promise<PollResult> {
    const result = this.source.poll(this.output);
    if (result.kind === "pending") await result.ready;
    if (result.kind === "idle") {
      await new Promise((resolve) => setImmediate(resolve));
      this.output.nowMs = result.wakeAtMs ?? this.output.nowMs;
    }
    return result;
  }

  /** Until so many rows came, or the source is at its end. */
  async until(rows: number): Promise<PollResult> {
    for (;;) {
      const result = await this.step();
      if (result.kind === "done" || result.kind === "failed") return result;
      if (this.output.batches.reduce((sum, { rowCount }) => sum + rowCount, 0) >= rows) return result;
    }
  }

  get rows(): CellValue[][] {
    return this.output.rows;
  }
}

describe("a WebSocket", () => {
  it("gives the rows of its messages, one or several in each, as text or bytes", async () => {
    const url = await webSockets((socket) => {
      socket.send('{"id":1,"name":"a"}');
      socket.send('{"id":9007199254740993,"name":"Größe 😀"}\n{"id":3}\n');
      socket.send(Buffer.from('{"id":4,"name":null}'));
      socket.close(1000);
    });
    const feed = await Listening.to(url, { whenEnded: "end" });
    expect(await feed.until(100)).toEqual({ kind: "done" });
    expect(feed.rows).toEqual([
      [1n, "a"],
      [9007199254740993n, "Größe 😀"],
      [3n, null],
      [4n, null],
    ]);
    expect(feed.source.position()).toMatchObject({ records: 4, lastEventId: null });
  });

  it("says what it was told to say whenever it is connected, and connects again when it is lost, waiting longer each time", async () => {
    const heard: string[] = [];
    const url = await webSockets((socket, n) => {
      socket.on("message", (data) => {
        heard.push(`${n}: ${data}`);
        socket.send(`{"id":${n}}`, () => (n < 2 ? socket.terminate() : undefined));
      });
    });
    const feed = await Listening.to(url, { subscribe: ["hello"] });
    await feed.until(3);
    expect(feed.rows.map(([id]) => id)).toEqual([0n, 1n, 2n]);
    expect(heard).toEqual(["0: hello", "1: hello", "2: hello"]);
    expect(feed.home.notes.map(({ code }) => code)).toEqual(["socket-lost", "socket-lost"]);
    expect(feed.home.notes[0]?.message).toContain("the next attempt is in 100 ms");
    expect(feed.output.nowMs).toBe(200);
  });

  it("that nobody answers fails after so many attempts, and says where without what may be secret", async () => {
    const url = await webSockets(() => undefined);
    for (const stop of running.splice(0)) stop();
    const reconnect = { minDelayMs: 100, maxDelayMs: 250, attempts: 4 };
    const feed = await Listening.to(url, { reconnect });
    const result = await feed.until(1);
    expect(result).toMatchObject({ kind: "failed", error: { code: "socket-unreachable" } });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(JSON.stringify(result)).toContain("ECONNREFUSED");
    // 100, 200, and then no more than 250.
    expect(feed.output.nowMs).toBe(550);
  });

  it("counts rows that do not fit, routes them, or fails at the first (D-41)", async () => {
    const url = await webSockets((socket) => {
      socket.send('{"id":1}');
      socket.send('{"id":"x"}');
      socket.send("{");
      socket.send('{"id":2}');
      socket.close(1000);
    });
    const routed = await Listening.to(url, { whenEnded: "end", badRows: "route" });
    await routed.until(100);
    expect(routed.rows.filter((row) => row.length === 2).map(([id]) => id)).toEqual([1n, 2n]);
    const bad = routed.rows.filter((row) => row.length === 5);
    expect(bad.map(([from, , raw]) => [String(from).endsWith("/feed"), raw])).toEqual([
      [true, '{"id":"x"}'],
      [true, "{"],
    ]);
    expect(Object.fromEntries(routed.home.counts)).toEqual({ bad: 2, routed: 2 });
    const failing = await Listening.to(url, { badRows: "fail" });
    expect(await failing.until(100)).toMatchObject({ kind: "failed", error: { code: "bad-row", field: "id", row: 2 } });
  });

  it("as text is one column of whole messages; bytes that are no UTF-8 are bad rows", async () => {
    const url = await webSockets((socket) => {
      socket.send("one\ntwo");
      socket.send("");
      socket.send(Buffer.from([255]));
      socket.close(1000);
    });
    const schema = [{ name: "line", type: "utf8" }];
    const feed = await Listening.to(url, { whenEnded: "end", format: "text", schema });
    await feed.until(100);
    expect(feed.rows).toEqual([["one\ntwo"], [""]]);
    expect(Object.fromEntries(feed.home.counts)).toEqual({ bad: 1 });
  });

  it("makes its server wait while nobody takes its messages, and loses none", async () => {
    const text = "x".repeat(1000);
    const url = await webSockets((socket) => {
      for (let i = 0; i < 1000; i++) socket.send(`{"id":${i},"name":"${text}"}`);
      socket.close(1000);
    });
    const feed = await Listening.to(url, { whenEnded: "end", buffer: { messages: 10 }, batchRows: 7 });
    await feed.until(100_000);
    expect(feed.rows.map(([id]) => Number(id))).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(Object.fromEntries(feed.home.counts)).toEqual({});
  });

  it("times its rows, and is idle when nothing came for so long (D-6)", async () => {
    const url = await webSockets((socket) => socket.send('{"id":1000}'));
    const time = { column: "id", idleTimeoutMs: 50 };
    const feed = await Listening.to(url, { time });
    await feed.until(1);
    const from = feed.output.nowMs;
    while (feed.source.poll(feed.output).kind === "idle") feed.output.nowMs += 5;
    expect(feed.output.nowMs - from).toBe(50);
    expect(feed.output.take().filter((act) => "mark" in act)).toEqual([{ mark: 1000 }, { mark: "idle" }]);
  });
});

describe("server-sent events", () => {
  it("give the rows of their data, and go on behind the last id, also after a restore (P-18)", async () => {
    const asked: (string | undefined)[] = [];
    const url = await events((answer, request) => {
      const last = request.headers["last-event-id"] as string | undefined;
      asked.push(last);
      answer.writeHead(200, STREAM);
      const from = Number(last ?? 0);
      for (let i = from + 1; i <= from + 2; i++) answer.write(`id: ${i}\ndata: {"id":${i},"name":"ä"}\ndata:\n\n`);
      // The last event has no end: it is none.
      answer.end(`: the end\ndata: {"id":${from + 3}}\n`);
    });
    const feed = await Listening.to(url);
    await feed.until(4);
    const position = feed.source.position();
    feed.source.stop?.();
    expect(feed.rows.map(([id]) => id)).toEqual([1n, 2n, 3n, 4n]);
    const restored = await Listening.to(url, {}, position);
    await restored.until(2);
    expect(restored.rows.map(([id]) => id)).toEqual([5n, 6n]);
    expect(asked.slice(0, 3)).toEqual([undefined, "2", "4"]);
    expect(restored.source.position()).toMatchObject({ records: 6, lastEventId: "6" });
  });

  it("wait as their server says, and end with 204 where that is the end", async () => {
    const url = await events((answer, _, n) => {
      if (n > 0) answer.writeHead(204).end();
      else answer.writeHead(200, STREAM).end('retry: 700\n\ndata: {"id":1}\n\n');
    });
    const feed = await Listening.to(url);
    while (feed.home.notes.length === 0) await feed.step();
    expect(feed.home.notes[0]?.message).toContain("in 700 ms");
    const ended = await Listening.to(url, { whenEnded: "end" });
    expect(await ended.until(9)).toEqual({ kind: "done" });
    expect(ended.rows).toEqual([]);
  });

  it.each([
    [404, {}, "status 404"],
    [200, { "Content-Type": "text/html" }, "the answer is text/html"],
  ])("are refused at once where another attempt would not help (%s)", async (status, headers, reason) => {
    const url = await events((answer) => answer.writeHead(status, headers).end());
    const result = await (await Listening.to(url)).until(1);
    expect(result).toMatchObject({ kind: "failed", error: { code: "socket-refused" } });
    expect(JSON.stringify(result)).toContain(reason);
  });

  it("are tried again where their server is not well", async () => {
    const url = await events((answer, _, n) => {
      if (n < 2) answer.writeHead(503).end();
      else answer.writeHead(200, STREAM).write('data: {"id":7}\n\n');
    });
    const feed = await Listening.to(url);
    await feed.until(1);
    expect([feed.rows, feed.output.nowMs]).toEqual([[[7n, null]], 300]);
  });

  it("make their server wait while nobody takes them", async () => {
    let sent = 0;
    const url = await events((answer) => {
      answer.writeHead(200, STREAM);
      const more = (): void => {
        while (sent < 3_000) if (!answer.write(`data: {"id":${sent++},"name":"${"x".repeat(4000)}"}\n\n`)) return;
        answer.end();
      };
      answer.on("drain", more);
      more();
    });
    const feed = await Listening.to(url, { whenEnded: "end", buffer: { messages: 10 }, batchRows: 500 });
    await feed.until(1);
    expect(sent).toBeLessThan(3_000);
    await feed.until(100_000);
    expect(feed.rows.map(([id]) => Number(id))).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });
});

describe("the parser of event streams", () => {
  it("gives the same events however the text is cut, with any line ends", () => {
    const text =
      "\ufeff: hi\r\ndata: a\r\ndata\r\ndata:  b\r\n\r\nid: 7\rretry: 30\rdata:c\r\revent: x\nignored\n\ndata: d\nid\n\ndata: cut off\n";
    const all = (pieces: string[]) => {
      const parser = new EventStreamParser();
      return pieces.flatMap((piece) => parser.push(piece));
    };
    const whole = all([text]);
    expect(whole).toEqual([
      { kind: "event", data: "a\n\n b", id: undefined },
      { kind: "retry", ms: 30 },
      { kind: "event", data: "c", id: "7" },
      { kind: "event", data: "d", id: "" },
    ]);
    for (let cut = 0; cut <= text.length; cut++) expect(all([text.slice(0, cut), text.slice(cut)])).toEqual(whole);
    expect(all([...text])).toEqual(whole);
  });
});

describe("the inbox of a connection that cannot be paused", () => {
  it("lets the oldest messages give way, and counts them", () => {
    const inbox = new Inbox({ messages: 3, bytes: 100 }, undefined);
    inbox.follow(() => ({ canPause: false, pause: () => {}, resume: () => {}, close: () => {} }));
    for (let i = 0; i < 5; i++) inbox.message(`${i}`, undefined);
    expect(inbox.takeDropped()).toBe(2);
    expect(inbox.take(9).map(({ data }) => data)).toEqual(["2", "3", "4"]);
    inbox.message("x".repeat(90), undefined);
    inbox.message("y".repeat(90), undefined);
    expect([inbox.takeDropped(), inbox.take(9).length]).toEqual([1, 1]);
  });
});

describe("source.socket", () => {
  it("does not run in the lab, and says why", async () => {
    const config = spec.config.parse({ url: "ws://localhost:1", schema: SCHEMA }) as SocketSourceConfig;
    const built = socketSource(config, context({}));
    await expect(built).rejects.toThrow(WeirError);
    await expect(built).rejects.toMatchObject({ data: { code: "not-in-lab" } });
  });

  it("listens once, whatever its parallelism: the other subtasks are idle and done (D-6, E-4)", async () => {
    const config = spec.config.parse({ url: "ws://localhost:1", schema: SCHEMA }) as SocketSourceConfig;
    const home = { ...context({ subtask: 1, parallelism: 2 }), sockets: async () => systemSockets };
    const source = await socketSource(config, home);
    const output = new RecordingOutput();
    source.open?.(output);
    expect([source.poll(output), output.take()]).toEqual([{ kind: "done" }, [{ mark: "idle" }]]);
  });

  it.each([
    [{ url: "ftp://x" }, "ws://"],
    [{ url: "http://x", subscribe: ["a"] }, "take no messages"],
    [{ url: "ws://x", format: "text" }, "one column of text"],
    [{ url: "ws://x", reconnect: { minDelayMs: 100, maxDelayMs: 50 } }, "longest wait"],
    [{ url: "ws://x", time: { column: "name" } }, "tells no time"],
  ])("refuses a configuration that cannot work: %j", (more, reason) => {
    const parsed = spec.config.safeParse({ schema: SCHEMA, ...more });
    const config = parsed.data as SocketSourceConfig;
    const flow = parsed.success ? spec.schemaFlow(config, {}) : undefined;
    const problems = [...(parsed.success ? (spec.check?.(config) ?? []) : parsed.error.issues)];
    if (flow?.kind === "problems") problems.push(...(flow.problems as never[]));
    expect(JSON.stringify(problems)).toContain(reason);
  });
});
