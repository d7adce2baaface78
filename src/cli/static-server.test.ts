import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type StaticServer, type StaticServerOptions, startStaticServer } from "./static-server.ts";

let folder: string;
let server: StaticServer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weir-static-"));
  const root = join(folder, "page");
  await mkdir(join(root, "assets"), { recursive: true });
  await mkdir(join(root, "empty"));
  await writeFile(join(folder, "secret.txt"), "secret");
  await writeFile(
    join(root, "index.html"),
    '<meta property="csp-nonce" nonce="__WEIR_NONCE__"><style nonce="__WEIR_NONCE__">',
  );
  await writeFile(join(root, "assets", "index-B3xk_9aZ.js"), "export {};");
  await writeFile(join(root, "assets", "kernels-AAAAbbbb.wasm"), Buffer.from([0, 97, 115, 109]));
  await writeFile(join(root, "graph.schema.json"), "{}");
  await writeFile(join(root, "orders day 1.csv"), "a\n1\n");
  await symlink(join(folder, "secret.txt"), join(root, "link.txt"));
});

afterAll(() => rm(folder, { recursive: true }));

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(options: Partial<StaticServerOptions> = {}): Promise<string> {
  server = await startStaticServer({ root: join(folder, "page"), port: 0, ...options });
  return server.url;
}

/** Sends the path exactly as given; `fetch` would tidy `..` away before it leaves. */
function rawStatus(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: server?.port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

describe("headers", () => {
  it("isolates every response, pages, scripts and errors alike", async () => {
    const url = await serve();
    for (const path of ["", "assets/index-B3xk_9aZ.js", "missing"]) {
      const { headers } = await fetch(url + path);
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("leaves isolation out on demand, and nothing else", async () => {
    const { headers } = await fetch(await serve({ isolation: false }));
    expect(headers.has("cross-origin-opener-policy")).toBe(false);
    expect(headers.has("cross-origin-embedder-policy")).toBe(false);
    expect(headers.get("content-security-policy")).toContain("script-src 'self' 'wasm-unsafe-eval'");
  });

  it("allows WebAssembly but neither eval nor inline script, and loads nothing of another origin: it only listens", async () => {
    const policy = (await fetch(await serve())).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("'unsafe-eval'");
    expect(policy).not.toContain("'unsafe-inline'");
    expect(policy).toContain("connect-src 'self' https: wss: http://localhost:*");
    expect(policy.replace(/connect-src [^;]+/, "")).not.toMatch(/https?:|wss?:|\*/);
  });

  it("has the policy that static hosts get from public/_headers, but for styles, which need a nonce here", async () => {
    const served = (await fetch(await serve())).headers.get("content-security-policy") ?? "";
    const text = await readFile(new URL("../../public/_headers", import.meta.url), "utf8");
    const hosted = /Content-Security-Policy: (.+)/.exec(text)?.[1] ?? "";
    const withoutStyles = (policy: string) => policy.replace(/style-src [^;]+/, "");
    expect(withoutStyles(hosted)).toBe(withoutStyles(served));
  });

  it("gives each page its own nonce, the same in the policy and in the markup, and has it never cached", async () => {
    const url = await serve();
    const nonces = [];
    for (let i = 0; i < 2; i++) {
      const response = await fetch(url);
      const html = await response.text();
      const nonce = /style-src 'self' 'nonce-([\w-]+)'/.exec(
        response.headers.get("content-security-policy") ?? "",
      )?.[1];
      expect(nonce).toBeDefined();
      expect(html.split(`nonce="${nonce}"`)).toHaveLength(3);
      expect(html).not.toContain("__WEIR_NONCE__");
      expect(response.headers.get("cache-control")).toBe("no-store");
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it("names the type of what it sends", async () => {
    const url = await serve();
    const types = {
      "": "text/html; charset=utf-8",
      "assets/index-B3xk_9aZ.js": "text/javascript; charset=utf-8",
      "assets/kernels-AAAAbbbb.wasm": "application/wasm",
      "graph.schema.json": "application/json; charset=utf-8",
      "orders%20day%201.csv": "text/csv; charset=utf-8",
    };
    for (const [path, type] of Object.entries(types)) {
      expect((await fetch(url + path)).headers.get("content-type")).toBe(type);
    }
  });
});

describe("caching", () => {
  it("lets hashed assets be kept for ever and has everything else asked for again", async () => {
    const url = await serve();
    const hashed = await fetch(`${url}assets/index-B3xk_9aZ.js`);
    const plain = await fetch(`${url}graph.schema.json`);
    expect(hashed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("cache-control")).toBe("no-cache");
  });

  it("answers 304 without a body while the content is the same", async () => {
    const url = `${await serve()}graph.schema.json`;
    const etag = (await fetch(url)).headers.get("etag") ?? "";
    const same = await fetch(url, { headers: { "If-None-Match": `"other", W/${etag}` } });
    expect(same.status).toBe(304);
    expect(await same.text()).toBe("");
    expect((await fetch(url, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
  });
});

describe("paths", () => {
  it("never leaves the root: dots, escaped dots, backslashes, NUL, links", async () => {
    await serve();
    expect(await rawStatus("/../secret.txt")).toBe(400);
    expect(await rawStatus("/assets/../../secret.txt")).toBe(400);
    expect(await rawStatus("/%2e%2e/secret.txt")).toBe(400);
    expect(await rawStatus("/..%2fsecret.txt")).toBe(400);
    expect(await rawStatus("/..%5csecret.txt")).toBe(400);
    expect(await rawStatus("/index.html%00.txt")).toBe(400);
    expect(await rawStatus("/%zz")).toBe(400);
    expect(await rawStatus("//etc/passwd")).toBe(404);
    expect(await rawStatus("/link.txt")).toBe(404);
    expect(await rawStatus("http://elsewhere/index.html")).toBe(400);
  });

  it("finds names with spaces and says 404 to what is not there or is a folder", async () => {
    const url = await serve();
    expect(await (await fetch(`${url}orders%20day%201.csv`)).text()).toBe("a\n1\n");
    for (const path of ["missing.js", "empty", "empty/", "index.html/x", "x".repeat(5000)]) {
      expect((await fetch(url + path)).status).toBe(404);
    }
  });

  it("serves under a sub-path, leads its bare name there, and serves nothing outside it", async () => {
    const url = await serve({ base: "weir/demo" });
    expect(new URL(url).pathname).toBe("/weir/demo/");
    expect((await fetch(url)).status).toBe(200);
    const immutable = await fetch(`${url}assets/index-B3xk_9aZ.js`);
    expect(immutable.headers.get("cache-control")).toContain("immutable");
    const bare = await fetch(`${url.slice(0, -1)}?a=1`, { redirect: "manual" });
    expect([bare.status, bare.headers.get("location")]).toEqual([308, "/weir/demo/?a=1"]);
    expect(await rawStatus("/")).toBe(404);
    expect(await rawStatus("/weir/demonstration")).toBe(404);
  });
});

describe("requests", () => {
  it("answers HEAD with the headers alone and refuses to be written to", async () => {
    const url = `${await serve()}graph.schema.json`;
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "2", ""]);
    const post = await fetch(url, { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("rejects when the port is taken, and frees its own on close", async () => {
    await serve();
    const port = server?.port ?? 0;
    await expect(startStaticServer({ root: folder, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await server?.close();
    server = await startStaticServer({ root: folder, port });
    expect(server.port).toBe(port);
  });
});
