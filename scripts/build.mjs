/**
 * Builds dist/node (what runs in Node) and dist/page, or what is named: `node scripts/build.mjs [node|page|types|bench]… [--if-stale]`.
 * A build is made beside the old one and put in its place whole, so that whoever reads it meanwhile finds all of it.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { listFiles } from "./lib/files.mjs";
import { projectRoot, run } from "./lib/run.mjs";

const targets = {
  node: { config: "vite.node.config.ts", entry: "static-server.js" },
  page: { config: "vite.config.ts", entry: "index.html" },
  // The declarations of the library, which only its users need.
  types: { config: "tsconfig.library.json", entry: "workers/node/library.d.ts" },
  // The page of the benchmarks; built only when it is asked for.
  bench: { config: "vite.bench.config.ts", entry: "index.html" },
};
const USUAL = ["node", "page"];

const INPUTS = [
  "src",
  "bench",
  "public",
  "examples",
  "package-lock.json",
  "vite.config.ts",
  "vite.node.config.ts",
  "vite.bench.config.ts",
  "tsconfig.library.json",
];

const words = process.argv.slice(2);
const ifStale = words.includes("--if-stale");
const names = words.filter((word) => word !== "--if-stale");
const unknown = names.find((name) => !(name in targets));
if (unknown !== undefined) {
  process.stderr.write(`${unknown}: no such build; there are ${Object.keys(targets).join(" and ")}\n`);
  process.exit(2);
}

const fingerprint = fingerprintOf(INPUTS);
for (const [name, { config, entry }] of Object.entries(targets)) {
  if (!(names.length > 0 ? names : USUAL).includes(name)) continue;
  const out = join(projectRoot, "dist", name);
  const stamp = join(projectRoot, "dist", `${name}.stamp`);
  if (ifStale && existsSync(join(out, entry)) && existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint)
    continue;
  await buildInto(out, config);
  writeFileSync(stamp, fingerprint);
}

/**
 * @param {string} out
 * @param {string} config
 */
async function buildInto(out, config) {
  const fresh = `${out}.${process.pid}`;
  const old = `${fresh}.old`;
  try {
    if (config.endsWith(".json")) await declareInto(fresh, config);
    else {
      await build({
        configFile: join(projectRoot, config),
        logLevel: "warn",
        build: { outDir: fresh, emptyOutDir: true },
      });
    }
    if (existsSync(out)) renameSync(out, old);
    renameSync(fresh, out);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} out
 * @param {string} config
 */
async function declareInto(out, config) {
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  const { code } = await run(process.execPath, [compiler, "-p", config, "--outDir", out], { inherit: true });
  if (code !== 0) throw new Error(`the declarations of ${config} were not made`);
}

/**
 * Tells one state of the sources from another. By content, since a checkout gives every file a new time.
 *
 * @param {readonly string[]} inputs
 */
function fingerprintOf(inputs) {
  const hash = createHash("sha256").update(process.version);
  for (const file of listFiles(inputs)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(`\0${file}\0`).update(readFileSync(join(projectRoot, file)));
  }
  return hash.digest("hex");
}
