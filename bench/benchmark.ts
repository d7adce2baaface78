import type { Environment } from "./environment.ts";
import type { Effort } from "./measure.ts";
import type { Case } from "./results.ts";

export interface Benchmark {
  readonly name: string;
  /** Half a sentence for the list of benchmarks. */
  readonly summary: string;
  /** Its cases, each as soon as it is measured. */
  run(env: Environment, effort: Effort): AsyncIterable<Case>;
}
