import type { GraphDocument } from "../topology/graph-document.ts";
import { documentOf } from "../topology/parse-document.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { planOf } from "../topology/plan.ts";
import { validate } from "../topology/validate.ts";

/** A document that a test wrote, checked and planned. @throws Error with every problem */
export function planned(value: unknown): { readonly document: GraphDocument; readonly plan: Plan } {
  const parsed = documentOf(value);
  if (parsed.kind === "problems") throw new Error(JSON.stringify(parsed.problems));
  const problems = validate(parsed.document);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return { document: parsed.document, plan: planOf(parsed.document) };
}
