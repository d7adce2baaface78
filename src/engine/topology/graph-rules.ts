import type { GraphDocument, GraphNode } from "./graph-document.ts";
import { type Link, type Links, linksFrom, type NodeInfo, touch } from "./links.ts";
import { type Problem, pointer } from "./problem.ts";
import { quoted, type Report } from "./report.ts";

/** Rules about the shape of the graph as a whole. */

/**
 * Ids in topological order, first come first served in document order; without the nodes on cycles and behind them. Every
 * cycle is reported, self-loops too (one check), each with the edge that closes it.
 */
export function topologicalOrder({ nodes, links }: Links, report: Report): readonly string[] {
  const order = sort([...nodes.keys()], links);
  const left = new Set(nodes.keys());
  for (const id of order) left.delete(id);
  let rest = links.filter((link) => left.has(link.from.info.node.id) && left.has(link.to.info.node.id));
  for (let cycle = findCycle(nodes, rest); cycle !== undefined; cycle = findCycle(nodes, rest)) {
    const closing = cycle.at(-1) as Link;
    reportCycle(cycle, closing, report);
    rest = rest.filter((link) => link !== closing);
  }
  return order;
}

function sort(ids: readonly string[], links: readonly Link[]): string[] {
  const waitsFor = new Map(ids.map((id) => [id, 0]));
  for (const { to } of links) waitsFor.set(to.info.node.id, (waitsFor.get(to.info.node.id) ?? 0) + 1);
  const linksOut = linksFrom(links);
  const order = ids.filter((id) => waitsFor.get(id) === 0);
  for (const id of order) {
    for (const { to } of linksOut.get(id) ?? []) {
      const count = (waitsFor.get(to.info.node.id) as number) - 1;
      waitsFor.set(to.info.node.id, count);
      if (count === 0) order.push(to.info.node.id);
    }
  }
  return order;
}

/** Links of one cycle, beginning at the node of it that is first in the document; depth first, without recursion. */
function findCycle(nodes: ReadonlyMap<string, NodeInfo>, links: readonly Link[]): Link[] | undefined {
  const linksOut = linksFrom(links);
  const done = new Set<string>();
  for (const start of nodes.keys()) {
    const path: { id: string; next: number; via?: Link }[] = [{ id: start, next: 0 }];
    const onPath = new Set([start]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = linksOut.get(top.id)?.[top.next++];
      if (link === undefined) {
        done.add(top.id);
        onPath.delete(top.id);
        path.pop();
        continue;
      }
      const id = link.to.info.node.id;
      if (onPath.has(id)) {
        const from = path.findIndex((step) => step.id === id);
        return [...path.slice(from + 1).map((step) => step.via as Link), link];
      }
      if (done.has(id)) continue;
      onPath.add(id);
      path.push({ id, next: 0, via: link });
    }
  }
  return undefined;
}

function reportCycle(cycle: readonly Link[], closing: Link, report: Report): void {
  const names = cycle.map((link) => link.from.info.node.id);
  const first = names[0] as string;
  report.add({
    code: "cycle",
    node: first,
    edge: closing.edge.id,
    field: "to",
    message: cycle.length === 1 ? `${quoted(first)} feeds itself` : `${[...names, first].join(" → ")} is a cycle`,
    hint: "remove one of its edges: rows flow one way only",
    fix: {
      title: `Remove the edge ${closing.edge.id}`,
      patch: [{ op: "remove", path: pointer("edges", closing.index) }],
    },
  });
}

/**
 * Every input has an edge, one only where the port takes one, and every output leads somewhere. In a graph without cycles
 * it follows that every source reaches a sink and every sink is reached from a source.
 */
