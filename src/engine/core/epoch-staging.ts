import { assert } from "../base/assert.ts";
import type { Epoch } from "../base/ids.ts";

/** Items of one sealed epoch, in the order written. */
export interface SealedEpoch<B> {
  readonly epoch: Epoch;
  readonly items: readonly B[];
}

/**
 * Exactly-once for a sink that has no transaction of its own (F-73): items gather in the open epoch, a barrier seals it, the commit of
 * an epoch releases every sealed one up to it, in order. Nothing is visible earlier. An epoch that is aborted goes out
 * with the next one that commits (D-8), so its items appear once.
 *
 * Sans-IO: it keeps lists and answers what is to become visible; the caller owns the items (a batch must be retained).
 */
export class EpochStaging<B> {
  private open: B[] = [];
  private readonly staged: SealedEpoch<B>[] = [];
  private released = 0;

  /** Whether the open epoch holds anything (decides about the final epoch, D-13). */
  get holdsOpen(): boolean {
    return this.open.length > 0;
  }

  /** Sealed epochs that wait for a commit, oldest first: the pre-commit state of the newest of them (D-14). */
  get sealed(): readonly SealedEpoch<B>[] {
    return this.staged;
  }

  add(item: B): void {
    this.open.push(item);
  }

  /** Ends the open epoch. Epochs only move forward (D-8); one without items stages nothing. */
  seal(epoch: Epoch): void {
    const newest = this.staged[this.staged.length - 1]?.epoch ?? this.released;
    assert(epoch > newest, `epoch ${epoch} is sealed after epoch ${newest}`);
    if (this.open.length === 0) return;
    this.staged.push({ epoch, items: this.open });
    this.open = [];
  }

  /** Takes out every sealed epoch ≤ `epoch`, oldest first; again for the same epoch gives nothing (D-12). */
  commit(epoch: Epoch): SealedEpoch<B>[] {
    const later = this.staged.findIndex((sealed) => sealed.epoch > epoch);
    this.released = Math.max(this.released, epoch);
    return this.staged.splice(0, later < 0 ? this.staged.length : later);
  }

  /** Installs what was sealed when a checkpoint was taken, here or elsewhere too; its epochs wait for their commit again (D-14). */
  restore(sealed: readonly SealedEpoch<B>[]): void {
    assert(this.open.length === 0, "staging is restored before the first item");
    this.staged.push(...sealed);
    this.staged.sort((a, b) => a.epoch - b.epoch);
  }

  /** Forgets everything that was not released: a replay brings it again (F-73). */
  drop(): void {
    this.open = [];
    this.staged.length = 0;
  }
}
