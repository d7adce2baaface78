import { assert } from "../base/assert.ts";
import type { Clock } from "../base/clock.ts";
import { type ErrorData, toErrorData } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";
import type { EdgeId, NodeId, TaskId } from "../base/ids.ts";
import type { Sockets } from "../base/sockets.ts";
import type { TaskEvent } from "../core/effects.ts";
import { EdgeProbe, TaskProbe } from "../core/probes.ts";
import { TICK_EVERY_MS } from "../core/task-machine.ts";
import type { Batch } from "../data/batch.ts";
import { retain } from "../data/kernels/copy.ts";
import { TurnMemory } from "../data/turn-memory.ts";
import { enableKernels } from "../data/wasm/kernel-heap.ts";
import { KernelMemory } from "../data/wasm/kernel-memory.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import { unpackPlan } from "../topology/plan-transfer.ts";
import { TimelineTrace } from "../trace/timeline.ts";
import { FullTrace, NO_TRACE, type TraceSink } from "../trace/trace-event.ts";
import { ControlReader } from "../transport/control-ring.ts";
import { DeliveryCredit } from "../transport/delivery-credit.ts";
import { Doorbell } from "../transport/doorbell.ts";
import type { RingEnd } from "../transport/ring-header.ts";
import { RingReader } from "../transport/ring-reader.ts";
import { RingWriter } from "../transport/ring-writer.ts";
import { RunWords } from "../transport/run-words.ts";
import { SourcePaces } from "../transport/source-paces.ts";
import { buildTask, type StageBuilders } from "./build-task.ts";
import { Meeting, meetingSources } from "./meeting-sources.ts";
import { Outbox } from "./outbox.ts";
import { packBatch } from "./pack-batch.ts";
import { outEdges } from "./plan-edges.ts";
import { probeShape } from "./probe-shape.ts";
import { type FromHost, type PackedBatch, type ToHost, tasksOf } from "./protocol.ts";
import type { RunnerHome, Timekeeper } from "./runner-home.ts";
import { sampleOf } from "./sample.ts";
import type { StageHome } from "./stage-context.ts";
import { TaskRunner } from "./task-runner.ts";

/** Looks at a task before a host goes to sleep: one with many tasks goes round them less often, in the same time. */
const SPINS = 40;
/** What a task may do in a row while it can move. No more rows than that, so that the next task finds them in the cache. */
const BURST_TURNS = 16;
const BURST_ROWS = 8192;
/** A host with I/O on its way gives the event loop a turn this often. */
const BREATHE_MS = 4;
const NOTES_KEPT = 100;

/** What an entry gives the host beside the start message. */
export interface HostPorts {
  post(message: FromHost): void;
  readonly files: FileStore;
  /** CPU milliseconds of this thread, where somebody keeps the ledger (F-82). */
  readonly threadCpuMs?: (() => number) | undefined;
  /** Code of the kinds, where it is not the catalog's. */
  readonly builders?: StageBuilders | undefined;
}

/** Loaded when a source first listens to something. */
const systemSockets = async (): Promise<Sockets> => (await import("../sources/socket/system-sockets.ts")).systemSockets;

/** The run's clock in this worker. */
class HostTime implements Timekeeper, Clock {
  wallMs = 0;
  private readonly offset: number;
  private pausedMs = 0;

  constructor(originMs: number) {
    this.offset = performance.timeOrigin - originMs;
    this.refresh();
  }

  get runMs(): number {
    return this.wallMs - this.pausedMs;
  }

  now(): number {
    return this.runMs;
  }

  refresh(): void {
    this.wallMs = performance.now() + this.offset;
  }

  /** The time since `fromMs` was a pause. */
  paused(fromMs: number): void {
    this.pausedMs += this.wallMs - fromMs;
  }
}

/**
 * Runs the tasks of one worker to their end: builds them, waits for the start, then goes round while anything moves and sleeps on
 * its doorbell when nothing does.
 */
export async function runHost(start: ToHost, ports: HostPorts): Promise<void> {
  const host = new Host(start, ports);
  try {
    if (!(await host.build())) return;
    await host.run();
  } catch (error) {
    ports.post({ kind: "crashed", error: toErrorData(error, { code: "host-crashed", domain: "engine" }) });
    return;
  }
  ports.post({ kind: "over" });
}

class Host implements RunnerHome, StageHome {
  readonly time: HostTime;
  readonly clock: Clock;
  readonly trace: TraceSink;
  readonly files: FileStore;
  readonly sockets = systemSockets;
  readonly longestWaitMs = TICK_EVERY_MS;
  slowMotionMs = 0;
  private readonly start: ToHost;
  private readonly ports: HostPorts;
  private readonly plan: Plan;
  private readonly words: RunWords;
  private readonly bell: Doorbell;
  private readonly control: ControlReader;
  private readonly credit: DeliveryCredit;
  /** `null`: not asked for yet. */
  private kernels: KernelMemory | undefined | null = null;
  private readonly runners = new Map<TaskId, TaskRunner<Batch>>();
  private live: TaskRunner<Batch>[] = [];
  /** Sources of this host, by where their rows meet those of others, with the bells of the hosts of these. */
  private meetings: { readonly sources: Meeting; readonly bells: readonly Doorbell[] }[] = [];
  private readonly outgoing = new Map<NodeId, PackedBatch[]>();
  private notes = 0;
  private breathedAt = 0;
  /** Samples asked for when this host last looked. */
  private samplesAsked = 0;

