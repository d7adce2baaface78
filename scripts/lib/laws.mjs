import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./files.mjs";
import { projectRoot } from "./run.mjs";

/** Which test holds which law: the names of tests carry the numbers of the laws that they hold. */

/** @typedef {{ file: string, name: string }} LawTest */
/** @typedef {{ law: string, says: string, held: string }} LawRow */

const LAW = /\b[FD]-\d+\b/g;
/** The first argument of `it`, `test` or what `it.each` gave; the name of a contract case; the first cell of a row of a table of cases. */
const TEST_NAME =
  /(?:\b(?:it|test)\(|\)\(|\bname:|(?<!\b(?:toEqual|toContain|toBe)\()\[)\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)(?=\s*,)/g;
const ROW = /^\| ([FD]-\d+) \| (.*?) \| (.*) \|$/;
export const NOT_BUILT = "not built: ";

/**
 * Tests by law, in the order of files and lines.
 *
 * @param {string} [root]
 * @returns {Map<string, LawTest[]>}
 */
export function lawTests(root = projectRoot) {
  /** @type {Map<string, LawTest[]>} */
  const tests = new Map();
  for (const file of listFiles(["src", "e2e"], root)) {
    if (!/\.(test|spec)\.(ts|tsx)$/.test(file) && !/^src\/engine\/testing\/.*-contract\.ts$/.test(file)) continue;
    for (const name of testNames(readFileSync(join(root, file), "utf8"))) {
      for (const law of new Set(name.match(LAW) ?? [])) {
        const held = tests.get(law) ?? [];
        tests.set(law, held);
        held.push({ file, name });
      }
    }
  }
  return tests;
}

/**
 * @param {string} source
 * @returns {string[]}
 */
export function testNames(source) {
  return [...source.matchAll(TEST_NAME)].map(([, quoted, template]) =>
    (quoted ?? template ?? "").replace(/\\(["`\\])/g, "$1"),
  );
}

/**
 * @param {string} markdown
 * @returns {LawRow[]}
 */
export function lawRows(markdown) {
  return markdown.split("\n").flatMap((line) => {
    const [, law, says, held] = ROW.exec(line) ?? [];
    return law === undefined || says === undefined || held === undefined ? [] : [{ law, says, held }];
  });
}

/**
 * How the table names a test.
 *
 * @param {LawTest} test
 */
export function citation({ file, name }) {
  return `\`${file.replace(/^src\/engine\//, "")}\` ${name.replaceAll("|", "\\|")}`;
}

/**
 * Up to `limit` tests of a law: those that name it first, from as many files as there are.
 *
 * @param {string} law
 * @param {readonly LawTest[]} tests
 */
export function chosen(law, tests, limit = 3) {
  const first = (/** @type {LawTest} */ test) => (test.name.match(LAW)?.[0] === law ? 0 : 1);
  const ranked = [...tests].sort((a, b) => first(a) - first(b));
  /** @type {LawTest[]} */
  const taken = [];
  for (const test of ranked)
    if (taken.length < limit && !taken.some((other) => other.file === test.file)) taken.push(test);
  return taken;
}

/**
 * What is wrong with a table of laws, one line each.
 *
 * @param {readonly LawRow[]} rows
 * @param {ReadonlyMap<string, readonly LawTest[]>} tests
 */
export function problems(rows, tests) {
  /** @type {string[]} */
  const found = [];
  const known = new Set(rows.map(({ law }) => law));
  for (const [law, held] of tests) {
    if (!known.has(law)) found.push(`${law} is no law of the table, but ${held[0]?.file} names it: ${held[0]?.name}`);
  }
  for (const { law, held } of rows) {
    const all = tests.get(law) ?? [];
    if (held.startsWith(NOT_BUILT)) {
      if (all.length > 0) found.push(`${law} is called ${NOT_BUILT.trim()} but has a test: ${all[0]?.name}`);
      continue;
    }
    const citations = new Set(all.map(citation));
    for (const cited of held.split("<br>")) {
      if (!citations.has(cited)) found.push(`${law}: no such test: ${cited}`);
    }
  }
  return found;
}
