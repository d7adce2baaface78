#!/usr/bin/env node
import { existsSync } from "node:fs";

const cli = new URL("../dist/node/cli.js", import.meta.url);
if (existsSync(cli)) {
  await import(cli.href);
} else {
  process.stderr.write("weir is not built yet: run `npm ci && npm run build` in its folder\n");
  process.exitCode = 2;
}
