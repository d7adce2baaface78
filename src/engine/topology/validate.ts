import { CATALOG, type Catalog } from "../operators/catalog.ts";
import { checkChangelogs } from "./changelog-rules.ts";
import { checkEventTimes } from "./event-time-rules.ts";
import { checkFiles } from "./files-rules.ts";
import { type GraphDocument, type GraphRoute, settingsSchema } from "./graph-document.ts";
import { checkCommits, checkPorts, topologicalOrder } from "./graph-rules.ts";
import { type Link, type Links, linksOf } from "./links.ts";
import type { Malformed } from "./parse-document.ts";
import { type Problem, pointer } from "./problem.ts";
import { Report } from "./report.ts";
import { routesOf } from "./routes.ts";
import { flowSchemas, type NodeSchemas } from "./schema-flow.ts";
import { problemsOf } from "./zod-problems.ts";

export interface ValidateOptions {
  /** The kinds there are; a test may bring its own. */
  readonly catalog?: Catalog | undefined;
  /** Problems found before, by `resolveSchemas`; they come first, and what only follows from them is left out. */
  readonly known?: readonly Problem[] | undefined;
  /** Elements to say nothing about (`parseDocument`). Rules about the graph as a whole are then left out. */
  readonly malformed?: Malformed | undefined;
}

/** A document against a catalog: everything found wrong, and everything that is known all the same. */
export interface Analysis extends Links {
  readonly problems: readonly Problem[];
  /** By node id, where they are known. */
  readonly schemas: ReadonlyMap<string, NodeSchemas>;
  readonly routes: ReadonlyMap<Link, GraphRoute>;
}

/** Every problem of the document at once, nothing run. None: `planOf` accepts it. */
export function validate(document: GraphDocument, options: ValidateOptions = {}): Problem[] {
  return [...analyse(document, options).problems];
}

/** Schemas, routes and links as far as they can be told, and every problem; what the page shows while a person draws. */
export function analyse(
  document: GraphDocument,
  { catalog = CATALOG, known = [], malformed }: ValidateOptions = {},
): Analysis {
  const report = new Report();
  report.problems.push(...known);
  if (malformed === undefined) checkSettings(document, report);
  checkParallelism(document, report);
  const links = linksOf(document, catalog, malformed, report);
  const order = topologicalOrder(links, report);
  if (malformed === undefined) checkPorts(document, links, report);
  const schemas = flowSchemas(links, order, report);
  const routes = routesOf(links, schemas, report);
  if (malformed === undefined) {
    checkEventTimes(document, links, order, schemas, report);
    checkCommits(document, links, report);
  }
  checkChangelogs(links, order, report);
  checkFiles(document, links, report);
  checkSize(document, links.links, routes, report);
  return { ...links, schemas, routes, problems: withoutEchoes(report.problems, known) };
}

/**
 * A file that cannot be read has said so; that its columns are not known follows from it. That an attached one cannot be read follows from
 * that there is none, which is told with what to do.
 */
function withoutEchoes(problems: readonly Problem[], known: readonly Problem[]): Problem[] {
  const said = new Set(known.map((problem) => problem.node));
  const absent = new Set(problems.filter(({ code }) => code === "unknown-file").map((problem) => problem.node));
  return problems.filter((problem) =>
    problem.code === "schema-unknown"
      ? !said.has(problem.node)
      : !(known.includes(problem) && absent.has(problem.node)),
  );
}

/** A text with wrong settings is no document, but settings that a person types may be. */
function checkSettings({ settings }: GraphDocument, report: Report): void {
  const parsed = settingsSchema.safeParse(settings);
  if (parsed.success) return;
  const place = { at: ["settings"], field: ["settings"] };
  report.problems.push(...problemsOf(parsed.error.issues, settingsSchema, settings, place));
}

function checkParallelism({ nodes, settings }: GraphDocument, report: Report): void {
  nodes.forEach((node, index) => {
    if (node.parallelism <= settings.vnodes) return;
    report.add({
      code: "parallelism-above-vnodes",
      node: node.id,
      field: "parallelism",
      message: `parallelism ${node.parallelism} is above settings.vnodes, which is ${settings.vnodes}`,
      hint: "lower it, or raise vnodes",
      fix: {
        title: `Set it to ${settings.vnodes}`,
        patch: [{ op: "replace", path: pointer("nodes", index, "parallelism"), value: settings.vnodes }],
      },
    });
  });
}

/** Beyond these a run is no use on one machine, and planning it would take the page down. */
const MOST_TASKS = 4096;
const MOST_EDGES = 65_536;

function checkSize({ nodes }: GraphDocument, links: readonly Link[], routes: Analysis["routes"], report: Report): void {
  const tasks = nodes.reduce((sum, node) => sum + node.parallelism, 0);
  const edges = links.reduce((sum, link) => {
    const targets = routes.get(link)?.kind === "forward" ? 1 : link.to.info.node.parallelism;
    return sum + link.from.info.node.parallelism * targets;
  }, 0);
  const hint = "lower the parallelism";
  if (tasks > MOST_TASKS) {
    const message = `the graph has ${tasks} tasks, and at most ${MOST_TASKS} are possible`;
    report.add({ code: "too-large", field: "nodes", message, hint });
  }
  if (edges > MOST_EDGES) {
    const message = `the graph has ${edges} physical edges, and at most ${MOST_EDGES} are possible`;
    report.add({ code: "too-large", field: "edges", message, hint });
  }
}
