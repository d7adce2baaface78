import type { GraphRoute } from "./graph.ts";

export type RouteKind = GraphRoute["kind"];

export const ROUTES: readonly { readonly kind: RouteKind; readonly title: string; readonly meaning: string }[] = [
  { kind: "forward", title: "forward", meaning: "subtask to subtask of the same number" },
  { kind: "shuffle", title: "shuffle", meaning: "rows of one key go to one subtask" },
  { kind: "broadcast", title: "broadcast", meaning: "every subtask gets every row" },
  { kind: "rebalance", title: "rebalance", meaning: "batches go round-robin" },
];

/** `shuffle · customer`. */
export function routeText(route: GraphRoute | undefined): string {
  if (route === undefined) return "forward";
  if (route.kind !== "shuffle") return route.kind;
  return route.columns.length === 0 ? "shuffle · all to one" : `shuffle · ${route.columns.join(", ")}`;
}
