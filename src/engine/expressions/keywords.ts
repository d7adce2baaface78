import * as terms from "./expression-terms.generated.ts";

/** Reserved words by the id of their term: `TryCastWord` stands for `try_cast`. A column of such a name is quoted. */
const IDS: ReadonlyMap<string, number> = new Map(
  Object.entries(terms)
    .filter(([term]) => /.Word$/.test(term))
    .map(([term, id]) => [wordOf(term), id]),
);

function wordOf(term: string): string {
  return term
    .replace(/Word$/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase();
}

/** For the grammar: the term of a word that is reserved, in whatever case, else −1. */
export function keyword(word: string, _stack?: unknown): number {
  return IDS.get(word.toLowerCase()) ?? -1;
}

/** The reserved words in capitals, for completion. */
export const EXPRESSION_KEYWORDS: readonly string[] = [...IDS.keys()].map((word) => word.toUpperCase());

/** Whether a column of that name has to be quoted. */
export const isKeyword = (word: string): boolean => IDS.has(word.toLowerCase());
