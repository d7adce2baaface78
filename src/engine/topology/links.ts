import { closest } from "../base/edit-distance.ts";
import type { Catalog, KindSpec, OutputPort } from "../operators/catalog.ts";
import type { GraphDocument, GraphEdge, GraphEdgeEnd, GraphNode } from "./graph-document.ts";
import type { Malformed } from "./parse-document.ts";
import { pointer } from "./problem.ts";
import { quoted, type Report } from "./report.ts";
import { problemsOf } from "./zod-problems.ts";

/** A node with what the catalog says about it. */
export interface NodeInfo {
  readonly node: GraphNode;
  readonly index: number;
  /** `undefined` for a kind that is not there, or a node whose shape is wrong. */
  readonly spec: KindSpec | undefined;
  /** As the kind's schema parses it; `undefined` where that fails. */
  readonly config: { readonly value: unknown } | undefined;
  /** `undefined` when they are not known because the config is wrong. */
  readonly outputs: readonly OutputPort[] | undefined;
}

/** One end of an edge: `port` is filled in. */
export interface LinkEnd {
  readonly info: NodeInfo;
  readonly port: string;
}

/** An edge whose both ends exist. */
export interface Link {
  readonly edge: GraphEdge;
  readonly index: number;
  readonly from: LinkEnd;
  readonly to: LinkEnd;
}

export interface Links {
  /** By id, in document order; of two nodes with one id the first. */
  readonly nodes: ReadonlyMap<string, NodeInfo>;
  readonly links: readonly Link[];
  /** Ports that an edge touches, also one whose other end is wrong: `in node port`, `out node port`. */
  readonly touched: ReadonlySet<string>;
}

/** Links by the id of the node that they leave. */
export const linksFrom = (links: readonly Link[]): ReadonlyMap<string, readonly Link[]> =>
  grouped(links, (link) => link.from.info.node.id);

/** Links by the id of the node that they enter. */
export const linksTo = (links: readonly Link[]): ReadonlyMap<string, readonly Link[]> =>
  grouped(links, (link) => link.to.info.node.id);

function grouped(links: readonly Link[], key: (link: Link) => string): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const group = groups.get(key(link));
    if (group === undefined) groups.set(key(link), [link]);
    else group.push(link);
  }
  return groups;
}

export const touch = (side: "in" | "out", node: string, port: string): string => `${side} ${node} ${port}`;

/** Resolves nodes against the catalog and edges against nodes and ports, reporting what does not fit. */
export function linksOf(
  document: GraphDocument,
  catalog: Catalog,
  malformed: Malformed | undefined,
  report: Report,
): Links {
  const nodes = new Map<string, NodeInfo>();
  document.nodes.forEach((node, index) => {
    const info = malformed?.nodes.has(index) ? unknownNode(node, index) : nodeInfo(node, index, catalog, report);
    if (nodes.has(node.id)) reportDuplicate(node, index, nodes, report);
    else nodes.set(node.id, info);
  });
  const touched = new Set<string>();
  const links: Link[] = [];
  const ids = new Set<string>();
  document.edges.forEach((edge, index) => {
    if (malformed?.edges.has(index)) return;
    if (ids.has(edge.id)) {
      report.add({
        code: "duplicate-id",
        edge: edge.id,
        field: "id",
        message: `there are two edges ${quoted(edge.id)}`,
        hint: "give one another id",
        fix: {
          title: "Give it another id",
          patch: [
            {
              op: "replace",
              path: pointer("edges", index, "id"),
              value: freeName(
                edge.id,
                document.edges.map((each) => each.id),
              ),
            },
          ],
        },
      });
    }
    ids.add(edge.id);
    const ends = new EndReader(nodes, edge, index, report);
    const from = ends.read("from");
    const to = ends.read("to");
    if (from !== undefined) touched.add(touch("out", from.info.node.id, from.port));
    if (to !== undefined) touched.add(touch("in", to.info.node.id, to.port));
    if (from !== undefined && to !== undefined) links.push({ edge, index, from, to });
  });
  return { nodes, links, touched };
}

const unknownNode = (node: GraphNode, index: number): NodeInfo => ({
  node,
  index,
  spec: undefined,
  config: undefined,
  outputs: undefined,
});

function nodeInfo(node: GraphNode, index: number, catalog: Catalog, report: Report): NodeInfo {
  const spec = catalog.get(node.kind);
  if (spec === undefined) {
    reportUnknownKind(node, index, catalog, report);
    return unknownNode(node, index);
  }
  const place = { node: node.id, at: ["nodes", index, "config"], field: ["config"] };
  const parsed = spec.config.safeParse(node.config);
  if (!parsed.success) {
    report.problems.push(...problemsOf(parsed.error.issues, spec.config, node.config, place));
    return { node, index, spec, config: undefined, outputs: undefined };
  }
  for (const problem of spec.check?.(parsed.data) ?? []) reportConfig({ node, index }, problem, report);
  return { node, index, spec, config: { value: parsed.data }, outputs: spec.outputs(parsed.data) };
}

