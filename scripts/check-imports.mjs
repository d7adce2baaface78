/** Applies the import rules of .dependency-cruiser.mjs to all code, and first to a bad example of every rule. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise } from "dependency-cruiser";
import config from "../.dependency-cruiser.mjs";
import { listFiles } from "./lib/files.mjs";
import { projectRoot } from "./lib/run.mjs";
import { importsOf } from "./lib/syntax.mjs";

const CODE = [
  "src",
  "bench",
  "examples/nexmark",
  "e2e",
  "scripts",
  ".dependency-cruiser.mjs",
  "vite.config.ts",
  "vite.node.config.ts",
  "vite.bench.config.ts",
  "playwright.config.ts",
];

/** @type {Record<string, string[]>} */
const BAD_EXAMPLE = {
  "src/engine/base/ids.ts": ["../core/messages.ts", "react"],
  "src/engine/base/prng.ts": ["pure-rand/generator/xoroshiro128plus", "./ids.ts"],
  "src/engine/core/messages.ts": ["../data/batch.ts"],
  "src/engine/core/machine.ts": ["../testing/oracle.ts", "../data/batch.ts"],
  "src/engine/core/machine.test.ts": ["../../cli/main.ts", "vitest"],
  "src/engine/data/batch.ts": ["../state/codec.ts", "apache-arrow"],
  "src/engine/state/codec.ts": ["../transport/edge.ts"],
  "src/engine/expressions/parse.ts": ["../formats/csv.ts"],
  "src/engine/formats/csv.ts": ["../core/messages.ts", "node:fs"],
  "src/engine/topology/plan.ts": ["../operators/catalog.ts", "../operators/filter.ts"],
  "src/engine/operators/catalog.ts": ["./filter.ts"],
  "src/engine/operators/filter.ts": ["../core/messages.ts", "../core/machine.ts"],
  "src/engine/sources/rows.ts": ["../execution/runner.ts"],
  "src/engine/sinks/table.ts": ["../transport/edge.ts"],
  "src/engine/transport/edge.ts": ["../core/machine.ts"],
  "src/engine/execution/runner.ts": ["../core/machine.ts", "../index.ts"],
  "src/engine/trace/recorder.ts": ["../../workers/lab.worker.ts", "./missing.ts"],
  "src/engine/testing/oracle.ts": ["../execution/runner.ts", "fast-check"],
  "src/engine/index.ts": ["./execution/runner.ts"],
  "src/workers/lab.worker.ts": ["../engine/index.ts", "../engine/execution/runner.ts"],
  "src/cli/main.ts": ["../engine/index.ts", "../engine/core/machine.ts", "node:fs", "zustand"],
  "src/ui/main.tsx": ["../engine/index.ts", "../engine/core/machine.ts", "react", "@xyflow/react"],
  "src/ui/editor/Canvas.tsx": ["@xyflow/react"],
  "bench/ring.ts": ["../src/engine/index.ts", "../src/engine/transport/edge.ts"],
  "e2e/run.spec.ts": ["../src/engine/testing/oracle.ts", "../src/engine/core/machine.ts", "@playwright/test"],
  "e2e/all.ts": ["../src/engine/core/machine.test.ts"],
  "src/cli/csv.ts": ["papaparse"],
};

/** Imports of the example that are right; a rule that objects to one of them forbids too much. */
const GOOD_IMPORTS = [
  "src/engine/base/prng.ts → pure-rand/generator/xoroshiro128plus",
  "src/engine/core/machine.test.ts → vitest",
  "src/engine/data/batch.ts → apache-arrow",
  "src/engine/topology/plan.ts → ../operators/catalog.ts",
  "src/engine/operators/filter.ts → ../core/messages.ts",
  "src/engine/execution/runner.ts → ../core/machine.ts",
  "src/engine/testing/oracle.ts → fast-check",
  "src/workers/lab.worker.ts → ../engine/index.ts",
  "src/cli/main.ts → node:fs",
  "src/ui/main.tsx → react",
  "src/ui/editor/Canvas.tsx → @xyflow/react",
  "e2e/run.spec.ts → ../src/engine/testing/oracle.ts",
];