export function checkPorts(document: GraphDocument, { nodes, links, touched }: Links, report: Report): void {
  if (document.nodes.length === 0) {
    report.add({ code: "empty-graph", field: "nodes", message: "the graph is empty", hint: "add a source and a sink" });
  }
  for (const info of nodes.values()) {
    const { node, spec } = info;
    for (const { name } of spec?.inputs ?? []) {
      if (touched.has(touch("in", node.id, name))) continue;
      report.add({
        code: "no-input",
        node: node.id,
        field: name,
        message: `nothing comes in at ${quoted(name)}`,
        hint: "connect it",
      });
    }
    for (const { name } of info.outputs ?? []) {
      if (touched.has(touch("out", node.id, name))) continue;
      const hint = "connect it to a sink; sink.blackhole takes what nobody needs";
      report.add({
        code: "no-output",
        node: node.id,
        field: name,
        message: `what leaves at ${quoted(name)} goes nowhere`,
        hint,
        fix: tableFix(document, node, name),
      });
    }
  }
  checkTaken(links, report);
}

/** A table for what leaves at a port, as wide as the node, so that rows can be forwarded; for what is set aside one of its name. */
function tableFix({ nodes, edges }: GraphDocument, { id: from, parallelism }: GraphNode, port: string): Problem["fix"] {
  const id = unusedId(port === "out" ? "table" : port, nodes);
  const edge = unusedId(`${from}-${id}`, edges);
  return {
    title: "Add a table",
    patch: [
      { op: "add", path: "/nodes/-", value: { id, kind: "sink.table", parallelism, config: {} } },
      { op: "add", path: "/edges/-", value: { id: edge, from: { node: from, port }, to: { node: id } } },
    ],
  };
}

function unusedId(wish: string, items: readonly { readonly id: string }[]): string {
  const taken = new Set(items.map(({ id }) => id));
  for (let n = 1; ; n++) {
    const id = n === 1 ? wish : `${wish}-${n}`;
    if (!taken.has(id)) return id;
  }
}

function checkTaken(links: readonly Link[], report: Report): void {
  const taken = new Map<string, Link>();
  const drawn = new Set<string>();
  for (const link of links) {
    const { from, to, edge } = link;
    const fix = {
      title: `Remove the edge ${edge.id}`,
      patch: [{ op: "remove" as const, path: pointer("edges", link.index) }],
    };
    const port = touch("in", to.info.node.id, to.port);
    const first = taken.get(port);
    const pair = `${touch("out", from.info.node.id, from.port)} ${port}`;
    if (to.info.spec?.inputs.find((input) => input.name === to.port)?.many === false && first !== undefined) {
      const message = `${quoted(to.port)} takes one edge, and has ${quoted(first.edge.id)} already`;
      report.add({
        code: "port-taken",
        node: to.info.node.id,
        edge: edge.id,
        field: "to.port",
        message,
        hint: "merge the streams with union before it",
        fix,
      });
    } else if (drawn.has(pair)) {
      const message = `there is an edge from ${quoted(from.info.node.id)} to ${quoted(to.info.node.id)} already`;
      report.add({
        code: "duplicate-edge",
        node: to.info.node.id,
        edge: edge.id,
        field: "to",
        message,
        hint: "remove one",
        fix,
      });
    }
    taken.set(port, link);
    drawn.add(pair);
  }
}

/** Ids of the nodes that `starts` reach, themselves included. */
export function reached(starts: Iterable<string>, links: readonly Link[]): Set<string> {
  const linksOut = linksFrom(links);
  const found = new Set(starts);
  for (const id of found) for (const { to } of linksOut.get(id) ?? []) found.add(to.info.node.id);
  return found;
}

/** Endless exactly-once output is never shown without barriers (D-17). */
export function checkCommits(document: GraphDocument, { nodes, links }: Links, report: Report): void {
  if (document.settings.barrierEveryMs !== 0) return;
  const infos = [...nodes.values()];
  const endless = infos.filter(({ spec, config }) => config !== undefined && spec?.endless?.(config.value));
  const never = reached(
    endless.map(({ node }) => node.id),
    links,
  );
  for (const { node, spec, config } of infos) {
    if (config === undefined || spec?.delivery?.(config.value) !== "exactly-once" || !never.has(node.id)) continue;
    report.add({
      code: "never-committed",
      node: node.id,
      field: "config.delivery",
      message: "the input never ends and no barrier comes, so nothing would ever be shown",
      hint: "set settings.barrierEveryMs, or make the delivery at-least-once",
      fix: { title: "A barrier each second", patch: [{ op: "add", path: "/settings/barrierEveryMs", value: 1000 }] },
    });
  }
}
