import { type Links, linksTo } from "./links.ts";
import { quoted, type Report } from "./report.ts";

/**
 * A changelog reaches only kinds that know what one is: those that pass it on, and at its end those that take it (sinks). To any
 * other an update would be one more row.
 *
 * @param order topological
 */
export function checkChangelogs({ nodes, links }: Links, order: readonly string[], report: Report): void {
  const into = linksTo(links);
  /** The node that made the changelog which leaves this one. */
  const from = new Map<string, string>();
  for (const id of order) {
    const info = nodes.get(id);
    if (info?.spec === undefined) continue;
    const { spec, config } = info;
    if (config !== undefined && spec.sendsChangelog?.(config.value)) from.set(id, id);
    for (const link of into.get(id) ?? []) {
      const maker = from.get(link.from.info.node.id);
      if (maker === undefined) continue;
      if (spec.changelog === "passes" && !from.has(id)) from.set(id, maker);
      if (spec.changelog !== undefined) continue;
      report.add({
        code: "changelog-refused",
        node: id,
        edge: link.edge.id,
        field: link.to.port,
        message: `${quoted(maker)} sends a changelog, and ${spec.title} would count each of its updates as one more row`,
        hint: "send it to a sink, or compute the result by window instead",
      });
    }
  }
}
