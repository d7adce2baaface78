import type { Diagnostic } from "@codemirror/lint";
import { checkExpression, type Schema } from "../../engine/index.ts";

/**
 * What the engine finds wrong, at the characters where it is. Nothing while the columns are not known: every name would be wrong.
 * Faults that depend on the place of the expression (a filter wants a condition) stand below the field, with all its problems.
 */
export function lintExpression(text: string, schema: Schema | undefined): Diagnostic[] {
  if (schema === undefined || text.trim() === "") return [];
  const checked = checkExpression(text, schema);
  if (checked.kind === "ok") return [];
  return checked.faults.map(({ from, to, message, hint, replacement }) => ({
    from: Math.min(from, text.length - 1),
    to: Math.max(to, Math.min(from + 1, text.length)),
    severity: "error",
    message: hint === undefined ? message : `${message}; ${hint}`,
    actions:
      replacement === undefined
        ? []
        : [
            {
              name: `Use ${replacement}`,
              apply: (view, start, end) => view.dispatch({ changes: { from: start, to: end, insert: replacement } }),
            },
          ],
  }));
}
