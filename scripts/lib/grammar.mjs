import { buildParserFile } from "@lezer/generator";

/**
 * A Lezer grammar as TypeScript: the parser's tables, and the ids of its terms.
 *
 * @param {string} grammar
 * @returns {{ parser: string, terms: string }}
 */
export function grammarFiles(grammar) {
  const head = "// Made of expression.grammar by `npm run grammar`.\n";
  const { parser, terms } = buildParserFile(grammar, {
    fileName: "expression.grammar",
    typeScript: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const body = (/** @type {string} */ text) => head + text.replace(/^\/\/.*\n/, "");
  return { parser: body(parser), terms: body(terms) };
}
