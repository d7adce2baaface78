// Makes the table of small letters and capitals, by Unicode's simple mapping, from what the host knows of Unicode.
import { writeFileSync } from "node:fs";

/**
 * The simple mapping of a character for which the host tells several; itself where there is none.
 *
 * @param {number} code
 * @param {"lower" | "upper"} letterCase
 */
function simpleOf(code, letterCase) {
  if (letterCase === "lower") return code === 0x130 ? 0x69 : code;
  // Greek letters with an iota below.
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return code + 8;
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? code + 9 : code;
}

/**
 * Runs of characters that are mapped by the same distance: start behind the run before, count, step, distance; base 36.
 *
 * @param {"lower" | "upper"} letterCase
 */
function runsOf(letterCase) {
  /** @type {{ start: number, count: number, step: number, by: number }[]} */
  const runs = [];
  for (let code = 0x80; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const [mapped, ...more] = letterCase === "lower" ? character.toLowerCase() : character.toUpperCase();
    const to = more.length === 0 && mapped !== undefined ? (mapped.codePointAt(0) ?? code) : simpleOf(code, letterCase);
    const by = to - code;
    if (by === 0) continue;
    const last = runs.at(-1);
    const gap = last === undefined ? 0 : code - last.start - (last.count - 1) * last.step;
    if (last?.by === by && (gap === last.step || (last.count === 1 && gap <= 2))) {
      last.step = gap;
      last.count++;
    } else runs.push({ start: code, count: 1, step: 1, by });
  }
  let end = 0;
  return runs
    .map(({ start, count, step, by }) => {
      const behind = start - end;
      end = start + (count - 1) * step;
      return [behind, count, step, by].map((number) => number.toString(36)).join(",");
    })
    .join(" ");
}

const text = (/** @type {string} */ runs) => (runs.match(/.{1,110}/g) ?? []).map((line) => `  "${line}"`).join(" +\n");
writeFileSync(
  new URL("../src/engine/expressions/kernels/case-tables.generated.ts", import.meta.url),
  `// Made of Unicode ${process.versions["unicode"]} by \`node scripts/case-tables.mjs\`.

/** Runs of characters that are mapped by the same distance: start behind the end of the run before, count, step, distance, in base 36. */
export const LOWER_RUNS =
${text(runsOf("lower"))};

export const UPPER_RUNS =
${text(runsOf("upper"))};
`,
);
console.log("src/engine/expressions/kernels/case-tables.generated.ts is written");
