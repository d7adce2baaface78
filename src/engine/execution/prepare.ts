import type { FileStore } from "../base/files.ts";
import { guessSchema } from "../formats/guess.ts";
import type { GraphDocument } from "../topology/graph-document.ts";
import { parseDocument } from "../topology/parse-document.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { planOf } from "../topology/plan.ts";
import type { Problem } from "../topology/problem.ts";
import { resolveSchemas } from "../topology/resolve-schemas.ts";
import { validate } from "../topology/validate.ts";

export type Prepared =
  | {
      readonly kind: "ready";
      /** With the guessed columns of files stored in it. */
      readonly document: GraphDocument;
      readonly plan: Plan;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

/**
 * From the text of a document to its plan: the one way in for the command line, the page and the library. Every problem is reported
 * at once; nothing is half-loaded.
 *
 * @param files opens the paths of the document once `document` is known: attached data is part of it
 */
export async function prepare(text: string, files: (document: GraphDocument) => FileStore): Promise<Prepared> {
  const parsed = parseDocument(text);
  const shape = parsed.kind === "problems" ? parsed.problems : [];
  const rest = parsed.kind === "problems" ? parsed.rest : { document: parsed.document, malformed: undefined };
  if (rest === undefined) return { kind: "problems", problems: shape };
  const { document, problems: known } = await resolveSchemas(rest.document, files(rest.document), guessSchema);
  const problems = [...shape, ...validate(document, { known, malformed: rest.malformed })];
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "ready", document, plan: planOf(document) };
}