/** A problem that a kind found in its config, placed in the document. */
export function reportConfig(
  { node, index }: { readonly node: GraphNode; readonly index: number },
  problem: NonNullable<ReturnType<NonNullable<KindSpec["check"]>>>[number],
  report: Report,
): void {
  const base = pointer("nodes", index, "config");
  const fix = problem.fix && {
    title: problem.fix.title,
    patch: problem.fix.patch.map((operation) => ({ ...operation, path: base + operation.path })),
  };
  report.add({ ...problem, node: node.id, field: problem.field === "" ? "config" : `config.${problem.field}`, fix });
}

function reportUnknownKind(node: GraphNode, index: number, catalog: Catalog, report: Report): void {
  const near = closest(node.kind, catalog.keys());
  const hint = near === undefined ? `the kinds are ${[...catalog.keys()].join(", ")}` : `did you mean ${near}?`;
  const fix =
    near === undefined
      ? undefined
      : {
          title: `Use ${near}`,
          patch: [{ op: "replace" as const, path: pointer("nodes", index, "kind"), value: near }],
        };
  report.add({
    code: "unknown-kind",
    node: node.id,
    field: "kind",
    message: `there is no kind ${quoted(node.kind)}`,
    hint,
    fix,
  });
}

function reportDuplicate(node: GraphNode, index: number, nodes: ReadonlyMap<string, NodeInfo>, report: Report): void {
  const name = freeName(node.id, nodes.keys());
  const patch = [{ op: "replace" as const, path: pointer("nodes", index, "id"), value: name }];
  report.add({
    code: "duplicate-id",
    node: node.id,
    field: "id",
    message: `there are two nodes ${quoted(node.id)}`,
    hint: "give one another id",
    fix: { title: `Rename the second to ${name}`, patch },
  });
}

/** `name-2`, `name-3`… */
function freeName(name: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  for (let i = 2; ; i++) if (!names.has(`${name}-${i}`)) return `${name}-${i}`;
}

/** Resolves the two ends of one edge. */
class EndReader {
  private readonly nodes: ReadonlyMap<string, NodeInfo>;
  private readonly edge: GraphEdge;
  private readonly index: number;
  private readonly report: Report;

  constructor(nodes: ReadonlyMap<string, NodeInfo>, edge: GraphEdge, index: number, report: Report) {
    this.nodes = nodes;
    this.edge = edge;
    this.index = index;
    this.report = report;
  }

  read(side: "from" | "to"): LinkEnd | undefined {
    const end = this.edge[side];
    const info = this.nodes.get(end.node);
    if (info === undefined) {
      this.wrong("unknown-node", side, "node", `there is no node ${quoted(end.node)}`, end.node, [
        ...this.nodes.keys(),
      ]);
      return undefined;
    }
    const port = this.port(side, end, info);
    return port === undefined ? undefined : { info, port };
  }

  private port(side: "from" | "to", end: GraphEdgeEnd, info: NodeInfo): string | undefined {
    const { spec } = info;
    if (spec === undefined) return end.port ?? (side === "from" ? "out" : "in");
    if (side === "from" ? spec.role === "sink" : spec.role === "source") return this.wrongDirection(side, info);
    const ports = side === "from" ? info.outputs?.map((each) => each.name) : spec.inputs.map((each) => each.name);
    // The outputs of a node whose config is wrong are not known: any name may be one of them.
    if (ports === undefined) return end.port ?? "out";
    if (end.port === undefined) {
      if (side === "from" || ports.length === 1) return ports[0];
      this.wrong(
        "missing-port",
        side,
        "port",
        `${quoted(info.node.id)} has the inputs ${ports.join(" and ")}`,
        "",
        [],
        "say which one",
      );
      return undefined;
    }
    if (ports.includes(end.port)) return end.port;
    const what = side === "from" ? "output" : "input";
    this.wrong(
      "unknown-port",
      side,
      "port",
      `${quoted(info.node.id)} has no ${what} ${quoted(end.port)}`,
      end.port,
      ports,
    );
    return undefined;
  }

  private wrongDirection(side: "from" | "to", info: NodeInfo): undefined {
    const what = side === "from" ? "a sink, which has no output" : "a source, which has no input";
    this.report.add({
      code: side === "from" ? "sink-with-output" : "source-with-input",
      node: info.node.id,
      edge: this.edge.id,
      field: side,
      message: `${quoted(info.node.id)} is ${what}`,
      hint: "remove the edge",
      fix: { title: "Remove the edge", patch: [{ op: "remove", path: pointer("edges", this.index) }] },
    });
    return undefined;
  }

  private wrong(
    code: string,
    side: "from" | "to",
    field: "node" | "port",
    message: string,
    name: string,
    names: readonly string[],
    advice?: string,
  ): void {
    const near = closest(name, names);
    const others = names.length > 0 && names.length <= 8 ? `there is ${names.join(", ")}` : undefined;
    this.report.add({
      code,
      node: field === "port" ? this.edge[side].node : undefined,
      edge: this.edge.id,
      field: `${side}.${field}`,
      message,
      hint: advice ?? (near === undefined ? (others ?? "remove the edge") : `did you mean ${near}?`),
      fix:
        near === undefined
          ? { title: "Remove the edge", patch: [{ op: "remove", path: pointer("edges", this.index) }] }
          : {
              title: `Use ${near}`,
              patch: [
                {
                  op: "replace",
                  path: pointer("edges", this.index, side),
                  value: { ...this.edge[side], [field]: near },
                },
              ],
            },
    });
  }
}