/**
 * @typedef {object} Cruise
 * @property {Set<string>} files that were read
 * @property {{ rule: string, from: string, to: string }[]} violations `to` as it was written
 */

/**
 * Applies the rules to files of which only the imports are given. dependency-cruiser cannot read TypeScript 7 by
 * itself, and with swc it cannot read JSX, so it gets a copy of the tree with nothing but imports in it.
 *
 * @param {Record<string, readonly string[]>} tree imports by file
 * @returns {Promise<Cruise>}
 */
async function cruiseTree(tree) {
  const root = mkdtempSync(join(tmpdir(), "weir-imports-"));
  try {
    symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"), "junction");
    for (const [file, imports] of Object.entries(tree)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), imports.map((name) => `import ${JSON.stringify(name)};\n`).join(""));
    }
    const tops = [...new Set(Object.keys(tree).map((file) => file.split("/")[0] ?? file))];
    const result = await cruise(tops, {
      ...config.options,
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: config.forbidden },
    });
    if (typeof result.output === "string") throw new Error(result.output);
    const { modules } = result.output;
    return {
      files: new Set(modules.map((module) => module.source)),
      violations: modules.flatMap((module) =>
        module.dependencies.flatMap((dependency) =>
          (dependency.rules ?? []).map((rule) => ({ rule: rule.name, from: module.source, to: dependency.module })),
        ),
      ),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** @returns {Promise<string[]>} what is wrong with the rules themselves */
async function checkRules() {
  const { violations } = await cruiseTree(BAD_EXAMPLE);
  const seen = new Set(violations.map(({ rule }) => rule));
  const silent = config.forbidden.flatMap(({ name }) => (name === undefined || seen.has(name) ? [] : [name]));
  const wrong = violations.filter(
    ({ rule, from, to }) =>
      rule !== "no-cycles" && GOOD_IMPORTS.some((good) => [`${from} → ${to}`, `${from} → node:${to}`].includes(good)),
  );
  return [
    ...silent.map((name) => `the rule ${name} does not catch its example`),
    ...wrong.map(({ rule, from, to }) => `the rule ${rule} forbids what is right: ${from} → ${to}`),
  ];
}

/** @returns {string[]} what is wrong with the reading of imports */
function checkReading() {
  const text = `
    import a from "./a.ts"; import "./b.css"; import type { C } from "./c.ts"; import { type D } from "./d.ts";
    export * from "./e.ts"; export { f } from "./f.ts"; export type { G } from "./g.ts";
    const h = await import("./h.ts"); type I = import("./i.ts").I; const j = <p title="import './no.ts'">{a}</p>;`;
  const wanted = ["./a.ts", "./b.css", "./c.ts", "./d.ts", "./e.ts", "./f.ts", "./g.ts", "./h.ts", "./i.ts"];
  const read = importsOf(text, "x.tsx");
  return read.sort().join() === wanted.join() ? [] : [`imports are misread: ${read.join(" ")}`];
}

const files = listFiles(CODE).filter((file) => !file.endsWith(".d.ts"));
const isCode = (/** @type {string} */ file) => /\.(ts|tsx|mjs)$/.test(file);
const tree = Object.fromEntries(
  files.map((file) => [file, isCode(file) ? importsOf(readFileSync(join(projectRoot, file), "utf8"), file) : []]),
);
const code = files.filter(isCode);

const problems = [...checkReading(), ...(await checkRules())];
const { files: read, violations } = await cruiseTree(tree);
problems.push(...code.filter((file) => !read.has(file)).map((file) => `${file}: was not read`));
problems.push(...violations.map(({ rule, from, to }) => `${from} imports ${to}: ${rule}`));

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${config.forbidden.length} rules on ${code.length} files: ${problems.length} problems\n`);
process.exitCode = problems.length > 0 || code.length === 0 ? 1 : 0;
