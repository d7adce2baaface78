import { closest } from "../base/edit-distance.ts";
import type { Schema } from "../data/schema.ts";
import type { GraphRoute } from "./graph-document.ts";
import { type Link, type Links, linksTo } from "./links.ts";
import { type Fix, pointer } from "./problem.ts";
import { listed, quoted, type Report } from "./report.ts";
import { carried, type NodeSchemas } from "./schema-flow.ts";

/**
 * The route of every link, by the link's edge id: as written, or forward where it is left out and that is legal. Reports
 * what cannot be: an illegal forward, a keyed input that is not fed by its keys, shuffle columns that do not exist.
 */
export function routesOf(
  { nodes, links }: Links,
  schemas: ReadonlyMap<string, NodeSchemas>,
  report: Report,
): ReadonlyMap<Link, GraphRoute> {
  const routes = new Map<Link, GraphRoute>();
  for (const link of links) {
    const route = routeOf(link, report);
    if (route === undefined) continue;
    routes.set(link, route);
    const schema = carried(link, schemas);
    if (route.kind === "shuffle" && schema !== undefined) checkColumns(link, route.columns, schema, report);
  }
  const into = linksTo(links);
  for (const id of nodes.keys()) checkCorresponding(into.get(id) ?? [], routes, report);
  return routes;
}

/** Key columns of the port that the link feeds; `undefined` when it is not keyed. */
function keysOf({ to }: Link): readonly string[] | undefined {
  const { spec, config } = to.info;
  return config === undefined ? undefined : spec?.keys?.(config.value)[to.port];
}

function routeOf(link: Link, report: Report): GraphRoute | undefined {
  const { route } = link.edge;
  const from = link.from.info.node.parallelism;
  const to = link.to.info.node.parallelism;
  const keys = keysOf(link);
  if (keys !== undefined && to > 1) {
    if (route?.kind === "shuffle" && route.columns.every((column) => keys.includes(column))) return route;
    reportUnkeyed(link, keys, report);
    return undefined;
  }
  if (route !== undefined && route.kind !== "forward") return route;
  if (from === to || to === 1) return { kind: "forward" };
  const way = `from ${from} to ${to} subtasks`;
  report.add({
    code: route === undefined ? "missing-route" : "forward-parallelism",
    node: link.to.info.node.id,
    edge: link.edge.id,
    field: "route",
    message:
      route === undefined
        ? `the edge needs a route, because forward does not lead ${way}`
        : `forward does not lead ${way}`,
    hint: "use rebalance, shuffle or broadcast, or make the parallelism equal",
    fix: setRoute(link, { kind: "rebalance" }),
  });
  return undefined;
}

const setRoute = (link: Link, route: GraphRoute): Fix => ({
  title: route.kind === "shuffle" ? `Shuffle on ${listed(route.columns) || "no columns"}` : `Route by ${route.kind}`,
  patch: [{ op: "add", path: pointer("edges", link.index, "route"), value: route }],
});

function reportUnkeyed(link: Link, keys: readonly string[], report: Report): void {
  const { route } = link.edge;
  const by =
    keys.length === 0
      ? "a shuffle without columns"
      : `a shuffle on ${listed(keys.map(quoted))}${keys.length > 1 ? " or some of them" : ""}`;
  const is =
    route === undefined
      ? "has no route"
      : route.kind === "shuffle"
        ? `is shuffled on ${listed(route.columns.map(quoted))}`
        : `is ${route.kind}`;
  report.add({
    code: "keyed-without-shuffle",
    node: link.to.info.node.id,
    edge: link.edge.id,
    field: "route",
    message: `with ${link.to.info.node.parallelism} subtasks ${quoted(link.to.info.node.id)} must be fed by ${by}, and the edge ${is}`,
    hint: "rows of one key must meet in one subtask",
    fix: setRoute(link, { kind: "shuffle", columns: [...keys] }),
  });
}

function checkColumns(link: Link, columns: readonly string[], schema: Schema, report: Report): void {
  columns.forEach((column, index) => {
    if (schema.indexOf(column) >= 0) return;
    const near = closest(column, schema.names);
    const path = pointer("edges", link.index, "route", "columns", index);
    report.add({
      code: "unknown-column",
      node: link.from.info.node.id,
      edge: link.edge.id,
      field: `route.columns[${index}]`,
      message: `there is no column ${quoted(column)} at ${quoted(link.from.port)}`,
      hint:
        near === undefined ? `the columns are ${schema.names.join(", ") || "none"}` : `did you mean ${quoted(near)}?`,
      fix:
        near === undefined
          ? undefined
          : { title: `Use ${quoted(near)}`, patch: [{ op: "replace", path, value: near }] },
    });
  });
}

/** Inputs that are matched by key meet only when each is shuffled on the same places of its key list, in the same order. */
function checkCorresponding(links: readonly Link[], routes: ReadonlyMap<Link, GraphRoute>, report: Report): void {
  const keyed = links.flatMap((link) => {
    const keys = keysOf(link);
    const route = routes.get(link);
    if (keys === undefined || route?.kind !== "shuffle" || link.to.info.node.parallelism === 1) return [];
    return [{ link, keys, places: route.columns.map((column) => keys.indexOf(column)) }];
  });
  const first = keyed[0];
  if (first === undefined) return;
  for (const other of keyed.slice(1)) {
    if (other.link.to.port === first.link.to.port || String(other.places) === String(first.places)) continue;
    const wanted = first.places.map((place) => other.keys[place] ?? "");
    report.add({
      code: "shuffles-do-not-correspond",
      node: other.link.to.info.node.id,
      edge: other.link.edge.id,
      field: "route.columns",
      message: `${quoted(first.link.to.port)} and ${quoted(other.link.to.port)} are shuffled on keys that do not correspond, so equal keys would not meet`,
      hint: `shuffle this edge on ${listed(wanted.map(quoted)) || "no columns"}`,
      fix: setRoute(other.link, { kind: "shuffle", columns: wanted }),
    });
  }
}
