import { type AnalysisStore, inputSchema } from "./analysis.ts";
import type { DocumentStore } from "./document-store.ts";
import type { GraphEdge, GraphRoute } from "./graph.ts";
import { changeEdge } from "./graph-edits.ts";
import type { RouteKind } from "./route-text.ts";

/** Chooses a kind of route; a shuffle starts with the keys of what it feeds. */
export function setRouteKind(document: DocumentStore, analysis: AnalysisStore, edge: GraphEdge, kind: RouteKind): void {
  if ((edge.route?.kind ?? "forward") === kind) return;
  const state = analysis.getState().analysis;
  const info = state.nodes.get(edge.to.node);
  const port = edge.to.port ?? info?.spec?.inputs[0]?.name ?? "in";
  const keys = info?.config === undefined ? [] : (info.spec?.keys?.(info.config.value)[port] ?? []);
  const known = inputSchema(state, edge.to.node, port);
  const columns = keys.filter((key) => known === undefined || known.indexOf(key) >= 0);
  const route: GraphRoute = kind === "shuffle" ? { kind, columns } : { kind };
  document.edit("change the route", (graph) => changeEdge(graph, edge.id, { route }));
}
