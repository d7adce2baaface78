import type { Attempt, EdgeId } from "../base/ids.ts";
import { LINE_BYTES, RUN_WORDS_BYTES, type RunLayout } from "./ring-layout.ts";

export type RunState = "starting" | "running" | "paused" | "stopping" | "cancelled";

const STATES: readonly RunState[] = ["starting", "running", "paused", "stopping", "cancelled"];

const WORDS_PER_LINE = LINE_BYTES / 4;
const STATE = 0;
const ATTEMPT = 1 * WORDS_PER_LINE;
const SLOW_MOTION = 2 * WORDS_PER_LINE;
/** What a viewer asks for lies in one line. */
const SAMPLES_ASKED = SLOW_MOTION + 1;
const SAMPLED_EDGE = SLOW_MOTION + 2;
const FAILURE = 3 * WORDS_PER_LINE;

/** Who failed first, and whether that is a cause or only the loss that another's failure brought. */
export interface FailureClaim {
  /** Numbered by whoever sets up the run, from 0: tasks, then what else may fail. */
  readonly claimant: number;
  readonly cause: "failure" | "input-lost";
}

/** The words that every loop of a run reads: what it may do, how slowly, and who failed first (D-16). */
export class RunWords {
  private readonly words: Int32Array;

  constructor(buffer: SharedArrayBuffer, layout: RunLayout) {
    this.words = new Int32Array(buffer, layout.runWords, RUN_WORDS_BYTES / 4);
  }

  /** @internal Called by `resetRun`. */
  begin(attempt: Attempt): void {
    Atomics.store(this.words, STATE, 0);
    Atomics.store(this.words, ATTEMPT, attempt);
    Atomics.store(this.words, SLOW_MOTION, 0);
    Atomics.store(this.words, SAMPLES_ASKED, 0);
    Atomics.store(this.words, FAILURE, 0);
  }

  get state(): RunState {
    return STATES[Atomics.load(this.words, STATE)] as RunState;
  }

  /** Bells must be rung after. Cancelled is for good. */
  set state(state: RunState) {
    const next = STATES.indexOf(state);
    for (let now = Atomics.load(this.words, STATE); STATES[now] !== "cancelled"; ) {
      const seen = Atomics.compareExchange(this.words, STATE, now, next);
      if (seen === now) return;
      now = seen;
    }
  }

  get attempt(): Attempt {
    return Atomics.load(this.words, ATTEMPT) as Attempt;
  }

  /** Milliseconds that every step is drawn out for the eye; 0: none. */
  get slowMotionMs(): number {
    return Atomics.load(this.words, SLOW_MOTION);
  }

  set slowMotionMs(ms: number) {
    Atomics.store(this.words, SLOW_MOTION, ms);
  }

  /** Whoever reads the edge is to show some rows of the next batch that it takes. One edge at a time: the last one asked for. */
  askSample(edge: EdgeId): void {
    Atomics.store(this.words, SAMPLED_EDGE, edge);
    Atomics.add(this.words, SAMPLES_ASKED, 1);
  }

  /** How many samples were asked for; another number than before: one of `sampledEdge`. */
  get samplesAsked(): number {
    return Atomics.load(this.words, SAMPLES_ASKED);
  }

  get sampledEdge(): EdgeId {
    return Atomics.load(this.words, SAMPLED_EDGE) as EdgeId;
  }

  /**
   * Claims to be the run's first failure; to be called before any ring is closed because of it. True for one claimant,
   * except that a lost input yields to a failure that comes later (D-16).
   */
  claimFailure(claim: FailureClaim): boolean {
    const word = encodeClaim(claim);
    const before = Atomics.compareExchange(this.words, FAILURE, 0, word);
    if (before === 0) return true;
    if (claim.cause === "input-lost" || decodeClaim(before).cause === "failure") return false;
    return Atomics.compareExchange(this.words, FAILURE, before, word) === before;
  }

  /** The claim that stands. */
  get failure(): FailureClaim | undefined {
    const word = Atomics.load(this.words, FAILURE);
    return word === 0 ? undefined : decodeClaim(word);
  }
}

function encodeClaim(claim: FailureClaim): number {
  return (claim.claimant + 1) * 2 + (claim.cause === "failure" ? 1 : 0);
}

function decodeClaim(word: number): FailureClaim {
  return { claimant: (word >> 1) - 1, cause: (word & 1) === 1 ? "failure" : "input-lost" };
}
