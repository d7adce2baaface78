/**
 * Holds the table of laws in src/engine/ARCHITECTURE.md to the tests: every law has a test that exists, or says what it needs to be
 * built. With `--write` the table names up to three tests of each law anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chosen, citation, lawRows, lawTests, NOT_BUILT, problems } from "./lib/laws.mjs";
import { projectRoot } from "./lib/run.mjs";

const DOCUMENT = join(projectRoot, "src/engine/ARCHITECTURE.md");

const tests = lawTests();
let markdown = readFileSync(DOCUMENT, "utf8");

if (process.argv.includes("--write")) {
  for (const { law, says, held } of lawRows(markdown)) {
    const cited = chosen(law, tests.get(law) ?? []).map(citation);
    const now = cited.length > 0 ? cited.join("<br>") : held.startsWith(NOT_BUILT) ? held : "";
    markdown = markdown.replace(`| ${law} | ${says} | ${held} |`, () => `| ${law} | ${says} | ${now} |`);
  }
  writeFileSync(DOCUMENT, markdown);
}

const rows = lawRows(markdown);
const found = problems(rows, tests);
if (rows.length === 0) found.push("src/engine/ARCHITECTURE.md has no table of laws");
for (const problem of found) process.stderr.write(`${problem}\n`);
if (found.length > 0) process.stderr.write("after a test was renamed or added: node scripts/check-laws.mjs --write\n");
else process.stdout.write(`${rows.length} laws\n`);
process.exitCode = found.length > 0 ? 1 : 0;
