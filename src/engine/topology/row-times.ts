import { type Link, type Links, linksFrom, linksTo, type NodeInfo } from "./links.ts";

/** Ids of the sources of the rows at some place: of those that have an event time there, and of those that have none. */
export interface Origins {
  readonly timed: ReadonlySet<string>;
  readonly untimed: ReadonlySet<string>;
}

export const bothOf = (parts: readonly Origins[]): Origins => ({
  timed: new Set(parts.flatMap(({ timed }) => [...timed])),
  untimed: new Set(parts.flatMap(({ untimed }) => [...untimed])),
});

const NONE: ReadonlySet<string> = new Set();

/**
 * What each link carries. Whether a row has an event time follows from the configs alone: the source says so, and operators that make times
 * of their own (D-29). Nothing is known of what comes through a node whose config is wrong.
 *
 * @param order topological
 */
export function rowTimes({ nodes, links }: Links, order: readonly string[]): ReadonlyMap<Link, Origins> {
  const into = linksTo(links);
  const out = linksFrom(links);
  const carried = new Map<Link, Origins>();
  for (const id of order) {
    const came = bothOf((into.get(id) ?? []).flatMap((link) => carried.get(link) ?? []));
    const info = nodes.get(id);
    if (info === undefined) continue;
    for (const link of out.get(id) ?? []) carried.set(link, leaving(info, link.from.port, came));
  }
  return carried;
}

function leaving({ node, spec, config }: NodeInfo, port: string, came: Origins): Origins {
  if (spec === undefined || config === undefined) return { timed: NONE, untimed: NONE };
  const all = spec.role === "source" ? new Set([node.id]) : new Set([...came.timed, ...came.untimed]);
  const gives = spec.givesTimes?.(config.value, port);
  if (gives === undefined) return came;
  return gives ? { timed: all, untimed: NONE } : { timed: NONE, untimed: all };
}
