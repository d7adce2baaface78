import { Prng } from "../base/prng.ts";
import type { GraphDocumentInput } from "../topology/graph-document.ts";

/** Rows of the random graphs: `id` is unique over all sources, `key` repeats and is sometimes NULL. */
export const RANDOM_SCHEMA = [
  { name: "id", type: "int64", nullable: false },
  { name: "key", type: "utf8", nullable: true },
  { name: "v", type: "int32", nullable: true },
];

type NodeInput = GraphDocumentInput["nodes"][number];
type EdgeInput = NonNullable<GraphDocumentInput["edges"]>[number];
type RouteInput = NonNullable<EdgeInput["route"]>;

export interface RandomGraphOptions {
  /** Real time passes in throttles: keep them out where a test is not to wait. */
  readonly throttles: boolean;
  /** Smallest beat of barriers, ms; 0 leaves the ticker off now and then. */
  readonly barriers: boolean;
}

const MOST_BROADCASTS = 2;
const MOST_HOSTS = 10;
const KEYS = [null, "", "a", "b", "null", "naïve", "日本", "a much longer key than the others have"];

/**
 * A legal graph of 1 to 12 nodes before its sinks, any routes, parallelism 1 to 4, capacities 1 to 16, barriers at random; a function of the
 * seed.
 */
export function randomGraph(seed: number, options: RandomGraphOptions): GraphDocumentInput {
  return new Builder(Prng.fromSeed(seed).fork("graph"), options).build(seed);
}

class Builder {
  private readonly prng: Prng;
  private readonly options: RandomGraphOptions;
  private readonly nodes: NodeInput[] = [];
  private readonly edges: EdgeInput[] = [];
  private readonly fed = new Set<string>();
  private broadcasts = 0;
  private rows = 0;

  constructor(prng: Prng, options: RandomGraphOptions) {
    this.prng = prng;
    this.options = options;
  }

  build(seed: number): GraphDocumentInput {
    const { prng } = this;
    const sources = prng.int(1, 3);
    for (let i = 0; i < sources; i++) this.addSource(`source${i}`);
    const steps = prng.int(0, 12 - sources);
    const producers = this.nodes.map((node) => node.id);
    for (let i = 0; i < steps; i++) {
      const id = `step${i}`;
      if (this.addStep(id, producers)) producers.push(id);
    }
    // Everything ends in a sink; what already feeds a step does so in addition now and then.
    for (const node of [...this.nodes]) {
      if (!this.fed.has(node.id) || prng.int(1, 4) === 1) this.addSink(`sink_${node.id}`, node);
    }
    return {
      format: "weir.graph/v1",
      name: `random ${seed}`,
      settings: {
        edgeCapacity: prng.int(1, 16),
        barrierEveryMs: this.options.barriers ? this.pick([0, 1, 3, 10, 50]) : 0,
        vnodes: this.pick([4, 7, 128]),
        chaining: prng.int(0, 1) === 1,
        hosts: this.hosts(),
      },
      nodes: this.nodes,
      edges: this.edges,
    };
  }

  /** Of many tasks no host has one alone: each is a worker, and starting it takes longer than all of the run. */
  private hosts(): "auto" | "per-task" | number {
    const hosts = this.pick(["auto", "per-task", 1, 3] as const);
    const tasks = this.nodes.reduce((sum, { parallelism = 1 }) => sum + parallelism, 0);
    return hosts === "per-task" && tasks > MOST_HOSTS ? MOST_HOSTS : hosts;
  }

  private addSource(id: string): void {
    const { prng } = this;
    const count = this.pick([0, 1, 7, 40, 80]);
    const rows = Array.from({ length: count }, () => [
      String(++this.rows),
      this.pick(KEYS),
      this.pick([null, 0, -1, 7]),
    ]);
    this.nodes.push({
      id,
      kind: "source.rows",
      parallelism: prng.int(1, 4),
      config: { schema: RANDOM_SCHEMA, rows, batchRows: this.pick([1, 3, 16, 1000]), partitions: prng.int(1, 5) },
    });
  }

  /** True where the step's rows look like a source's. */
  private addStep(id: string, producers: readonly string[]): boolean {
    const { prng } = this;
    const kind = this.pick(this.options.throttles ? STEPS : STEPS.filter((step) => step !== "throttle"));
    const parallelism = prng.int(1, 4);
    this.nodes.push({ id, kind, parallelism, config: CONFIGS[kind] });
    const inputs = new Set(Array.from({ length: prng.int(1, 3) }, () => this.pick(producers)));
    for (const from of inputs) {
      const keyed = kind === "count" && parallelism > 1;
      this.connect(from, id, keyed ? { kind: "shuffle", columns: ["key"] } : this.route(from, parallelism));
    }
    return kind !== "count";
  }

  private addSink(id: string, from: NodeInput): void {
    const parallelism = this.prng.int(1, 3);
    const delivery = this.pick(["exactly-once", "at-least-once"]);
    this.nodes.push({ id, kind: "sink.table", parallelism, config: { delivery, limit: 1_000_000 } });
    this.connect(from.id, id, this.route(from.id, parallelism));
  }

  private connect(from: string, to: string, route: RouteInput): void {
    this.fed.add(from);
    this.edges.push({ id: `e${this.edges.length}`, from, to, route, capacity: this.prng.int(1, 16) });
  }

  private route(from: string, parallelism: number): RouteInput {
    const upstream = this.nodes.find((node) => node.id === from) as NodeInput;
    const columns = upstream.kind === "count" ? [[], ["key"], ["count", "key"]] : [[], ["key"], ["id"], ["v", "id"]];
    const routes: RouteInput[] = [{ kind: "shuffle", columns: this.pick(columns) }, { kind: "rebalance" }];
    if (upstream.parallelism === parallelism || parallelism === 1)
      routes.push({ kind: "forward" }, { kind: "forward" });
    if (this.broadcasts < MOST_BROADCASTS) routes.push({ kind: "broadcast" });
    const route = this.pick(routes);
    if (route.kind === "broadcast") this.broadcasts++;
    return route;
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[this.prng.int(0, choices.length - 1)] as T;
  }
}

const STEPS = ["union", "select", "rename", "throttle", "count"] as const;

const CONFIGS: Readonly<Record<(typeof STEPS)[number], Record<string, unknown>>> = {
  union: {},
  select: { columns: ["id", "key", "v"] },
  rename: { names: {} },
  throttle: { delayMsPerBatch: 1 },
  count: { groupBy: ["key"] },
};
