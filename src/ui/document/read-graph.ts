import { applyPatch, type GraphDocument, type Problem, parseDocument, validate } from "../../engine/index.ts";
import { placeMissing } from "./place-missing.ts";

/** The one door through which graphs come in: files, links, the clipboard, examples, this browser's library (P-61). */
export type ReadGraph =
  | { readonly kind: "graph"; readonly graph: GraphDocument }
  | {
      readonly kind: "refused";
      readonly problems: readonly Problem[];
      /** The graph as the problems' own repairs make it, when they make a sound one. */
      readonly repaired: GraphDocument | undefined;
    };

/**
 * Faults that no editor can draw around: ids that name two things, edges that lead nowhere. Everything else (a config that is
 * not complete, columns that do not fit) is work in progress: the graph opens and the problems are listed.
 */
const STRUCTURAL = new Set(["duplicate-id", "unknown-node", "unknown-kind"]);

export function readGraph(text: string): ReadGraph {
  const parsed = parseDocument(text);
  if (parsed.kind === "document") return accept(parsed.document);
  const further = parsed.rest === undefined ? [] : validate(parsed.rest.document, { malformed: parsed.rest.malformed });
  return { kind: "refused", problems: [...parsed.problems, ...further.filter(isStructural)], repaired: undefined };
}

function accept(graph: GraphDocument): ReadGraph {
  const problems = validate(graph).filter(isStructural);
  if (problems.length === 0) return { kind: "graph", graph: placeMissing(graph) };
  return { kind: "refused", problems, repaired: repair(graph) };
}

/** A file with more faults is better repaired where it was made. */
const MOST_REPAIRS = 50;

const isStructural = (problem: Problem): boolean => STRUCTURAL.has(problem.code);

/** Each repair may solve several problems and moves positions, so they are made one by one. */
function repair(graph: GraphDocument): GraphDocument | undefined {
  let current = graph;
  for (let rounds = 0; rounds < MOST_REPAIRS; rounds++) {
    const problems = validate(current).filter(isStructural);
    if (problems.length === 0) return placeMissing(current);
    const fix = problems.find((problem) => problem.fix !== undefined)?.fix;
    if (fix === undefined) return undefined;
    current = applyPatch(current, fix.patch);
  }
  return undefined;
}