  constructor(start: ToHost, ports: HostPorts) {
    // A posted buffer need not be the object that the posted memory shows, and kernels tell by the object what lies in their memory.
    const { memory } = start.memory;
    const buffer = memory?.buffer instanceof SharedArrayBuffer ? memory.buffer : start.memory.buffer;
    this.start = { ...start, memory: { memory, buffer } };
    this.ports = ports;
    this.files = ports.files;
    this.plan = unpackPlan(start.plan);
    this.time = new HostTime(start.originMs);
    this.clock = this.time;
    this.words = new RunWords(buffer, start.layout);
    assert(this.words.attempt === start.attempt, "the memory belongs to this attempt (D-9)");
    const region = this.regionOf(start.host);
    enableKernels();
    this.bell = new Doorbell(buffer, region);
    this.control = new ControlReader(buffer, region);
    this.credit = new DeliveryCredit(start.credit);
    this.trace = this.makeTrace();
  }

  /** False when a builder refused: that was told, and nothing ran (F-10). */
  async build(): Promise<boolean> {
    try {
      for (const id of tasksOf(this.start.placement, this.start.host)) {
        this.runners.set(id, await this.buildRunner(this.plan.tasks[id] as PlanTask));
      }
    } catch (error) {
      this.ports.post({ kind: "refused", error: toErrorData(error, { code: "start-failed", domain: "engine" }) });
      return false;
    }
    this.live = [...this.runners.values()];
    this.meetings = meetingSources(this.plan).flatMap((group) => this.meetingOf(group));
    this.ports.post({ kind: "built" });
    return true;
  }

  async run(): Promise<void> {
    while (this.words.state === "starting") await this.bell.sleepAsync(() => this.words.state !== "starting");
    this.time.refresh();
    if (this.words.state !== "cancelled") for (const runner of this.live) runner.open();
    for (;;) {
      this.readWords();
      if (this.words.state === "paused") {
        await this.park();
        continue;
      }
      const moved = this.goRound();
      if (this.live.length === 0) break;
      if (!moved) await this.rest();
      else if (this.awaitsIo && this.time.wallMs - this.breathedAt > BREATHE_MS) await this.breathe();
    }
    if (this.trace instanceof FullTrace) this.ports.post({ kind: "trace", events: this.trace.events });
  }

  tell(event: TaskEvent): void {
    // What a task delivered comes before what it says of itself.
    this.postRows();
    this.ports.post({ kind: "event", event });
  }

  claimFailure(task: TaskId, inputLost: boolean): void {
    this.words.claimFailure({ claimant: task, cause: inputLost ? "input-lost" : "failure" });
  }

  deliver(node: NodeId, batch: Batch): void {
    this.credit.handOut(batch.rowCount);
    const rows = this.outgoing.get(node);
    if (rows === undefined) this.outgoing.set(node, [packBatch(retain(batch))]);
    else rows.push(packBatch(retain(batch)));
  }

  note(error: ErrorData): void {
    if (this.notes++ < NOTES_KEPT) this.ports.post({ kind: "note", error });
  }

  sample(edge: EdgeId, batch: Batch): void {
    this.ports.post({ kind: "sample", edge, batch: sampleOf(batch) });
  }

  /** A thread's CPU belongs to a task only where the task has the thread to itself. */
  cpuMs(_task: TaskId): number | null {
    return this.runners.size === 1 ? (this.ports.threadCpuMs?.() ?? null) : null;
  }

  wake(_task: TaskId): void {
    this.bell.ring();
  }

  get congested(): boolean {
    return this.credit.exhausted;
  }

  private get awaitsIo(): boolean {
    return this.live.some((runner) => runner.awaitsIo);
  }

  private readWords(): void {
    this.slowMotionMs = this.words.slowMotionMs;
    for (let record = this.control.take(); record !== null; record = this.control.take()) {
      this.runners.get(record.task)?.control(record.message);
    }
    this.readSample();
    if (this.words.state === "cancelled") for (const runner of this.live) runner.cancel();
  }

  private readSample(): void {
    const { samplesAsked } = this.words;
    if (samplesAsked === this.samplesAsked) return;
    this.samplesAsked = samplesAsked;
    const edge = this.words.sampledEdge;
    const task = this.plan.edges[edge]?.to.task;
    if (task !== undefined) this.runners.get(task)?.display.sampleNext(edge);
  }

