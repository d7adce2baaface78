import { errorLine, WeirError } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";
import type { GraphDocument, GraphDocumentInput } from "../topology/graph-document.ts";
import { writeJson } from "../topology/json-write.ts";
import { serializeDocument } from "../topology/parse-document.ts";
import type { Plan } from "../topology/physical-plan.ts";
import type { Problem } from "../topology/problem.ts";
import { prepare } from "./prepare.ts";

/** A document that cannot run: every problem, with node and field. */
export class GraphError extends WeirError {
  override readonly name = "GraphError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super({ code: "invalid-graph", domain: "graph", message: problems.map(errorLine).join("\n") });
    this.problems = problems;
  }
}

/** A graph that was checked and planned: what the executors run. */
export class Graph {
  /** With the guessed columns of files stored in it. */
  readonly document: GraphDocument;
  readonly plan: Plan;

  private constructor(document: GraphDocument, plan: Plan) {
    this.document = document;
    this.plan = plan;
  }

  /**
   * @param source text of a document, or the document itself
   * @param files opens the paths of the document; attached data is part of it
   * @throws GraphError naming every problem at once
   */
  static async load(
    source: string | GraphDocumentInput,
    files: (document: GraphDocument) => FileStore,
  ): Promise<Graph> {
    const prepared = await prepare(typeof source === "string" ? source : writeJson(source), files);
    if (prepared.kind === "problems") throw new GraphError(prepared.problems);
    return new Graph(prepared.document, prepared.plan);
  }

  /** The document as text, for a file. */
  toString(): string {
    return serializeDocument(this.document);
  }
}
