import type { GraphDocument } from "./graph-document.ts";
import { type Link, linksFrom, linksTo, type NodeInfo } from "./links.ts";
import type { Analysis } from "./validate.ts";

/**
 * Nodes that share a task, in stream order: source? operator* sink?. Two neighbours are chained when the edge between them is the
 * only one out of the first's `out` and the only one into the second, goes forward, and both have the same parallelism.
 * A node that is chained to nobody is a chain of one.
 *
 * Chains stand in the order of their first nodes in the document.
 */
export function chainsOf(document: GraphDocument, { nodes, links, routes }: Analysis): NodeInfo[][] {
  const next = new Map<string, Link>();
  const chained = new Set<string>();
  if (document.settings.chaining) {
    const from = linksFrom(links);
    const into = linksTo(links);
    for (const link of links) {
      if (routes.get(link)?.kind !== "forward" || !sameParallelism(link)) continue;
      const [first, ...others] = (from.get(link.from.info.node.id) ?? []).filter(
        (each) => each.from.port === link.from.port,
      );
      const alone = first === link && others.length === 0 && into.get(link.to.info.node.id)?.length === 1;
      if (!alone || link.from.port !== mainOutput(link.from.info)) continue;
      next.set(link.from.info.node.id, link);
      chained.add(link.to.info.node.id);
    }
  }
  const heads = [...nodes.values()].filter((info) => !chained.has(info.node.id));
  return heads.map((head) => {
    const chain = [head];
    for (let link = next.get(head.node.id); link !== undefined; link = next.get(link.to.info.node.id)) {
      chain.push(link.to.info);
    }
    return chain;
  });
}

const sameParallelism = ({ from, to }: Link): boolean => from.info.node.parallelism === to.info.node.parallelism;

const mainOutput = (info: NodeInfo): string | undefined => info.outputs?.[0]?.name;