  private goRound(): boolean {
    let moved = false;
    let over = false;
    for (const { sources } of this.meetings) sources.look();
    for (const runner of this.live) {
      if (runner.burst(BURST_TURNS, BURST_ROWS) > 0) moved = true;
      if (runner.isOver) over = true;
    }
    for (const { sources, bells } of this.meetings) if (sources.tell()) for (const bell of bells) bell.ring();
    if (over) this.live = this.live.filter((runner) => !runner.isOver);
    this.postRows();
    return moved;
  }

  /** One message for what a round delivered, however small its batches. */
  private postRows(): void {
    if (this.outgoing.size === 0) return;
    for (const [node, batches] of this.outgoing) this.ports.post({ kind: "rows", node, batches });
    this.outgoing.clear();
  }

  /** Nothing can move: sleep until somebody rings or a timer is due. */
  private async rest(): Promise<void> {
    for (const runner of this.live) runner.nudgeInputs();
    const state = this.words.state;
    const ready = () => this.words.state !== state || this.control.ready || this.canMove();
    const maxMs = this.untilNextTimer();
    if (maxMs > 0) {
      // A worker parked in a blocking wait hears no events: with I/O on its way it waits in the event loop.
      if (this.awaitsIo) await this.bell.sleepAsync(ready, maxMs);
      else this.bell.sleep(ready, maxMs, Math.ceil(SPINS / this.live.length));
    }
    this.time.refresh();
  }

  private canMove(): boolean {
    for (const { sources } of this.meetings) sources.look();
    return this.live.some((runner) => runner.canMove);
  }

  /** Paused: the tasks stand still, and so does the clock that their data see (D-6). */
  private async park(): Promise<void> {
    const from = this.time.wallMs;
    const ready = () => this.words.state !== "paused";
    if (this.awaitsIo) await this.bell.sleepAsync(ready);
    else this.bell.sleep(ready);
    this.time.refresh();
    this.time.paused(from);
  }

  private async breathe(): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    this.time.refresh();
    this.breathedAt = this.time.wallMs;
  }

  private untilNextTimer(): number {
    let wake = Number.POSITIVE_INFINITY;
    for (const runner of this.live) wake = Math.min(wake, runner.wakeAtMs);
    this.time.refresh();
    return wake - this.time.runMs;
  }

  private async buildRunner(task: PlanTask): Promise<TaskRunner<Batch>> {
    const { start, plan } = this;
    const shape = probeShape(plan);
    const { buffer } = start.memory;
    const { offset, bytes } = start.layout.probes;
    const cells = new Float64Array(buffer, offset, bytes / Float64Array.BYTES_PER_ELEMENT);
    const probe = new TaskProbe(cells, task.id, this.time.wallMs);
    const memory = { turn: new TurnMemory(), kernels: () => this.kernelMemory() };
    const machine = await buildTask(plan, task, this, probe, start.from, this.ports.builders, memory);
    const inputs = task.inEdges.map((id) => ({
      edge: id,
      reader: new RingReader(this.ringEnd(id, "writer")),
      probe: new EdgeProbe(cells, shape, id),
    }));
    const outboxes = outEdges(plan, task).map(({ id }) => new Outbox(id, new RingWriter(this.ringEnd(id, "reader"))));
    return new TaskRunner(machine, this, inputs, outboxes, probe);
  }

  /** What the sources of a group that are here need to know of the others; nothing where none is here. */
  private meetingOf(group: readonly TaskId[]): { sources: Meeting; bells: Doorbell[] }[] {
    const { start } = this;
    const here = group.flatMap((id) => this.runners.get(id) ?? []);
    if (here.length === 0) return [];
    const elsewhere = group.filter((id) => !this.runners.has(id));
    const hosts = new Set(elsewhere.map((id) => start.placement[id] as number));
    const bells = [...hosts].map((host) => new Doorbell(start.memory.buffer, this.regionOf(host)));
    return [{ sources: new Meeting(here, elsewhere, new SourcePaces(start.memory.buffer, start.layout)), bells }];
  }

  /** One end of an edge; the bell is that of the host at the other end, `peer`. */
  private ringEnd(id: number, peer: "writer" | "reader"): RingEnd {
    const { start, plan } = this;
    const edge = plan.edges[id] as Plan["edges"][number];
    const task = peer === "writer" ? edge.from.task : edge.to.task;
    return {
      buffer: start.memory.buffer,
      ring: start.layout.rings[id] as RingEnd["ring"],
      schema: edge.schema,
      attempt: start.attempt,
      edgeName: edge.edge,
      peer: new Doorbell(start.memory.buffer, this.regionOf(start.placement[task] as number)),
    };
  }

  private kernelMemory(): KernelMemory | undefined {
    const { memory, host } = this.start;
    if (this.kernels === null) this.kernels = KernelMemory.over(memory.memory, this.regionOf(host).kernels);
    return this.kernels;
  }

  private regionOf(host: number) {
    return this.start.layout.hosts[host] as (typeof this.start.layout.hosts)[number];
  }

  private makeTrace(): TraceSink {
    if (this.start.trace === "full") return new FullTrace();
    return this.start.timeline === undefined ? NO_TRACE : new TimelineTrace(this.start.timeline);
  }
}
