import {
  type Batch,
  CATALOG_BUILDERS,
  EdgeProbe,
  type FileStore,
  type Output,
  type PollResult,
  type Sink,
  type Source,
  type SourceContext,
  type StageBuilders,
  StageProbe,
  TaskProbe,
} from "../../src/engine/parts.ts";
import { batchesOf, type Keys } from "../batches.ts";
import { type EventsConfig, eventBatches, withPlainText } from "./nexmark-events.ts";
import { ReplaySource } from "./nexmark-replay.ts";

/** What a run of the benchmarks sends to its hosts in the place of files. */
export interface BenchSetup {
  /** Messages and rows that each subtask of the sink has taken, or each source of Nexmark events sent, two cells each; written plainly, as probes are. */
  readonly counts: SharedArrayBuffer;
  /** Whether tasks show what they do. Without, the cost of showing is measured. */
  readonly probes: boolean;
}

export interface CheapSourceConfig {
  readonly keys: Keys;
  readonly rows: number;
  readonly batches: number;
}

/** Kinds that cost next to nothing, so that what lies between them is measured. */
export function benchBuilders(setup: BenchSetup): StageBuilders {
  return {
    ...CATALOG_BUILDERS,
    source: async (kind) => {
      if (kind === "bench.source")
        return ({ keys, rows, batches }: CheapSourceConfig) => new CheapSource(batchesOf(keys, rows, batches));
      if (kind === "bench.nexmark" || kind === "bench.text") return replaySource(setup, kind === "bench.text");
      return CATALOG_BUILDERS.source(kind);
    },
    sink: async (kind) =>
      kind === "bench.sink" ? (_, { subtask }) => new CountingSink(setup.counts, subtask) : CATALOG_BUILDERS.sink(kind),
  };
}

/** Nexmark events from memory, counted where they leave. */
function replaySource({ counts }: BenchSetup, isPlain: boolean) {
  return async (
    config: EventsConfig,
    { subtask, parallelism, task, memory }: SourceContext,
  ): Promise<Source<Batch>> => {
    const batches = await eventBatches(config, subtask, parallelism);
    return new ReplaySource(config, isPlain ? withPlainText(batches) : batches, counts, task, memory);
  };
}

/** Goes round the same batches without end. */
class CheapSource implements Source<Batch> {
  private readonly batches: readonly Batch[];
  private sent = 0;

  constructor(batches: readonly Batch[]) {
    this.batches = batches;
  }

  poll(output: Output<Batch>): PollResult {
    output.emit(this.batches[this.sent++ % this.batches.length] as Batch);
    return { kind: "again" };
  }

  position(): number {
    return this.sent;
  }
}

class CountingSink implements Sink<Batch> {
  private readonly cells: Float64Array;
  private readonly at: number;
  private fresh = false;

  constructor(counts: SharedArrayBuffer, subtask: number) {
    this.cells = new Float64Array(counts);
    this.at = 2 * subtask;
  }

  write(batch: Batch): void {
    const { cells, at } = this;
    cells[at] = (cells[at] as number) + 1;
    cells[at + 1] = (cells[at + 1] as number) + batch.rowCount;
    this.fresh = true;
  }

  flush() {
    this.fresh = false;
    return { kind: "durable", precommit: null } as const;
  }

  holdsRows(): boolean {
    return this.fresh;
  }

  commit(): void {}

  close(): void {}
}

/** Makes all probes of this worker deaf: what they cost is the difference. */
export function silenceProbes(): void {
  for (const { prototype } of [TaskProbe, EdgeProbe, StageProbe]) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof value !== "function" || name === "constructor" || name === "stage") continue;
      Object.defineProperty(prototype, name, { value: () => undefined });
    }
  }
}

const refuse = (path: string): never => {
  throw new Error(`no benchmark has a file ${path}`);
};

/** The kinds of the benchmarks read and write no files. */
export const NO_FILES: FileStore = { open: refuse, create: refuse, rename: refuse, remove: refuse, list: () => [] };
