/**
 * Looks in the code for names that must not be used where they stand: the core has no clock, no randomness and no
 * promises; shared memory is synchronised in `transport` alone; only the engine client starts workers; nothing makes
 * code from text. Types cannot hold all of that (`Date` and `Math.random` belong to the language), so this reads the
 * syntax tree. It first proves on small examples that each rule catches what it should.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./lib/files.mjs";
import { projectRoot } from "./lib/run.mjs";
import { parse } from "./lib/syntax.mjs";

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {RegExp} files
 * @property {RegExp} [except]
 * @property {readonly string[]} names identifiers, or `object.member`; `async` stands for the keyword and `await`
 * @property {readonly [bad: readonly string[], good: readonly string[]]} examples
 */

/** @type {readonly Rule[]} */
const RULES = [
  {
    name: "the core is synchronous and knows no clock, chance or console",
    files: /^src\/engine\/core\//,
    names: [
      ...["async", "Promise", "Date", "performance", "Math.random", "crypto", "console", "queueMicrotask"],
      ...["setTimeout", "setInterval", "clearTimeout", "clearInterval", "MessageChannel", "MessagePort"],
    ],
    examples: [
      [
        "async function f() {}",
        "const f = async () => 1;",
        "class A { async m() {} }",
        "for await (const x of y) {}",
        "Promise.resolve();",
        "let t = Date.now();",
        "new Date();",
        "Math.random();",
        'Math["random"]();',
        "const { random } = Math;",
        "globalThis.Date.now();",
        "setTimeout(f);",
        "console.log(1);",
        "type T = Promise<number>;",
        "const o = { Date };",
      ],
      [
        "const o = { Date: 1 }; o.console; Math.floor(1);",
        "// Date\nconst s = 'Math.random()';",
        "type T = { performance: number };",
      ],
    ],
  },
  {
    name: "Atomics only in transport and in the probes",
    files: /^src\//,
    except: /^src\/engine\/(transport\/|core\/probes)/,
    names: ["Atomics"],
    examples: [["Atomics.load(a, 0);", "const { wait } = Atomics;"], ["x.Atomics;"]],
  },
  {
    name: "the page starts workers in engine-client alone",
    files: /^src\/ui\//,
    except: /^src\/ui\/engine-client\//,
    names: ["Worker", "SharedWorker"],
    examples: [['new Worker(new URL("x", import.meta.url));'], ["const o = { Worker: 1 };"]],
  },
  {
    name: "no code is made from text",
    files: /^(src|bench)\//,
    names: ["eval", "Function"],
    examples: [['new Function("return 1");', "eval(x);", "globalThis.eval(x);"], ["type F = () => void;"]],
  },
];

/**
 * All uses of global names in a source text, with their lines.
 *
 * @param {string} text
 * @param {string} file
 * @returns {{ name: string, line: number }[]}
 */
function namesIn(text, file) {
  // The first statement is empty and begins where the text does: positions count on from one file to the next.
  const source = Buffer.from(`;${text}`);
  const module = parse(source.toString(), file);
  const start = module["body"][0].span.start;
  /** @type {{ name: string, line: number }[]} */
  const found = [];

  /**
   * @param {string} name
   * @param {{ start: number }} span
   */
  const add = (name, span) => {
    const before = source.subarray(0, span.start - start);
    found.push({ name, line: before.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 1) });
  };

  /** @param {any} node */
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== "object") return;
    if (isAsync(node)) add("async", node.span);
    if (node.type === "Identifier") return add(node.value, node.span);
    const member = memberName(node);
    if (member !== undefined) {
      add(member, node.span);
      if (member.startsWith("globalThis.")) add(member.slice("globalThis.".length), node.span);
    }
    if (node.type === "VariableDeclarator" && node.init?.type === "Identifier" && node.id.type === "ObjectPattern") {
      for (const property of node.id.properties)
        if (property.key?.value) add(`${node.init.value}.${property.key.value}`, property.key.span ?? node.span);
    }
    for (const [key, value] of Object.entries(node)) {
      if (isName(node, key)) continue;
      visit(value);
    }
  };
  visit(module);
  return found;
}

/** @param {any} node */
function isAsync(node) {
  if (node.type === "ForOfStatement") return Boolean(node.await);
  return node.async === true || node.type === "AwaitExpression";
}

/**
 * `a.b` or `a["b"]` as "a.b".
 *
 * @param {any} node
 * @returns {string | undefined}
 */
function memberName(node) {
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return undefined;
  const { property } = node;
  if (property.type === "Identifier") return `${node.object.value}.${property.value}`;
  const literal = property.type === "Computed" && property.expression.type === "StringLiteral";
  return literal ? `${node.object.value}.${property.expression.value}` : undefined;
}

/**
 * Whether a part of a node only names a member, so that it refers to nothing outside.
 *
 * @param {any} node
 * @param {string} key
 */
function isName(node, key) {
  if (key === "property") return node.property?.type === "Identifier";
  return key === "key" && node.computed !== true && node.key?.type === "Identifier";
}

/**
 * @param {Rule} rule
 * @param {string} text
 * @param {string} file
 */
const breaches = (rule, text, file) => namesIn(text, file).filter(({ name }) => rule.names.includes(name));

const problems = [];
for (const rule of RULES) {
  const [bad, good] = rule.examples;
  for (const text of bad)
    if (breaches(rule, text, "example.ts").length === 0) problems.push(`not caught by "${rule.name}": ${text}`);
  for (const text of good)
    if (breaches(rule, text, "example.ts").length > 0) problems.push(`wrongly caught by "${rule.name}": ${text}`);
}

const files = listFiles(["src", "bench"]).filter((file) => /\.tsx?$/.test(file) && !/\.(test\.tsx?|d\.ts)$/.test(file));
for (const file of files) {
  const text = readFileSync(join(projectRoot, file), "utf8");
  for (const rule of RULES) {
    if (!rule.files.test(file) || rule.except?.test(file)) continue;
    for (const { name, line } of breaches(rule, text, file)) {
      problems.push(`${file}:${line}: ${name}: ${rule.name}`);
    }
  }
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${RULES.length} rules on ${files.length} files: ${problems.length} problems\n`);
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
