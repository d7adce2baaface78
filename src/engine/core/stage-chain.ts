import { WeirError } from "../base/errors.ts";
import { END, IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import type { EdgeId, Epoch, NodeId, TaskId } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { AlignmentMode } from "./alignment.ts";
import type { Effect, StageProgress, StageSnapshot } from "./effects.ts";
import type { Message } from "./messages.ts";
import { type PayloadOps, type Route, Router, type RouteTarget } from "./routing.ts";
import type { FlushResult, Operator, Output, Refusal, Sink, Source } from "./stages.ts";
import { type TimeChange, WatermarkTable } from "./watermarks.ts";

/** One stage of a task with the node that it belongs to. */
export type Stage<B> =
  | { readonly role: "source"; readonly node: NodeId; readonly source: Source<B> }
  | { readonly role: "operator"; readonly node: NodeId; readonly operator: Operator<B> }
  | { readonly role: "sink"; readonly node: NodeId; readonly sink: Sink<B> };

export interface ChainSpec<B> {
  readonly task: TaskId;
  /** source? operator* sink?, at least one. */
  readonly stages: readonly Stage<B>[];
  /** Physical inputs of the first stage; 0 for a source. */
  readonly inputs: number;
  readonly routes: readonly Route[];
  readonly vnodes: number;
  readonly payload: PayloadOps<B>;
  /** Counts the rows of each stage, where somebody wants to know. */
  readonly tallies?: readonly StageTally[];
  /** Bytes of a snapshot value: taking them at once is what makes a snapshot a deep copy (D-7). */
  readonly encode: (value: SnapshotValue) => Uint8Array;
}

/** Rows into a stage and out of it, each counted once however many edges it goes on. */
export interface StageTally {
  received(rows: number): void;
  sent(rows: number): void;
}

/** What a stage last said downstream. */
interface Said {
  ms: number | undefined;
  idle: boolean;
  ended: boolean;
}

/**
 * The stages of a task as one pipeline: hands batches, times, ticks and ends from stage to stage, and what leaves the
 * task to its routes. Calls go depth first, so an output reaches the end of the chain before the next one is made; the link between two stages is
 * as good as an edge (F-6, F-13, F-15).
 */
export class StageChain<B> implements RouteTarget<B> {
  /** Effects of the call in progress, in order. The machine takes them away. */
  effects: Effect<B>[] = [];
  nowMs = 0;
  /** Stage whose code runs or ran last: where an error belongs. */
  current = 0;

  readonly stages: readonly Stage<B>[];
  private readonly spec: ChainSpec<B>;
  private readonly tables: WatermarkTable[];
  private readonly outputs: StageOutput<B>[];
  private readonly said: Said[];
  /** Stages that heard the end of their input before the checkpoint that the run goes on from: no rows can come to them. */
  private readonly heardEnd: boolean[] = [];
  private readonly routers: Router<B>[][];
  private readonly edgesOf: EdgeId[][];
  /** Every edge out of the task, in edge order of its routes: where barriers, ticks and Eos go (F-15). */
  private readonly edges: readonly EdgeId[];

  constructor(spec: ChainSpec<B>) {
    this.spec = spec;
    this.stages = spec.stages;
    this.tables = spec.stages.map((_, i) => new WatermarkTable(i === 0 ? spec.inputs : 1));
    this.outputs = spec.stages.map((stage, i) => new StageOutput<B>(this, i, stage.role !== "source"));
    this.said = spec.stages.map(() => ({ ms: undefined, idle: false, ended: false }));
    this.routers = spec.stages.map((_, i) =>
      spec.routes.filter((route) => route.stage === i).map((route) => new Router(route, spec.vnodes, spec.payload)),
    );
    this.edgesOf = this.routers.map((routers) => routers.flatMap((r) => r.route.targets.map((target) => target.edge)));
    this.edges = this.edgesOf.flat();
  }

  get source(): Source<B> | undefined {
    const head = this.stages[0];
    return head?.role === "source" ? head.source : undefined;
  }

  get sink(): Sink<B> | undefined {
    const tail = this.stages[this.stages.length - 1];
    return tail?.role === "sink" ? tail.sink : undefined;
  }

  get hasEdges(): boolean {
    return this.edges.length > 0;
  }

  /** Watermarks of the first stage's inputs. */
  get head(): WatermarkTable {
    return this.tables[0] as WatermarkTable;
  }

  /** What the last stage with an output said downstream; for the probe. */
  saidByTask(): TimeMark | undefined {
    const last = this.stages.length - 1;
    const stage = this.sink !== undefined && last > 0 ? last - 1 : last;
    if (this.stages[stage]?.role === "sink") return asMark(this.head);
    return saidMark(this.said[stage] as Said);
  }

  output(stage: number): Output<B> {
    return this.outputs[stage] as StageOutput<B>;
  }

  /** Hands a batch to a stage. */
  deliver(stage: number, batch: B, port: string): void {
    const target = this.stages[stage] as Stage<B>;
    const before = this.enter(stage);
    this.spec.tallies?.[stage]?.received(this.spec.payload.rowCount(batch));
    if (target.role === "operator") {
      if (target.operator.onEnd !== undefined && this.heardEnd[stage] === true) throw behindTheEnd(target.node);
      target.operator.process(batch, port, this.output(stage));
      this.settle(stage);
    } else if (target.role === "sink") {
      target.sink.write(batch, this.nowMs);
    }
    this.current = before;
  }

  /** Applies what a message made of the time of a stage's inputs (F-18 to F-21). */
  applyTime(stage: number, change: TimeChange): void {
    const target = this.stages[stage] as Stage<B>;
    if (target.role !== "operator") return;
    const { operator } = target;
    const before = this.enter(stage);
    const { advancedTo } = change;
    if (advancedTo !== undefined) {
      operator.onTime?.(advancedTo, this.output(stage));
      // What the operator said itself goes instead of the combined time (F-19).
      if (!this.settle(stage)) this.say(stage, timeMark(advancedTo));
    }
    if (change.becameIdle) this.say(stage, IDLE);
    if (change.ended) {
      operator.onEnd?.(this.output(stage));
      this.settle(stage);
      this.say(stage, END);
    }
    this.current = before;
  }

  /** Runs `onTick` of every operator; forwarding the tick is the machine's business (F-26). */
  tick(nowMs: number): void {
    this.eachOperator((operator, output) => operator.onTick?.(nowMs, output));
  }

  beforeBarrier(epoch: Epoch): void {
    this.eachOperator((operator, output) => operator.onBarrier?.(epoch, output));
  }

  /** Flushes every operator, then tells the sink that no more comes (F-46). */
  eos(): void {
    this.eachOperator((operator, output) => operator.onEos?.(output));
    if (this.sink?.onEos === undefined) return;
    this.current = this.stages.length - 1;
    this.sink.onEos();
  }

  /**
   * Snapshots of all stages. `position` is the source's, taken last: behind the flush of a chained sink (F-70).
   * An operator's refusal is answered, not thrown (F-65).
   */
  snapshot(epoch: Epoch, precommit: SnapshotValue, final: boolean): StageSnapshot[] | (Refusal & { stage: number }) {
    const parts: StageSnapshot[] = [];
    for (let i = this.stages.length - 1; i >= 0; i--) {
      const stage = this.stages[i] as Stage<B>;
      this.current = i;
      let value: SnapshotValue | undefined;
      if (stage.role === "sink") value = precommit;
      else if (stage.role === "source") value = positionOf(stage.source, final);
      else {
        const taken = stage.operator.snapshot?.(epoch);
        if (isRefusal(taken)) return { ...taken.refusal, stage: i };
        value = taken;
      }
      const state = value === undefined || value === null ? null : this.spec.encode(value);
      parts[i] = { state, time: this.progressOf(i) };
    }
    return parts;
  }

  /** Continues where the time of the stages had come to. Their state is theirs to restore. */
  restore(progress: readonly StageProgress[], alignment: AlignmentMode): void {
    progress.forEach(({ fired, said, saidMs }, i) => {
      // Without alignment a state may hold what its inputs send again.
      this.heardEnd[i] = said?.kind === "end" && alignment === "aligned";
      this.tables[i]?.restore(fired, said?.kind === "end");
      // A source says its time itself when it opens.
      if (this.stages[i]?.role === "source") return;
      this.said[i] = { ms: saidMs, idle: said?.kind === "idle", ended: said?.kind === "end" };
    });
  }

  /** Says again what each operator said last: after a restore nobody downstream has heard it (P-06). */
  sayAgain(): void {
    for (let i = 0; i < this.stages.length; i++) {
      const { ms, idle, ended } = this.said[i] as Said;
      if (this.stages[i]?.role !== "operator") continue;
      if (ms !== undefined) this.tell(i, timeMark(ms));
      if (idle || ended) this.tell(i, ended ? END : IDLE);
    }
  }

  private progressOf(stage: number): StageProgress {
    const said = this.said[stage] as Said;
    return { fired: this.tables[stage]?.time, said: saidMark(said), saidMs: said.ms };
  }

  flush(epoch: Epoch): FlushResult | undefined {
    if (this.sink === undefined) return undefined;
    this.current = this.stages.length - 1;
    return this.sink.flush(epoch);
  }

  sendData(edge: EdgeId, batch: B): void {
    this.effects.push({ kind: "send", edge, message: { kind: "data", batch } });
  }

  /** A batch leaves a stage: to the next stage of the chain, and along the routes of its port (F-5). */
  emit(stage: number, batch: B, port: string): void {
    this.wakeTime(stage);
    this.spec.tallies?.[stage]?.sent(this.spec.payload.rowCount(batch));
    for (const router of this.routers[stage] as Router<B>[]) {
      if (router.route.port !== port) continue;
      router.send(batch, this);
    }
    if (port === MAIN_PORT && stage + 1 < this.stages.length) this.deliver(stage + 1, batch, "in");
  }

  /** Says something about time downstream of a stage. An operator's time never goes back; a source's times are its own affair (D-52). */
  say(stage: number, mark: TimeMark): void {
    const said = this.said[stage] as Said;
    if (isNoNews(said, mark, this.stages[stage]?.role === "source")) return;
    if (mark.kind === "time") said.ms = mark.ms;
    said.idle = mark.kind === "idle";
    said.ended = mark.kind === "end";
    this.tell(stage, mark);
  }

  private tell(stage: number, mark: TimeMark): void {
    const message: Message<B> = { kind: "watermark", source: this.spec.task, mark };
    for (const edge of this.edgesOf[stage] as EdgeId[]) this.effects.push({ kind: "send", edge, message });
    const next = stage + 1;
    if (next >= this.stages.length) return;
    this.applyTime(next, (this.tables[next] as WatermarkTable).update(0, this.spec.task, mark));
  }

  /** Sends a barrier, a tick or Eos to every target of every route (F-15). */
  sendControl(message: Message<B>): void {
    for (const edge of this.edges) this.effects.push({ kind: "send", edge, message });
  }

  /** A task that said idle says its time again before its next data, unless its own inputs are idle still (D-3). */
  private wakeTime(stage: number): void {
    const said = this.said[stage] as Said;
    if (!said.idle || said.ms === undefined) return;
    if (this.stages[stage]?.role === "operator" && (this.tables[stage] as WatermarkTable).isIdle) return;
    this.say(stage, timeMark(said.ms));
  }

  private eachOperator(call: (operator: Operator<B>, output: Output<B>) => void): void {
    for (let i = 0; i < this.stages.length; i++) {
      const stage = this.stages[i] as Stage<B>;
      if (stage.role !== "operator") continue;
      const before = this.enter(i);
      call(stage.operator, this.output(i));
      this.settle(i);
      this.current = before;
    }
  }

  private enter(stage: number): number {
    const before = this.current;
    this.current = stage;
    return before;
  }

  /** Says the mark that the operator set in the call that just ended, behind its batches (F-13). */
  private settle(stage: number): boolean {
    const mark = (this.outputs[stage] as StageOutput<B>).takeMark();
    if (mark === undefined) return false;
    this.say(stage, mark);
    return true;
  }
}

/** The output port that chained stages are linked by. */
const MAIN_PORT = "out";

class StageOutput<B> implements Output<B> {
  private readonly chain: StageChain<B>;
  private readonly stage: number;
  /** Whether marks wait for the end of the call (operators) or go out in call order (sources). */
  private readonly deferred: boolean;
  private pending: TimeMark | undefined = undefined;

  constructor(chain: StageChain<B>, stage: number, deferred: boolean) {
    this.chain = chain;
    this.stage = stage;
    this.deferred = deferred;
  }

  get nowMs(): number {
    return this.chain.nowMs;
  }

  emit(batch: B, port: string = MAIN_PORT): void {
    this.chain.emit(this.stage, batch, port);
  }

  mark(mark: TimeMark): void {
    if (this.deferred) this.pending = mark;
    else this.chain.say(this.stage, mark);
  }

  delay(untilMs: number): void {
    this.chain.effects.push({ kind: "delay", untilMs });
  }

  takeMark(): TimeMark | undefined {
    const mark = this.pending;
    this.pending = undefined;
    return mark;
  }
}

function isNoNews(said: Said, mark: TimeMark, mayGoBack: boolean): boolean {
  if (said.ended) return true;
  if (mark.kind === "idle") return said.idle;
  if (mark.kind === "end" || said.ms === undefined || mayGoBack) return false;
  return mark.ms < said.ms || (mark.ms === said.ms && !said.idle);
}

function behindTheEnd(node: NodeId): WeirError {
  return new WeirError({
    code: "input-after-end",
    node,
    domain: "checkpoint",
    message:
      "rows come behind the end of the input, at which it told its last results before the checkpoint: a file has grown since",
    hint: "begin anew with an empty folder",
  });
}

function saidMark(said: Said): TimeMark | undefined {
  if (said.ended) return END;
  if (said.idle) return IDLE;
  return said.ms === undefined ? undefined : timeMark(said.ms);
}

function asMark(table: WatermarkTable): TimeMark | undefined {
  if (table.isEnded) return END;
  if (table.isIdle) return IDLE;
  return table.time === undefined ? undefined : timeMark(table.time);
}

function positionOf<B>(source: Source<B>, final: boolean): SnapshotValue {
  return final && source.finalPosition !== undefined ? source.finalPosition() : source.position();
}

function isRefusal(value: unknown): value is { readonly refusal: Refusal } {
  return typeof value === "object" && value !== null && "refusal" in value && typeof value.refusal === "object";
}
