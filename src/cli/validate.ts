import type { Arguments } from "./arguments.ts";
import type { ExitStatus } from "./exit-status.ts";
import { loadGraph } from "./load-graph.ts";

/** `weir validate GRAPH`: every problem at once, nothing run. */
export async function validate({ operand }: Arguments): Promise<ExitStatus> {
  const { document, plan } = await loadGraph(operand ?? "");
  const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;
  const parts = [
    count(document.nodes.length, "node"),
    count(plan.tasks.length, "task"),
    count(plan.edges.length, "edge"),
  ];
  process.stdout.write(`valid: ${parts.join(", ")}\n`);
  return 0;
}
