import type { Prng } from "../../base/prng.ts";
import type { Move } from "./moves.ts";

/** Who decides which enabled move is made. `choices` is never empty; the answer is an index. */
export interface Scheduler {
  pick(choices: readonly Move[]): number;
}

/** One in this many picks lets the clock run although something else could move. */
const ADVANCE_EVERY = 32;

/** Any enabled move, by the seed. The clock goes on now and then, so that barriers and ticks come at every moment. */
export class SeededScheduler implements Scheduler {
  private readonly prng: Prng;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  pick(choices: readonly Move[]): number {
    const last = choices.length - 1;
    if (last > 0 && choices[last]?.by === "clock") {
      if (this.prng.int(1, ADVANCE_EVERY) === 1) return last;
      return this.prng.int(0, last - 1);
    }
    return this.prng.int(0, last);
  }
}

/** The tasks in turn, the coordinator between them; the clock only when nothing else can move. */
export class RoundRobinScheduler implements Scheduler {
  private turn = 0;

  pick(choices: readonly Move[]): number {
    const movable =
      choices.length > 1 && choices[choices.length - 1]?.by === "clock" ? choices.length - 1 : choices.length;
    this.turn++;
    return this.turn % movable;
  }
}

/** Tasks with a weight, 1 where none is given: 0.1 is a slow task, 10 a fast one. Everything else weighs 1. */
export class WeightedScheduler implements Scheduler {
  private readonly prng: Prng;
  private readonly weights: ReadonlyMap<number, number>;

  constructor(prng: Prng, weights: ReadonlyMap<number, number>) {
    this.prng = prng;
    this.weights = weights;
  }

  pick(choices: readonly Move[]): number {
    const weightOf = (move: Move) =>
      move.by === "task" ? (this.weights.get(move.task) ?? 1) : move.by === "clock" ? 1 / ADVANCE_EVERY : 1;
    let left = this.prng.random() * choices.reduce((sum, move) => sum + weightOf(move), 0);
    for (let i = 0; i < choices.length; i++) {
      left -= weightOf(choices[i] as Move);
      if (left < 0) return i;
    }
    return choices.length - 1;
  }
}
