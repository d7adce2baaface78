import {
  type EdgeReading,
  type EdgeView,
  type LabFrame,
  type MessageKind,
  type Plan,
  ProbeReader,
  type ProbeShape,
  probeBytes,
  RingView,
  type SharedRun,
  type StageReading,
  type TaskReading,
} from "../../engine/index.ts";

/** An edge as it was at one moment: what its reader tells of it, and what stands in its ring. */
export interface EdgeNow extends EdgeReading {
  readonly capacity: number;
  /** Data messages that wait. */
  readonly dataQueued: number;
  /** All messages that wait. */
  readonly queued: number;
  readonly messagesSent: number;
  readonly rowsSent: number;
  /** Kinds of the messages that wait, the next to be read first; at most KINDS_SHOWN. */
  readonly kinds: readonly MessageKind[];
}

/** Everything of a run that a page reads, as it was at one moment. */
export interface RunFrame {
  readonly nowMs: number;
  /** By task id. */
  readonly tasks: readonly TaskReading[];
  /** By edge id. */
  readonly edges: readonly EdgeNow[];
  /** By number among the stages of the run. */
  readonly stages: readonly StageReading[];
}

export interface RunReader {
  read(): RunFrame;
  /** From now on `read` answers the frame of this moment: what it was read from may be used for something else. */
  freeze(): void;
}

const KINDS_SHOWN = 64;

/** Reads the shared memory of a run on workers. */
export class SharedReader implements RunReader {
  private readonly plan: Plan;
  private readonly shape: ProbeShape;
  private readonly originMs: number;
  private source: { readonly probes: ProbeReader; readonly edges: readonly EdgeView[] } | undefined;
  private frozen: RunFrame | undefined = undefined;

  constructor(plan: Plan, shape: ProbeShape, shared: SharedRun) {
    const { memory, layout, originMs } = shared;
    const { offset, bytes } = layout.probes;
    const cells = new Float64Array(memory, offset, bytes / Float64Array.BYTES_PER_ELEMENT);
    this.plan = plan;
    this.shape = shape;
    this.originMs = originMs;
    this.source = {
      probes: new ProbeReader(cells, shape),
      edges: layout.rings.map((ring) => new RingView(memory, ring)),
    };
  }

  read(): RunFrame {
    const { source, frozen } = this;
    if (source === undefined) return frozen as RunFrame;
    const nowMs = performance.timeOrigin + performance.now() - this.originMs;
    return frameOf(this.plan, this.shape, nowMs, source.probes, (edge) => viewOf(source.edges[edge] as EdgeView));
  }

  freeze(): void {
    this.frozen ??= this.read();
    // Dropped, or it would keep the whole memory of the run (P-58).
    this.source = undefined;
  }
}

/** Shows what the lab told last. */
export class LabReader implements RunReader {
  private readonly plan: Plan;
  private readonly shape: ProbeShape;
  private frame: RunFrame;

  constructor(plan: Plan, shape: ProbeShape) {
    this.plan = plan;
    this.shape = shape;
    const cells = new Float64Array(probeBytes(shape) / Float64Array.BYTES_PER_ELEMENT);
    this.frame = frameOf(plan, shape, 0, new ProbeReader(cells, shape), () => EMPTY);
  }

  hear({ nowMs, cells, edges }: LabFrame): void {
    this.frame = frameOf(
      this.plan,
      this.shape,
      nowMs,
      new ProbeReader(cells, this.shape),
      (edge) => edges[edge] ?? EMPTY,
    );
  }

  read(): RunFrame {
    return this.frame;
  }

  freeze(): void {}
}

type Queue = Pick<EdgeNow, "dataQueued" | "queued" | "messagesSent" | "rowsSent" | "kinds">;

const EMPTY: Queue = { dataQueued: 0, queued: 0, messagesSent: 0, rowsSent: 0, kinds: [] };

function viewOf(view: EdgeView): Queue {
  const { dataQueued, queued, messagesSent, rowsSent } = view;
  return { dataQueued, queued, messagesSent, rowsSent, kinds: view.kinds(KINDS_SHOWN) };
}

function frameOf(
  plan: Plan,
  shape: ProbeShape,
  nowMs: number,
  probes: ProbeReader,
  queueOf: (edge: number) => Queue,
): RunFrame {
  return {
    nowMs,
    tasks: plan.tasks.map(({ id }) => probes.task(id, nowMs)),
    edges: plan.edges.map(({ id, capacity }) => ({ ...probes.edge(id), ...queueOf(id), capacity })),
    stages: Array.from({ length: shape.stages }, (_, index) => probes.stage(index)),
  };
}
