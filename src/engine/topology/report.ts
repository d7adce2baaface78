import type { Problem } from "./problem.ts";

/** Collects problems; each rule is handed one. */
export class Report {
  readonly problems: Problem[] = [];

  add(problem: Omit<Problem, "domain">): void {
    this.problems.push({ domain: "graph", ...problem });
  }
}

export const quoted = (text: string): string => JSON.stringify(text);

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
