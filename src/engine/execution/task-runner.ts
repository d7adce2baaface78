import { assert } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import type { EdgeId, TaskId } from "../base/ids.ts";
import type { Effect, TaskEvent } from "../core/effects.ts";
import type { ControlMessage, Message } from "../core/messages.ts";
import type { TaskProbe, TaskState } from "../core/probes.ts";
import type { TaskMachine } from "../core/task-machine.ts";
import { ControlQueue } from "./control-queue.ts";
import type { Outbox } from "./outbox.ts";
import { Outboxes, type SentListener } from "./outboxes.ts";
import { PollTimes } from "./poll-times.ts";
import type { RunnerHome, RunnerInput, TaskMove } from "./runner-home.ts";
import { TaskDisplay } from "./task-display.ts";
import { TaskInputs } from "./task-inputs.ts";

/**
 * Performs the effects of one task machine and chooses what it takes next. The only runner: both executors drive it, the threads
 * executor by `turn`, the lab by `moves` and `apply`.
 */
export class TaskRunner<B extends { readonly rowCount: number }> implements SentListener<B> {
  readonly machine: TaskMachine<B>;
  readonly task: TaskId;
  private readonly home: RunnerHome;
  private readonly inputs: TaskInputs<B>;
  private readonly outboxes: Outboxes<B>;
  readonly display: TaskDisplay<B>;
  private readonly controls = new ControlQueue();
  private readonly polls: PollTimes;
  /** Effects behind a delay, in order. */
  private stalled: Effect<B>[] = [];
  private delayedUntil = Number.NEGATIVE_INFINITY;
  /** Input whose message is being worked on: released when its effects are through. */
  private working: RunnerInput<B> | undefined = undefined;
  /** Rows taken and sent in this burst. */
  private moved = 0;
  private finishing: { readonly clean: boolean } | undefined = undefined;
  private over = false;

