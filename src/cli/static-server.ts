import { createHash, randomBytes } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";

export interface StaticServerOptions {
  /** Folder of the built page. */
  readonly root: string;
  /** 0: any free port. */
  readonly port: number;
  /** Address to listen on; by default only this machine reaches the server. */
  readonly host?: string;
  /** Path under which the page lies, such as `/weir/`; by default `/`. */
  readonly base?: string;
  /** False leaves the isolation headers out: the page then has no SharedArrayBuffer. By default true. */
  readonly isolation?: boolean;
}

export interface StaticServer {
  /** Address of the page, with its base. */
  readonly url: string;
  readonly port: number;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

/** Stands in the built index.html wherever the response's nonce belongs (vite.config.ts, `html.cspNonce`). */
const NONCE_MARK = "__WEIR_NONCE__";

/** Names that Vite derives from the content, such as `assets/index-B3xk_9aZ.js`: what they name never changes. */
const HASHED_ASSET = /^\/assets\/.+-[\w-]{8}\.\w+$/;

const MIME: Readonly<Record<string, string>> = {
  ".arrow": "application/vnd.apache.arrow.file",
  ".arrows": "application/vnd.apache.arrow.stream",
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".ndjson": "application/x-ndjson; charset=utf-8",
  ".parquet": "application/vnd.apache.parquet",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Where the page may listen (`source.socket`): anywhere over TLS, and to this machine. It loads nothing from there, and a graph can send
 * nothing there but what its document says to subscribe; still, a host may name the feeds it wants, or 'self' alone.
 */
const FEEDS = "https: wss: http://localhost:* ws://localhost:* http://127.0.0.1:* ws://127.0.0.1:*";

/**
 * The page's policy: nothing loaded from another origin, no script but the built files, WebAssembly but no `eval`.
 * Workers obey the policy of their own script's response, so it goes with every file.
 */
function contentSecurityPolicy(nonce?: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${FEEDS}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

/**
 * Serves the built page over HTTP, with the headers that make it cross-origin isolated.
 * Rejects with Node's own error when the port is taken (`code: "EADDRINUSE"`).
 */
export async function startStaticServer(options: StaticServerOptions): Promise<StaticServer> {
  const root = await realpath(options.root);
  const base = normalizeBase(options.base ?? "/");
  const isolation = options.isolation ?? true;
  const host = options.host ?? "127.0.0.1";

  const server = createServer((request, response) => {
    answer(request, response, { root, base, isolation }).catch(() => {
      // Only reading the disk fails here; the reason is the operator's business, not the client's.
      if (!response.headersSent) sendText(response, 500, "internal error");
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  });

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(host)}:${port}${base}`,
    port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

interface Site {
  readonly root: string;
  /** Begins and ends with a slash. */
  readonly base: string;
  readonly isolation: boolean;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  setCommonHeaders(response, site.isolation);
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return sendText(response, 405, "method not allowed");
  }

  const target = request.url ?? "/";
  const [rawPath = "/"] = target.split("?", 1);
  const path = decodePath(rawPath);
  if (path === undefined) return sendText(response, 400, "bad request");
  if (`${path}/` === site.base) {
    response.setHeader("Location", site.base + target.slice(rawPath.length));
    return sendText(response, 308, "moved");
  }
  if (!path.startsWith(site.base)) return sendText(response, 404, "not found");

  const inside = path.slice(site.base.length - 1);
  const file = await resolveFile(site.root, inside.endsWith("/") ? `${inside}index.html` : inside);
  if (file === undefined) return sendText(response, 404, "not found");

  const body = await readFile(file);
  response.setHeader("Content-Type", MIME[extname(file).toLowerCase()] ?? "application/octet-stream");
  if (extname(file) === ".html") sendPage(request, response, body.toString("utf8"));
  else sendAsset(request, response, body, HASHED_ASSET.test(inside));
}

/** A page carries its own nonce, so no copy of it is ever used twice. */
function sendPage(request: IncomingMessage, response: ServerResponse, html: string): void {
  const nonce = randomBytes(18).toString("base64url");
  response.setHeader("Content-Security-Policy", contentSecurityPolicy(nonce));
  response.setHeader("Cache-Control", "no-store");
  end(request, response, Buffer.from(html.replaceAll(NONCE_MARK, nonce)));
}

function sendAsset(request: IncomingMessage, response: ServerResponse, body: Buffer, immutable: boolean): void {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  response.setHeader("ETag", etag);
  response.setHeader("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (matchesEtag(request.headers["if-none-match"], etag)) {
    response.removeHeader("Content-Type");
    response.writeHead(304).end();
    return;
  }
  end(request, response, body);
}

function end(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.setHeader("Content-Length", body.byteLength);
  response.writeHead(200).end(request.method === "HEAD" ? undefined : body);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${text}\n`);
}

function setCommonHeaders(response: ServerResponse, isolation: boolean): void {
  response.setHeader("Content-Security-Policy", contentSecurityPolicy());
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  if (!isolation) return;
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  return header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;
}

/** The path with its escapes undone; undefined when it cannot name a file of the site on any system. */
function decodePath(raw: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return undefined;
  }
  const hostile = !path.startsWith("/") || path.includes("\0") || path.includes("\\") || path.split("/").includes("..");
  return hostile ? undefined : path;
}

/** The real file behind a path, or undefined where there is none inside the root (links are followed first). */
async function resolveFile(root: string, path: string): Promise<string | undefined> {
  try {
    const file = await realpath(join(root, path));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP") return undefined;
    throw error;
  }
}

function normalizeBase(base: string): string {
  const inner = base.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "/" : `/${inner}/`;
}

/** Browsers hold an address isolated only over https or on localhost, so the loopback is shown by that name. */
function urlHost(host: string): string {
  if (host === "127.0.0.1" || host === "::1" || host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
