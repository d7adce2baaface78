import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { WebSocketServer } from "ws";
import { load } from "./runs.ts";
import { Workbench } from "./workbench.ts";

/** Sources that need what only a page has: its own files, its own connections, and its policy. */

const SCHEMA = [
  { name: "id", type: "int64" },
  { name: "name", type: "utf8" },
];

const graphOf = (source: Record<string, unknown>, sinks: Record<string, unknown>[] = []) => ({
  format: "weir.graph/v1",
  name: "from outside",
  nodes: [
    { id: "in", ui: { x: 0, y: 0 }, ...source },
    { id: "table", kind: "sink.table", config: {}, ui: { x: 400, y: 0 } },
    ...sinks,
  ],
  edges: [{ id: "a", from: "in", to: "table" }, ...sinks.map(({ id }) => ({ id: `to-${id}`, from: "in", to: id }))],
});

test("Parquet is read in the page, and written as parts that are Parquet again", async ({ page }) => {
  const bench = new Workbench(page);
  await bench.open();
  const files = { id: "files", kind: "sink.file", config: { format: "parquet", path: "out" }, ui: { x: 400, y: 200 } };
  const source = { kind: "source.file", config: { format: "parquet", path: "weather.parquet" } };
  await load(page, graphOf(source, [files]));
  const bytes = readFileSync("examples/data/weather.parquet");
  await page.evaluate((content) => window.weir.addFile("weather.parquet", Uint8Array.from(content)), Array.from(bytes));
  await page.evaluate(() => window.weir.run({ executor: "threads" }));
  expect(await page.evaluate(() => window.weir.outcome())).toMatchObject({ kind: "finished" });
  expect(await page.evaluate(() => window.weir.rows("table", 10_000).length)).toBeGreaterThanOrEqual(1000);
});

test("server-sent events and a WebSocket reach the page, past its policy", async ({ page }) => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream", "Access-Control-Allow-Origin": "*" });
    answer.end('data: {"id":9007199254740993,"name":"ä"}\n\n');
  });
  new WebSocketServer({ server }).on("connection", (socket) => {
    socket.send('{"id":1,"name":"socket"}\n{"id":2}');
    socket.close(1000);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const bench = new Workbench(page);
  await bench.open();
  for (const [scheme, rows] of [
    ["http", 1],
    ["ws", 2],
  ] as const) {
    const config = { url: `${scheme}://127.0.0.1:${port}/`, schema: SCHEMA, whenEnded: "end" };
    await load(page, graphOf({ kind: "source.socket", config }));
    await page.evaluate(() => window.weir.run({ executor: "threads" }));
    expect(await page.evaluate(() => window.weir.outcome())).toMatchObject({ kind: "finished" });
    expect(await page.evaluate(() => window.weir.rows("table").length)).toBe(rows);
  }
  server.closeAllConnections();
  server.close();
});
