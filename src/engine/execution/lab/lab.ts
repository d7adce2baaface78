import { assert } from "../../base/assert.ts";
import { type ErrorData, WeirError } from "../../base/errors.ts";
import type { FileStore } from "../../base/files.ts";
import type { EdgeId, NodeId } from "../../base/ids.ts";
import type { Interrupter } from "../../base/interrupter.ts";
import { Prng } from "../../base/prng.ts";
import { ProbeReader } from "../../core/probes.ts";
import { Batch } from "../../data/batch.ts";
import { Schema } from "../../data/schema.ts";
import { differencesBetween } from "../../topology/fingerprint.ts";
import type { Plan } from "../../topology/physical-plan.ts";
import type { EdgeView } from "../../transport/edge.ts";
import type { RunOutcome } from "../coordinator.ts";
import { probeShape } from "../probe-shape.ts";
import { FRESH, type Resumption } from "../resumption.ts";
import { cloneGraph, objectsOf } from "./clone.ts";
import type { Delivery } from "./lab-home.ts";
import { type LabEpochHook, LabWorld } from "./lab-world.ts";
import { badMove, type Move, moveText, parseMove } from "./moves.ts";
import { type Scheduler, SeededScheduler } from "./scheduler.ts";

export interface LabOptions {
  readonly seed: number;
  readonly files: FileStore;
  /** Without one, code of `compute` that does not return holds this thread for ever. */
  readonly interrupter?: Interrupter | undefined;
  readonly onEpoch?: LabEpochHook;
  /** Instead of the seeded scheduler. */
  readonly scheduler?: Scheduler;
  /** Where the run begins: at a checkpoint; left out, at the beginning. */
  readonly from?: Resumption | undefined;
  /** A keyframe every so many moves; 0 for none. */
  readonly keyframeEvery?: number;
  /** The run is failed after so many moves: every run ends in a bounded time. */
  readonly maxMoves?: number;
}

/** A list of moves, bound to the plan that made it (D-51). */
export interface MoveList {
  readonly format: "weir.moves/v1";
  readonly fingerprint: string;
  readonly seed: number;
  readonly moves: readonly string[];
}

const DEFAULT_MAX_MOVES = 20_000_000;

/**
 * The engine as a state machine that a person can hold in the hand: `choices()` lists every move that is enabled now, `apply(move)`
 * makes one, `run()` lets the scheduler choose. Same plan, same seed, same files: same moves, same rows, bit for bit.
 */
export class Lab {
  readonly plan: Plan;
  readonly seed: number;
  private readonly options: LabOptions;
  private scheduler: Scheduler;
  private world: LabWorld;
  /** The plan's objects, which keyframes share. */
  private unchanging: ReadonlySet<object> | undefined = undefined;
  private readonly made: Move[] = [];
  private readonly keyframes: { readonly at: number; readonly world: LabWorld; readonly scheduler: Scheduler }[] = [];

  private constructor(plan: Plan, options: LabOptions, world: LabWorld) {
    this.plan = plan;
    this.seed = options.seed;
    this.options = options;
    this.world = world;
    this.scheduler = options.scheduler ?? new SeededScheduler(Prng.fromSeed(options.seed));
    this.keep();
  }

  /**
   * Builds every task, then starts (F-10). A builder that refuses fails the run: the lab is over at once, with the reason.
   */
  static async create(plan: Plan, options: LabOptions): Promise<Lab> {
    const world = await LabWorld.build(plan, options, options.from ?? FRESH);
    return new Lab(plan, options, world);
  }

  /** Every move that is enabled now. The clock's, if there is one, is the last. Empty when the run is over or waits for a file. */
  choices(): Move[] {
    return this.world.choices();
  }

  /**
   * Makes a move: one of `choices()`, or what a person does to the run.
   * @throws WeirError `bad-move` when it is not enabled
   */
  apply(move: Move): void {
    if (!this.world.isEnabled(move)) throw badMove(moveText(move), "is not enabled now");
    this.make(move);
  }

  private make(move: Move): void {
    this.made.push(move);
    this.world.apply(move, this.options.onEpoch);
    const every = this.options.keyframeEvery ?? 0;
    if (every > 0 && this.made.length % every === 0) this.keep();
  }

  /** Lets the scheduler make one move; false when nothing can move. */
  step(): boolean {
    const choices = this.world.choices();
    if (choices.length === 0) return false;
    this.make(choices[this.scheduler.pick(choices)] as Move);
    return true;
  }

