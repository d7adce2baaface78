/**
 * A feed to try `live-feed.json` with: `node examples/feed-server.mjs [PORT [EVENTS]]`. It sends server-sent events, readings of a few
 * sensors, one every 50 ms, goes on behind `Last-Event-ID`, and ends after so many events (0: never).
 */
import { createServer } from "node:http";

const port = Number(process.argv[2] ?? 8787);
const events = Number(process.argv[3] ?? 0);
const START = Date.UTC(2024, 5, 1, 6);
const SENSORS = ["gate", "roof", "cellar"];

/** The same event for the same id, whoever asks. @param {number} id */
function event(id) {
  const data = {
    id,
    sensor: SENSORS[id % SENSORS.length],
    at: new Date(START + id * 50).toISOString(),
    celsius: Math.round(1800 + 700 * Math.sin(id / 40) + (id % 7) * 11) / 100,
  };
  return `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

const server = createServer((request, response) => {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    // A page is of another origin than this server.
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Last-Event-ID",
  });
  let id = Number(request.headers["last-event-id"] ?? 0);
  const timer = setInterval(() => {
    if (events > 0 && id >= events) response.end();
    else response.write(event(++id));
  }, 50);
  response.on("close", () => clearInterval(timer));
});

server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}/`);
});
