import type { Clock } from "../base/clock.ts";
import { type ErrorData, WeirError } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";
import type { EdgeId, Epoch, NodeId, TaskId } from "../base/ids.ts";
import type { Interrupter } from "../base/interrupter.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Sockets } from "../base/sockets.ts";
import type { StageProbe, TaskProbe } from "../core/probes.ts";
import type { Acker } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import type { CounterName, SinkContext, SourceContext } from "../operators/context.ts";
import type { Plan, PlanStage, PlanTask } from "../topology/physical-plan.ts";
import { callOverdue } from "./call-overdue.ts";
import type { Timekeeper } from "./runner-home.ts";

/** What leaves a worker beside rows on edges. */
export interface StageHome {
  readonly time: Timekeeper;
  readonly clock: Clock;
  readonly files: FileStore;
  /** Breaks off a call on this thread that takes too long. */
  readonly interrupter?: Interrupter | undefined;
  readonly sockets?: (() => Promise<Sockets>) | undefined;
  /** Rows that a sink shows (`sink.table`), in the order in which they became visible. */
  deliver(node: NodeId, batch: Batch): void;
  note(error: ErrorData): void;
  /** The task has something to do that no message told it. */
  wake(task: TaskId): void;
}

/** Passes acks to the machine, which is built after its stages, and wakes its task: they may come at any time (F-45). */
export class LateAcker implements Acker {
  machine: Acker | undefined = undefined;
  private readonly home: StageHome;
  private readonly task: TaskId;

  constructor(home: StageHome, task: TaskId) {
    this.home = home;
    this.task = task;
  }

  ack(epoch: Epoch, precommit: SnapshotValue): void {
    this.machine?.ack(epoch, precommit);
    this.home.wake(this.task);
  }
}

/** One context for every role: a stage sees the part that its builder's type names. */
export class TaskStageContext implements SourceContext, SinkContext {
  readonly node: NodeId;
  readonly task: TaskId;
  readonly subtask: number;
  readonly parallelism: number;
  readonly inputs: Readonly<Record<string, Schema>>;
  readonly outputs: Readonly<Record<string, Schema>>;
  readonly inEdges: readonly { readonly edge: EdgeId; readonly from: TaskId; readonly port: string }[];
  readonly clock: Clock;
  readonly files: FileStore;
  readonly sockets: (() => Promise<Sockets>) | undefined;
  readonly position: SnapshotValue | undefined;
  readonly acker: Acker;
  readonly firstEpoch: number;
  readonly memory: TurnMemory | undefined;
  private readonly stage: PlanStage;
  private readonly home: StageHome;
  private readonly probes: { readonly task: TaskProbe; readonly stage: StageProbe };

  constructor(
    plan: Plan,
    task: PlanTask,
    stage: PlanStage,
    home: StageHome,
    probes: { readonly task: TaskProbe; readonly stage: StageProbe },
    acker: Acker,
    start: Pick<SinkContext & SourceContext, "firstEpoch" | "position">,
    memory?: TurnMemory,
  ) {
    this.memory = memory;
    this.node = stage.node;
    this.task = task.id;
    this.subtask = task.subtask;
    this.parallelism = task.parallelism;
    this.inputs = stage.inputs;
    this.outputs = stage.outputs;
    this.inEdges =
      stage === task.stages[0]
        ? task.inEdges.map((id) => {
            const edge = plan.edges[id] as Plan["edges"][number];
            return { edge: id, from: edge.from.task, port: edge.to.port };
          })
        : [];
    this.clock = home.clock;
    this.files = home.files;
    this.sockets = home.sockets;
    this.acker = acker;
    this.firstEpoch = start.firstEpoch;
    this.position = start.position;
    this.stage = stage;
    this.home = home;
    this.probes = probes;
  }

  count(counter: CounterName, by = 1): void {
    this.probes.task.count(counter, by);
    this.probes.stage.count(counter, by);
  }

  foreignCode<T>(run: () => T, limitMs: number): T {
    const { time, interrupter } = this.home;
    time.refresh();
    this.probes.stage.foreignCode(time.wallMs);
    try {
      if (interrupter === undefined) return run();
      const ended = interrupter(run, limitMs);
      if (ended.kind === "returned") return ended.value;
      throw new WeirError(callOverdue(this.stage, this.task, limitMs));
    } finally {
      this.probes.stage.foreignCode(undefined);
    }
  }

  note(error: ErrorData): void {
    this.home.note({ ...error, node: error.node ?? this.node, task: this.task });
  }

  deliver(batch: Batch): void {
    this.probes.stage.sent(batch.rowCount);
    this.home.deliver(this.node, batch);
  }
}