  /** Runs until the run is over, or `until` says so. A graph that can no longer move fails with what waits for what. */
  async run(until?: (lab: Lab) => boolean): Promise<RunOutcome | undefined> {
    const limit = this.options.maxMoves ?? DEFAULT_MAX_MOVES;
    while (this.outcome === undefined) {
      if (until?.(this) === true) return undefined;
      if (this.made.length >= limit) this.world.giveUp(outOfMoves(limit));
      else if (this.world.awaitsIo) await this.world.io();
      else if (!this.step()) this.world.giveUp(this.world.stallError());
    }
    return this.outcome;
  }

  /** Keeps the next batch that is taken from the edge among `samples`. No move: it changes nothing. */
  sample(edge: EdgeId): void {
    this.world.sampleNext(edge);
  }

  get samples(): ReadonlyMap<EdgeId, Batch> {
    return this.world.home.samples;
  }

  /** Fails the run for a reason from outside, such as that its time is up, and cancels it; `run` brings it to its end. No move. */
  fail(error: ErrorData): void {
    this.world.fail(error, this.options.onEpoch);
  }

  /** Waits until a file block that a source asked for has arrived (D-50). */
  async settle(): Promise<void> {
    while (this.world.awaitsIo) await this.world.io();
  }

  /**
   * Makes the moves of a list on a fresh lab.
   * @throws WeirError `other-plan`, `bad-move`
   */
  async replay(list: MoveList): Promise<void> {
    if (list.fingerprint !== this.plan.fingerprint) {
      throw new WeirError({
        code: "other-plan",
        domain: "usage",
        message: `the moves were made on another plan: ${differencesBetween(list.fingerprint, this.plan.fingerprint).join(", ")} differ`,
        hint: "use the graph that the moves were recorded with",
      });
    }
    for (const text of list.moves) {
      await this.settle();
      this.apply(parseMove(text));
    }
    await this.settle();
  }

  /** Goes to the state after `step` moves: back from the nearest keyframe, and the moves after it are made again. The rest is forgotten. */
  async goTo(step: number): Promise<void> {
    assert(step >= 0 && step <= this.made.length, `there are ${this.made.length} moves, not ${step}`);
    const again = this.made.slice(0, step);
    while ((this.keyframes[this.keyframes.length - 1] as { at: number }).at > step) this.keyframes.pop();
    const frame = this.keyframes[this.keyframes.length - 1] as (typeof this.keyframes)[number];
    this.world = this.copy(frame.world);
    this.scheduler = this.copy(frame.scheduler);
    this.made.length = frame.at;
    for (const move of again.slice(frame.at)) {
      await this.settle();
      this.apply(move);
    }
    await this.settle();
  }

  get moves(): MoveList {
    return {
      format: "weir.moves/v1",
      fingerprint: this.plan.fingerprint,
      seed: this.seed,
      moves: this.made.map(moveText),
    };
  }

  get moveCount(): number {
    return this.made.length;
  }

  /** Undefined while the run goes on. */
  get outcome(): RunOutcome | undefined {
    return this.world.outcome;
  }

  get nowMs(): number {
    return this.world.home.time.wallMs;
  }

  get coordinator() {
    return this.world.coordinator;
  }

  get trace() {
    return this.world.home.trace.events;
  }

  get notes(): readonly ErrorData[] {
    return this.world.home.notes;
  }

  get probes(): ProbeReader {
    return new ProbeReader(this.world.cells, probeShape(this.plan));
  }

  /** The probes' cells themselves, to be copied. */
  get cells(): Float64Array {
    return this.world.cells;
  }

  edge(id: number): EdgeView {
    return this.world.edgeView(id);
  }

  /** Rows that the sinks made visible so far, in order. */
  get deliveries(): readonly Delivery[] {
    return this.world.home.deliveries;
  }

  /** Rows that the sink made visible so far, in order. */
  rows(node: NodeId): Batch[] {
    return this.world.home.deliveries.filter((delivery) => delivery.node === node).map((delivery) => delivery.batch);
  }

  private copy<T>(value: T): T {
    this.unchanging ??= objectsOf(this.plan);
    return cloneGraph(value, [Batch, Schema, WeirError], this.unchanging);
  }

  private keep(): void {
    // A block of a file on its way would arrive in the old world: the next keyframe is as good.
    if (this.world.awaitsIo) return;
    this.keyframes.push({ at: this.made.length, world: this.copy(this.world), scheduler: this.copy(this.scheduler) });
  }
}

function outOfMoves(limit: number): ErrorData {
  const message = `the run was not over after ${limit} moves`;
  return { code: "too-many-moves", domain: "engine", message, hint: "bound the sources, or stop the run" };
}
