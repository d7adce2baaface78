import { CHOICE_FUNCTIONS } from "./functions/choice.ts";
import { NUMBER_FUNCTIONS } from "./functions/numbers.ts";
import type { FunctionGroup, FunctionSpec } from "./functions/spec.ts";
import { TEXT_FUNCTIONS } from "./functions/text.ts";
import { EXTRACT_HELP, TIME_FUNCTIONS } from "./functions/time.ts";

/** Every function that is called by its name and arguments. */
export const FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map(
  [...NUMBER_FUNCTIONS, ...TEXT_FUNCTIONS, ...TIME_FUNCTIONS, ...CHOICE_FUNCTIONS].map((spec) => [spec.name, spec]),
);

/** Other engines' names for the same. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["ceiling", "ceil"],
  ["pow", "power"],
  ["substr", "substring"],
  ["char_length", "length"],
  ["regexp_matches", "regexp_like"],
  ["ifnull", "coalesce"],
]);

/** The function of that name, in lower case. */
export const functionOf = (name: string): FunctionSpec | undefined => FUNCTIONS.get(ALIASES.get(name) ?? name);

/** What help and completion say of a function. */
export interface FunctionHelp {
  readonly name: string;
  readonly group: FunctionGroup;
  /** `substring(text, start [, count])` */
  readonly signature: string;
  readonly help: string;
  /** A call, and what it gives. */
  readonly example: string;
}

const SYNTAX_HELP: readonly FunctionHelp[] = [
  EXTRACT_HELP,
  {
    name: "cast",
    group: "choice",
    signature: "cast(value AS type)",
    help: "The value as one of another type; what is none is a row error. Also written value::type.",
    example: "cast('12' AS int64) → 12",
  },
  {
    name: "try_cast",
    group: "choice",
    signature: "try_cast(value AS type)",
    help: "The value as one of another type; NULL where it is none.",
    example: "try_cast('x' AS int64) → NULL",
  },
];

/** All functions, also those with a syntax of their own, in alphabetical order. */
export const EXPRESSION_FUNCTIONS: readonly FunctionHelp[] = [
  ...[...FUNCTIONS.values()].map(({ name, group, signature, help, example }) => ({
    name,
    group,
    signature,
    help,
    example,
  })),
  ...SYNTAX_HELP,
].sort((a, b) => (a.name < b.name ? -1 : 1));
