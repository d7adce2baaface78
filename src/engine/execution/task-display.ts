import type { EdgeId, TaskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import type { Message } from "../core/messages.ts";
import type { EdgeProbe, TaskProbe, TaskState } from "../core/probes.ts";
import type { TaskMachine } from "../core/task-machine.ts";
import { type TaskTrace, type TraceSink, traceOf } from "../trace/trace-event.ts";
import type { RunnerHome } from "./runner-home.ts";

interface Sized {
  readonly rowCount: number;
}

/**
 * What a person sees of one task: its probe, its inputs' probes and the trace. States and counts are shown at once; what takes longer to
 * find out, such as the times of the inputs, once a burst (`caughtUp`).
 */
export class TaskDisplay<B extends Sized> {
  private readonly machine: TaskMachine<B>;
  private readonly probe: TaskProbe;
  private readonly inputs: readonly EdgeProbe[];
  private readonly home: Pick<RunnerHome, "sample">;
  private readonly sink: TraceSink;
  private readonly time: { readonly wallMs: number };
  private readonly task: TaskId;
  /** By input: its time has changed since it was shown. */
  private readonly stale: boolean[];
  /** Edge of which somebody wants to see a batch. */
  private sampled: EdgeId | undefined = undefined;

  constructor(
    machine: TaskMachine<B>,
    probe: TaskProbe,
    inputs: readonly EdgeProbe[],
    home: Pick<RunnerHome, "trace" | "time" | "sample">,
  ) {
    this.machine = machine;
    this.probe = probe;
    this.inputs = inputs;
    this.home = home;
    this.sink = home.trace;
    this.time = home.time;
    this.task = machine.spec.task;
    this.stale = inputs.map(() => false);
  }

  /** The next batch that comes on the edge is shown to the home. */
  sampleNext(edge: EdgeId): void {
    this.sampled = edge;
  }

  /** `target`: the edge that is full, while Sending. */
  enter(state: TaskState, target?: EdgeId): void {
    if (!this.probe.enter(state, this.time.wallMs, target) || !this.sink.on) return;
    this.sink.state(this.time.wallMs, this.task, state, target);
  }

  /** So many turns are over: shows what they changed of times and epochs. */
  caughtUp(turns: number): void {
    this.probe.turn(turns);
    for (let i = 0; i < this.stale.length; i++) {
      if (this.stale[i] !== true) continue;
      this.stale[i] = false;
      this.inputs[i]?.time(this.machine.inputMark(i));
    }
    this.progress();
  }

  received(input: number, edge: EdgeId, message: Message<B>): void {
    if (message.kind === "data") {
      this.probe.received(message.batch.rowCount);
      this.inputs[input]?.received(message.batch.rowCount);
      if (edge === this.sampled) {
        this.sampled = undefined;
        this.home.sample?.(edge, message.batch);
      }
    }
    if (this.sink.messages) this.trace({ kind: "received", edge, ...traceOf(message) });
  }

  sent(edge: EdgeId, message: Message<B>): void {
    if (message.kind === "data") this.probe.sent(message.batch.rowCount);
    if (this.sink.messages) this.trace({ kind: "sent", edge, ...traceOf(message) });
  }

  reported(event: TaskEvent): void {
    if (event.kind === "failed") this.enter("Failed");
    if (!this.sink.on) return;
    if (event.kind === "snapshot" || event.kind === "ack") {
      this.trace({ kind: "snapshot", epoch: event.epoch, sink: event.kind === "ack" });
    } else if (event.kind === "ended") this.trace({ kind: "ended" });
    else if (event.kind === "failed") this.trace({ kind: "failed", text: event.error.message });
  }

  /** A control message of an input was worked on: its time, and who is held behind which barrier. */
  inputChanged(input: number, message: Message<B>): void {
    if (message.kind === "eos") this.inputs[input]?.end();
    if (message.kind === "watermark") this.stale[input] = true;
    if (message.kind === "barrier" || message.kind === "eos") {
      const pending = this.machine.pendingEpoch ?? 0;
      for (let i = 0; i < this.inputs.length; i++) {
        const held = this.machine.holds(i);
        this.inputs[i]?.alignment(held ? pending : 0, held);
      }
    }
  }

  /** What the task said of time, and how far its epochs are. */
  private progress(): void {
    const { machine } = this;
    this.probe.time(machine.outputMark());
    this.probe.epochs(machine.pendingEpoch ?? 0, machine.completedEpoch, machine.committedEpoch);
  }

  closed(cpuMs: number | null): void {
    if (cpuMs !== null) this.probe.cpu(cpuMs);
    this.progress();
    if (this.probe.current !== "Failed") this.enter("Done");
    if (this.sink.on) this.trace({ kind: "finished" });
  }

  trace(event: TaskTrace): void {
    if (this.sink.on) this.sink.record({ atMs: this.time.wallMs, task: this.task, ...event });
  }
}
