import type { Epoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { StageSnapshot, TaskEvent, TaskSnapshot } from "./effects.ts";
import type { ChainSpec, StageChain } from "./stage-chain.ts";
import type { FlushResult, Refusal } from "./stages.ts";

/** What became of an epoch at a task. */
export type Seal =
  | { readonly kind: "reported"; readonly event: TaskEvent }
  /** The sink will acknowledge it later (F-45). */
  | { readonly kind: "later" }
  /** The sink did not take over its rows; they stay with it for the next epoch (F-71). */
  | { readonly kind: "refused"; readonly reason: string }
  /** A stage cannot be snapshotted (F-65). */
  | ({ readonly kind: "impossible" } & Refusal & { readonly stage: number });

const NOTHING: StageSnapshot = { state: null, time: { fired: undefined, said: undefined } };

/** Seals the epochs of one task: flushes its sink, takes snapshots, and knows what was sealed, accepted and committed last. */
export class TaskEpochs<B> {
  /** The newest epoch that the task sealed. */
  sealed: Epoch;
  /** The newest epoch that was committed. */
  committed: Epoch;
  private readonly spec: ChainSpec<B>;
  private readonly chain: StageChain<B>;
  private readonly start: Epoch;
  /** Snapshot of the newest epoch whose rows the sink took over. */
  private accepted: { readonly epoch: Epoch; readonly snapshot: TaskSnapshot };
  /** Snapshots of epochs that the sink will acknowledge later (F-45). */
  private readonly unacked = new Map<Epoch, StageSnapshot[]>();

  /** @param goesOn whether the stages have a state already, that of epoch `start` */
  constructor(spec: ChainSpec<B>, chain: StageChain<B>, start: Epoch, goesOn: boolean) {
    this.spec = spec;
    this.chain = chain;
    this.start = start;
    this.sealed = start;
    this.committed = start;
    this.accepted = {
      epoch: start,
      snapshot: { stages: (goesOn ? this.atStart() : undefined) ?? spec.stages.map(() => NOTHING) },
    };
  }

  /** What the task goes on from, where a refused flush repeats it (F-71): elsewhere nobody asks. */
  private atStart(): StageSnapshot[] | undefined {
    if (this.chain.source === undefined || this.chain.hasEdges) return undefined;
    const taken = this.chain.snapshot(this.start, null, false);
    return Array.isArray(taken) ? taken : undefined;
  }

  /** Whether a sealed epoch waits for its acknowledgement. */
  get awaitsAck(): boolean {
    return this.unacked.size > 0;
  }

  /** Whether a commit of something that the task sealed is still to come (F-36, F-58). */
  get awaitsCommit(): boolean {
    return this.sealed > this.committed;
  }

  /** Flushes the sink, then snapshots (F-70). `drained`: positions are the final ones. */
  seal(epoch: Epoch, drained: boolean): Seal {
    const flushed: FlushResult = this.chain.flush(epoch) ?? { kind: "durable", precommit: null };
    if (flushed.kind === "refused") {
      this.sealed = epoch;
      return flushed;
    }
    const taken = this.chain.snapshot(epoch, flushed.kind === "durable" ? flushed.precommit : null, drained);
    if (!Array.isArray(taken)) return { kind: "impossible", ...taken };
    this.sealed = epoch;
    if (flushed.kind === "durable") return { kind: "reported", event: this.accept(epoch, { stages: taken }) };
    this.unacked.set(epoch, taken);
    return flushed;
  }

  /** Report of an epoch that the sink acknowledges now; undefined when it owes none. */
  ack(epoch: Epoch, precommit: SnapshotValue): TaskEvent | undefined {
    const parts = this.unacked.get(epoch);
    if (parts === undefined) return undefined;
    this.unacked.delete(epoch);
    const last = parts.length - 1;
    const state = precommit === null ? null : this.spec.encode(precommit);
    parts[last] = { ...(parts[last] as StageSnapshot), state };
    return this.accept(epoch, { stages: parts });
  }

  /** What to say of an epoch that the sink refused. */
  refusal(epoch: Epoch, reason: string): TaskEvent {
    const { task } = this.spec;
    // Where the whole pipeline is in this task, the epoch repeats the last accepted position: a commit commits nothing newer (F-71, D-15).
    if (this.chain.source !== undefined && !this.chain.hasEdges) return this.report(epoch, this.accepted.snapshot);
    // Elsewhere other tasks are ahead of what this sink took over: the epoch must not complete (F-45).
    return { kind: "refused", task, epoch, reason };
  }

  /** State at the end, for the epochs that the task does not report any more. Null when there is none, or it cannot be taken. */
  atEnd(drained: boolean): TaskSnapshot | null {
    const { epoch, snapshot } = this.accepted;
    if (this.isSinkAlone) return epoch > this.start ? snapshot : null;
    const taken = this.chain.snapshot(this.sealed, null, drained);
    if (!Array.isArray(taken)) return null;
    const last = taken.length - 1;
    // What the sink staged last may not be committed yet (D-14).
    if (this.chain.sink !== undefined) taken[last] = snapshot.stages[last] as StageSnapshot;
    return { stages: taken };
  }

  private accept(epoch: Epoch, snapshot: TaskSnapshot): TaskEvent {
    if (epoch > this.accepted.epoch) this.accepted = { epoch, snapshot };
    return this.report(epoch, snapshot);
  }

  private report(epoch: Epoch, snapshot: TaskSnapshot): TaskEvent {
    return { kind: this.isSinkAlone ? "ack" : "snapshot", task: this.spec.task, epoch, snapshot };
  }

  private get isSinkAlone(): boolean {
    return this.chain.sink !== undefined && this.spec.stages.length === 1;
  }
}
