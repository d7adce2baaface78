import { applyPatch, type Problem } from "../../engine/index.ts";
import { placeBeside, placeMissing } from "../document/place-missing.ts";
import type { Workbench } from "../shell/workbench.ts";

/** Makes the repair that comes with a problem, as one step. A repair that fits the graph no longer does nothing. */
export function applyFix({ document }: Workbench, { fix }: Problem): void {
  if (fix === undefined) return;
  document.edit(fix.title.charAt(0).toLowerCase() + fix.title.slice(1), (graph) => {
    try {
      return placeMissing(placeBeside(applyPatch(graph, fix.patch)));
    } catch (error) {
      if (error instanceof TypeError) return graph;
      throw error;
    }
  });
}
