import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { EXPRESSION_FUNCTIONS, EXPRESSION_KEYWORDS, quotedName, type Schema, typeName } from "../../engine/index.ts";

const FUNCTIONS: readonly Completion[] = EXPRESSION_FUNCTIONS.map(({ name, signature, help, example }) =>
  snippetCompletion(`${name}(\${})`, {
    label: name,
    detail: signature.slice(name.length),
    info: `${help}\n${example}`,
    type: "function",
  }),
);

const KEYWORDS: readonly Completion[] = EXPRESSION_KEYWORDS.map((label) => ({ label, type: "keyword", boost: -10 }));

/** The columns that come in, the functions with what they do, and the words of the language. */
export function completeExpression(context: CompletionContext, schema: Schema | undefined): CompletionResult | null {
  const word = context.matchBefore(/"[^"]*|[\p{L}_][\p{L}\p{N}_$]*/u);
  if (word === null && !context.explicit) return null;
  const columns = (schema?.fields ?? []).map(
    ({ name, type }): Completion => ({
      label: name,
      apply: quotedName(name),
      detail: typeName(type),
      type: "variable",
      boost: 10,
    }),
  );
  return {
    from: word?.from ?? context.pos,
    options: [...columns, ...FUNCTIONS, ...KEYWORDS],
    validFor: /^[\p{L}\p{N}_$]*$/u,
  };
}