  constructor(
    machine: TaskMachine<B>,
    home: RunnerHome,
    inputs: readonly RunnerInput<B>[],
    outboxes: readonly Outbox<B>[],
    probe: TaskProbe,
  ) {
    this.machine = machine;
    this.task = machine.spec.task;
    this.home = home;
    this.polls = new PollTimes(home, this.task);
    this.inputs = new TaskInputs(machine, inputs);
    this.outboxes = new Outboxes(outboxes, this);
    const inputProbes = inputs.map((input) => input.probe);
    this.display = new TaskDisplay(machine, probe, inputProbes, home);
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Whether a promise of the source must settle before it moves. */
  get awaitsIo(): boolean {
    return this.polls.pending !== undefined && !this.over;
  }

  /** Settles when the source may be polled again. */
  get io(): PromiseLike<void> | undefined {
    return this.polls.pending;
  }

  /** Event time that a source has come to, if it could go on at once, or as soon as there is room for what it sent; else `undefined`. */
  get pace(): number | undefined {
    if (!this.canPoll || this.isDelayed || !this.polls.isEager) return undefined;
    const mark = this.machine.outputMark();
    return mark?.kind === "time" ? mark.ms : undefined;
  }

  /** A source: another one, whose rows its own are to meet, is behind and goes first. */
  set yields(yields: boolean) {
    this.polls.yields = yields;
  }

  /** The run's clock (without pauses) at which the task wants to move again; infinity: it waits for others. */
  get wakeAtMs(): number {
    if (this.over) return Number.POSITIVE_INFINITY;
    if (this.isDelayed) return this.delayedUntil;
    if (this.canPoll && this.outboxes.isEmpty && this.controls.isEmpty) return this.polls.next;
    return Number.POSITIVE_INFINITY;
  }

  open(): void {
    this.perform(this.machine.open(this.home.time.runMs));
    this.settle();
    this.show(1);
  }

  /** A control word for this task; taken in order, before anything else (F-28). */
  control(message: ControlMessage): void {
    if (!this.over) this.controls.push(message);
  }

  /** Everything that this task can do now, in the order in which a host prefers it. */
  moves(): TaskMove[] {
    if (this.over) return [];
    if (this.isDelayed) return this.home.time.runMs >= this.delayedUntil ? [{ kind: "continue" }] : [];
    if (!this.outboxes.isEmpty) return this.outboxes.flushable().map((edge) => ({ kind: "send", edge }));
    if (this.hasControl) return [{ kind: "control" }];
    if (this.machine.phase !== "open" || this.isHeldUp) return [];
    if (this.inputs.hasLost) return [{ kind: "lose" }];
    const takes = this.inputs.readable().map((edge): TaskMove => ({ kind: "take", edge }));
    return this.canPollNow ? [...takes, { kind: "poll" }] : takes;
  }

  /** Makes one of `moves()`. */
  apply(move: TaskMove): void {
    switch (move.kind) {
      case "continue":
        this.goOn();
        break;
      case "send":
        this.flush(() => this.outboxes.flush(move.edge));
        break;
      case "control":
        this.takeControl();
        break;
      case "take":
        this.take(this.inputs.indexOf(move.edge));
        break;
      case "poll":
        this.poll();
        break;
      case "lose":
        this.lose();
        break;
    }
    this.settle();
    this.show(1);
  }

  /** One turn in a host's loop: does the first thing that can be done; false when there is none. */
  turn(): boolean {
    return this.burst(1, Number.POSITIVE_INFINITY) > 0;
  }

  /**
   * So many turns in a row, fewer once as many rows were moved; answers how many there were. The clock is read, and what the task
   * is doing is shown, when they are over: both cost as much as a small message.
   */
  burst(mostTurns: number, mostRows: number): number {
    let turns = 0;
    this.moved = 0;
    while (turns < mostTurns && this.moved < mostRows && this.step()) turns++;
    if (turns > 0) this.show(turns);
    return turns;
  }

  private step(): boolean {
    if (this.over) return false;
    if (this.isDelayed) {
      if (this.home.time.runMs < this.delayedUntil) return false;
      this.goOn();
    } else if (!this.outboxes.isEmpty) {
      if (!this.flush(() => this.outboxes.flushAll())) return false;
    } else if (this.hasControl) this.takeControl();
    else if (this.machine.phase !== "open" || this.isHeldUp) return false;
    else if (this.canPoll) {
      if (this.home.time.runMs < this.polls.next) return false;
      this.poll();
    } else if (!this.takeNext()) return false;
    this.settle();
    return true;
  }

  /** Whether there are `moves`; looks anew at every edge, changes nothing. Asked of every task before a host sleeps: nothing is made for it. */
  get canMove(): boolean {
    if (this.over || this.isDelayed) return !this.over && this.home.time.runMs >= this.delayedUntil;
    if (!this.outboxes.isEmpty) return this.outboxes.canFlush;
    const open = this.machine.phase === "open" && !this.isHeldUp;
    return this.hasControl || (open && (this.inputs.hasLost || this.inputs.anyReadable || this.canPollNow));
  }

  /** Before the host sleeps: writers that wait for more room than they need may go on. */
  nudgeInputs(): void {
    this.inputs.nudge();
  }

  /** The run is cancelled: break out of sending and waiting, also where the machine is done and its last messages are not through (D-16). */
  cancel(): void {
    if (this.over) return;
    this.machine.cancel(this.home.time.runMs);
    this.finish(false);
    this.settle();
    this.show(1);
  }

  /** A word of the coordinator, or what a sink acknowledged between two moves (F-45). */
  private get hasControl(): boolean {
    return this.machine.hasEffects || (!this.controls.isEmpty && this.controls.isDue(this.canPollNow));
  }

  private get isDelayed(): boolean {
    return this.delayedUntil !== Number.NEGATIVE_INFINITY;
  }

  private get canPoll(): boolean {
    return this.machine.isSource && this.machine.phase === "open" && this.polls.pending === undefined;
  }

  private get canPollNow(): boolean {
    return this.canPoll && this.home.time.runMs >= this.polls.next && !this.isHeldUp;
  }

  private get isHeldUp(): boolean {
    return this.machine.hasSink && this.home.congested;
  }

  private takeNext(): boolean {
    const next = this.inputs.next();
    if (next >= 0) this.take(next);
    else if (this.inputs.hasLost) this.lose();
    else return false;
    return true;
  }

  private lose(): void {
    this.perform(this.machine.loseInputs(this.inputs.lost(), this.home.time.runMs));
  }

  private take(index: number): void {
    const input = this.inputs.at(index);
    const message = input.reader.peek();
    assert(message !== null, `task ${this.task} has nothing to take from edge ${input.edge}`);
    this.enter("Working");
    this.working = input;
    if (message.kind === "data") this.moved += message.batch.rowCount;
    this.display.received(index, input.edge, message);
    const effects = this.machine.offer(index, message, this.home.time.runMs);
    this.perform(effects);
    if (message.kind !== "data") this.display.inputChanged(index, message);
    this.slowDown();
  }

  private poll(): void {
    this.enter("Polling");
    this.polls.polled();
    this.controls.polled();
    const { effects, next } = this.machine.poll(this.home.time.runMs);
    this.perform(effects);
    this.polls.plan(next);
    if (effects.length > 0) this.slowDown();
  }

  private takeControl(): void {
    // What was acknowledged goes out with the effects of the word, or by itself.
    const message = this.controls.take();
    if (message === undefined) {
      this.perform(this.machine.takeEffects());
      return;
    }
    this.home.time.refresh();
    if (message.kind === "barrier") this.enter("Barrier");
    const effects = this.machine.control(message, this.home.time.runMs);
    if (message.kind === "commit") this.display.trace({ kind: "committed", epoch: message.epoch });
    this.perform(effects);
  }

  private slowDown(): void {
    const pause = this.home.slowMotionMs;
    if (pause > 0 && !this.isDelayed && !this.over) this.delayedUntil = this.home.time.runMs + pause;
  }

  private goOn(): void {
    this.delayedUntil = Number.NEGATIVE_INFINITY;
    const effects = this.stalled;
    this.stalled = [];
    this.perform(effects);
  }

  private perform(effects: readonly Effect<B>[]): void {
    for (let i = 0; i < effects.length; i++) {
      // The task failed over an effect before this one: nothing follows.
      if (this.finishing?.clean === false) return;
      if (this.isDelayed) {
        this.stalled.push(...effects.slice(i));
        return;
      }
      const effect = effects[i] as Effect<B>;
      switch (effect.kind) {
        case "send":
          this.send(effect.edge, effect.message);
          break;
        case "report":
          this.report(effect.event);
          break;
        case "delay":
          if (effect.untilMs > this.home.time.runMs) this.delayedUntil = effect.untilMs;
          break;
        case "finish":
          this.finish(effect.clean);
          break;
      }
    }
  }

  private send(edge: EdgeId, message: Message<B>): void {
    try {
      this.outboxes.send(edge, message);
    } catch (error) {
      this.sendFailed(error);
    }
  }

  private flush(flush: () => boolean): boolean {
    try {
      return flush();
    } catch (error) {
      this.sendFailed(error);
      return true;
    }
  }

  wasSent(edge: EdgeId, message: Message<B>): void {
    if (message.kind === "data") this.moved += message.batch.rowCount;
    this.display.sent(edge, message);
  }

  /** A send that can never work, such as that of a row that fits no ring, fails the task. */
  private sendFailed(error: unknown): void {
    if (!(error instanceof WeirError)) throw error;
    this.perform(this.machine.abort(error.data, this.home.time.runMs));
    // A machine that is done has no more to say, and yet its last rows did not get through.
    if (this.finishing?.clean === false) return;
    this.report({ kind: "failed", task: this.task, error: { ...error.data, task: this.task } });
    this.finish(false);
  }

  private report(event: TaskEvent): void {
    this.home.time.refresh();
    if (event.kind === "failed") this.home.claimFailure(this.task, event.error.code === "input-lost");
    this.display.reported(event);
    this.home.tell(event);
  }

  private finish(clean: boolean): void {
    this.finishing = { clean };
    if (clean) return;
    // A failed or cancelled task sends no more: what waits is dropped, and its edges just close (F-35).
    this.outboxes.discard();
    for (const effect of this.stalled) {
      if (effect.kind === "report" && effect.event.kind === "failed") this.report(effect.event);
    }
    this.stalled = [];
    this.delayedUntil = Number.NEGATIVE_INFINITY;
  }

  /** After every turn: give back what was worked on, finish what is over. */
  private settle(): void {
    if (this.outboxes.isEmpty && !this.isDelayed) {
      if (this.working !== undefined) {
        this.working.reader.release();
        this.working = undefined;
      }
      this.machine.spec.payload.settled?.();
      if (this.finishing !== undefined && !this.over) this.close();
    }
  }

  /** After so many turns: reads the clock and shows what the task is doing now. */
  private show(turns: number): void {
    this.home.time.refresh();
    this.display.caughtUp(turns);
    if (!this.over) this.enter(this.stateNow());
  }

  private stateNow(): TaskState {
    if (this.isDelayed) return this.machine.isSource ? "Polling" : "Working";
    if (!this.outboxes.isEmpty) return "Sending";
    if (this.machine.phase === "commit-wait") return "CommitWait";
    if (this.machine.pendingEpoch !== undefined) return "Barrier";
    return this.machine.isSource ? "Polling" : "Receiving";
  }

  private close(): void {
    this.over = true;
    this.outboxes.close();
    this.inputs.close();
    const cpuMs = this.home.cpuMs(this.task);
    this.display.closed(cpuMs);
    this.home.tell({ kind: "finished", task: this.task, cpuMs });
  }

  private enter(state: TaskState): void {
    this.display.enter(state, state === "Sending" ? this.outboxes.target : undefined);
  }
}
