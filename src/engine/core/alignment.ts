import type { Epoch } from "../base/ids.ts";

/**
 * Barrier alignment of one task: which inputs have delivered the pending barrier, and which of them are held.
 *
 * Ended inputs and newer epochs are inputs of this machine, not special cases around it. Held means left unread in
 * its edge (D-1): `holds(input)` is asked before a message is taken.
 */
export type AlignmentMode = "aligned" | "none";

type State =
  | { readonly kind: "flowing" }
  | { readonly kind: "aligning"; readonly epoch: Epoch; readonly delivered: Set<number> };

const FLOWING: State = { kind: "flowing" };

export class Alignment {
  private state: State = FLOWING;
  private readonly ended: boolean[];
  private endedCount = 0;
  private last: number;
  private readonly mode: AlignmentMode;

  /** `startEpoch`: the epoch that the run continues from; barriers up to it are old (F-8). */
  constructor(inputs: number, mode: AlignmentMode, startEpoch: Epoch) {
    this.ended = new Array<boolean>(inputs).fill(false);
    this.mode = mode;
    this.last = startEpoch;
  }

  /** Epoch that waits for inputs, or undefined. */
  get pending(): Epoch | undefined {
    return this.state.kind === "aligning" ? this.state.epoch : undefined;
  }

  get allEnded(): boolean {
    return this.endedCount === this.ended.length;
  }

  /** Whether everything behind the delivered barrier of this input waits (F-40). */
  holds(input: number): boolean {
    return this.state.kind === "aligning" && this.state.delivered.has(input);
  }

  hasEnded(input: number): boolean {
    return this.ended[input] === true;
  }

  /** Inputs that the pending barrier still waits for. */
  missing(): number[] {
    const state = this.state;
    if (state.kind === "flowing") return [];
    return this.ended.flatMap((ended, input) => (ended || state.delivered.has(input) ? [] : [input]));
  }

  /**
   * The input delivered the barrier of `epoch`. Answers the epoch that is complete now, if one is (F-39).
   * Epochs only move forward (D-8): an old barrier is no news.
   */
  barrier(input: number, epoch: Epoch): Epoch | undefined {
    if (epoch <= this.last) return undefined;
    if (this.mode === "none") {
      this.last = epoch;
      return epoch;
    }
    const pending = this.pending;
    if (pending !== undefined && epoch < pending) return undefined;
    if (this.state.kind === "aligning" && epoch === pending) {
      this.state.delivered.add(input);
    } else {
      // A later barrier from an input that had not delivered the pending one replaces it (F-47).
      this.state = { kind: "aligning", epoch, delivered: new Set([input]) };
    }
    return this.completeIfAligned();
  }

  /** The input is at Eos, which counts as aligned for the pending barrier and all later ones (F-41). */
  end(input: number): Epoch | undefined {
    if (this.ended[input] === true) return undefined;
    this.ended[input] = true;
    this.endedCount++;
    return this.completeIfAligned();
  }

  private completeIfAligned(): Epoch | undefined {
    const state = this.state;
    if (state.kind === "flowing") return undefined;
    for (let input = 0; input < this.ended.length; input++) {
      if (!this.ended[input] && !state.delivered.has(input)) return undefined;
    }
    this.last = state.epoch;
    this.state = FLOWING;
    return state.epoch;
  }
}
