import { closest } from "../base/edit-distance.ts";
import { toErrorData } from "../base/errors.ts";
import {
  edgeSchema,
  GRAPH_FORMAT,
  type GraphDocument,
  type GraphEdge,
  type GraphNode,
  graphDocumentSchema,
  nodeSchema,
} from "./graph-document.ts";
import { parseJson } from "./json-text.ts";
import { writeJson } from "./json-write.ts";
import { type Problem, pointer } from "./problem.ts";
import { valueAt } from "./schema-walk.ts";
import { problemsOf, shown } from "./zod-problems.ts";

/** Positions of the nodes and edges whose shape is wrong; in their place stand empty ones that nothing is said about. */
export interface Malformed {
  readonly nodes: ReadonlySet<number>;
  readonly edges: ReadonlySet<number>;
}

export type ParsedDocument =
  | { readonly kind: "document"; readonly document: GraphDocument }
  | {
      readonly kind: "problems";
      readonly problems: readonly Problem[];
      /** What is well-formed, so that `validate` can look for further problems; `undefined` when nothing can be said. */
      readonly rest?: { readonly document: GraphDocument; readonly malformed: Malformed } | undefined;
    };

/**
 * A document from its text: shape, format and version; what the kinds demand is `validate`'s. Integers beyond 2^53 keep every
 * digit as bigint (P-02).
 */
export function parseDocument(text: string): ParsedDocument {
  try {
    return documentOf(parseJson(text));
  } catch (error) {
    const data = toErrorData(error, { code: "not-json", domain: "graph" });
    return { kind: "problems", problems: [{ ...data, domain: "graph" }] };
  }
}

/** Text that `parseDocument` makes the same document of; short, stable, for people and version control. */
export function serializeDocument(document: GraphDocument): string {
  return writeJson(document);
}

/** A document from a value: the same checks as from text. */
export function documentOf(value: unknown): ParsedDocument {
  const refused = formatProblem(value);
  if (refused !== undefined) return { kind: "problems", problems: [refused] };
  const parsed = graphDocumentSchema.safeParse(value);
  const lost = Object.hasOwn((valueAt(value, ["data"]) as object | undefined) ?? {}, "__proto__");
  if (parsed.success && !lost) return { kind: "document", document: parsed.data };
  const problems = lost ? [badAttachedName] : [];
  if (parsed.success) return { kind: "problems", problems, rest: undefined };
  return {
    kind: "problems",
    problems: [...problems, ...shapeProblems(parsed.error.issues, value)],
    rest: wellFormed(value),
  };
}

const badAttachedName: Problem = {
  code: "bad-value",
  domain: "graph",
  field: "data.__proto__",
  message: "an attached file cannot be named __proto__",
  hint: "choose another name",
};

/** Whether the value is a document of this version at all; anything else about it would only confuse. */
function formatProblem(value: unknown): Problem | undefined {
  const refuse = (code: string, message: string, hint: string): Problem => ({
    code,
    domain: "graph",
    field: "format",
    message,
    hint,
  });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(
      "not-a-graph",
      `this is ${shown(value)}, not a graph document`,
      `a document is an object with "format": "${GRAPH_FORMAT}"`,
    );
  }
  const format = valueAt(value, ["format"]);
  if (format === GRAPH_FORMAT) return undefined;
  if (format === undefined) {
    const looksLikeOne = Array.isArray(valueAt(value, ["nodes"]));
    const message = looksLikeOne ? "the format is missing" : "this is no graph document";
    const problem = refuse(
      looksLikeOne ? "missing-field" : "not-a-graph",
      message,
      `a document has "format": "${GRAPH_FORMAT}"`,
    );
    if (!looksLikeOne) return problem;
    return {
      ...problem,
      fix: { title: "Add the format", patch: [{ op: "add", path: "/format", value: GRAPH_FORMAT }] },
    };
  }
  const version = typeof format === "string" ? /^weir\.graph\/v(\d+)/.exec(format) : null;
  if (version !== null && Number(version[1]) > 1) {
    return refuse(
      "newer-version",
      `this document is ${format}, made by a newer Weir; this one reads ${GRAPH_FORMAT}`,
      "update Weir",
    );
  }
  const near = typeof format === "string" ? closest(format, [GRAPH_FORMAT]) : undefined;
  const problem = refuse(
    "unknown-format",
    `${shown(format)} is no format that Weir reads`,
    `a document has "format": "${GRAPH_FORMAT}"`,
  );
  if (near === undefined) return problem;
  return { ...problem, fix: { title: `Use ${near}`, patch: [{ op: "replace", path: "/format", value: near }] } };
}

type Issues = NonNullable<ReturnType<typeof graphDocumentSchema.safeParse>["error"]>["issues"];

/** Problems of nodes and edges carry their ids, where those can be read. */
function shapeProblems(issues: Issues, value: unknown): Problem[] {
  return issues.flatMap((issue) => {
    const [list, index, ...path] = issue.path;
    if ((list !== "nodes" && list !== "edges") || typeof index !== "number") {
      return problemsOf([issue], graphDocumentSchema, value, { at: [], field: [] });
    }
    const element = valueAt(value, [list, index]);
    const id = valueAt(element, ["id"]);
    const named = typeof id === "string" && id !== "" && path[0] !== "id";
    const key = list === "nodes" ? "node" : "edge";
    return problemsOf([{ ...issue, path }], list === "nodes" ? nodeSchema : edgeSchema, element, {
      [key]: named ? id : undefined,
      at: [list, index],
      field: named ? [] : [list, index],
    });
  });
}

function wellFormed(value: unknown): { document: GraphDocument; malformed: Malformed } | undefined {
  const nodes = salvage(valueAt(value, ["nodes"]), (each) => nodeSchema.safeParse(each), emptyNode);
  const edges = salvage(valueAt(value, ["edges"]) ?? [], (each) => edgeSchema.safeParse(each), emptyEdge);
  if (nodes === undefined || edges === undefined) return undefined;
  const whole = graphDocumentSchema.safeParse({ format: GRAPH_FORMAT, nodes: [] });
  if (!whole.success) return undefined;
  const settings = graphDocumentSchema.shape.settings.safeParse(valueAt(value, ["settings"]));
  const data = graphDocumentSchema.shape.data.safeParse(valueAt(value, ["data"]));
  return {
    document: {
      ...whole.data,
      settings: settings.success ? settings.data : whole.data.settings,
      nodes: nodes.elements,
      edges: edges.elements,
      data: data.success ? data.data : undefined,
    },
    malformed: { nodes: nodes.malformed, edges: edges.malformed },
  };
}

/** Each element as parsed, or an empty one in its place, so that positions stay what they are in the text. */
function salvage<T>(
  list: unknown,
  parse: (value: unknown) => { success: true; data: T } | { success: false },
  empty: (value: unknown, index: number) => T,
): { elements: T[]; malformed: Set<number> } | undefined {
  if (!Array.isArray(list)) return undefined;
  const malformed = new Set<number>();
  const elements = list.map((each: unknown, index) => {
    const parsed = parse(each);
    if (parsed.success) return parsed.data;
    malformed.add(index);
    return empty(each, index);
  });
  return { elements, malformed };
}

function emptyNode(value: unknown, index: number): GraphNode {
  const id = valueAt(value, ["id"]);
  return { id: typeof id === "string" ? id : pointer("nodes", index), kind: "", parallelism: 1, config: {} };
}

const emptyEdge = (_: unknown, index: number): GraphEdge => ({
  id: pointer("edges", index),
  from: { node: "" },
  to: { node: "" },
});
