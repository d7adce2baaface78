import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { assert } from "./assert.ts";

/**
 * Seeded random numbers: the same seed gives the same numbers on every machine. The engine has no other source of
 * randomness, so that a run is its graph, its seed and its moves.
 */
export class Prng {
  private generator: ReturnType<typeof xoroshiro128plusFromState>;
  private readonly origin: readonly number[];

  private constructor(current: readonly number[], origin: readonly number[]) {
    this.generator = xoroshiro128plusFromState(current);
    this.origin = origin;
  }

  /** `seed`: any number or text; different seeds give unrelated sequences. */
  static fromSeed(seed: number | string): Prng {
    const origin = wordsOfText(typeof seed === "number" ? `n${seed}` : `s${seed}`, [1, 2, 3, 4]);
    return new Prng(origin, origin);
  }

  /** Continues where `save` was called. */
  static restore(state: readonly number[]): Prng {
    assert(state.length === 8, "the state of a Prng has eight numbers");
    return new Prng(state.slice(0, 4), state.slice(4));
  }

  /** Eight integers of 32 bits. */
  save(): number[] {
    return [...this.generator.getState(), ...this.origin];
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  random(): number {
    return uniformFloat64(this.generator);
  }

  /** Uniform over the safe integers lo…hi, both included. */
  int(lo: number, hi: number): number {
    assert(lo <= hi && Number.isSafeInteger(lo) && Number.isSafeInteger(hi), `no integers between ${lo} and ${hi}`);
    return uniformInt(this.generator, lo, hi);
  }

  /** An unrelated generator that depends on this one's seed and the label only, not on how many numbers were drawn. */
  fork(label: string): Prng {
    const origin = wordsOfText(label, this.origin);
    return new Prng(origin, origin);
  }
}

/** Four well mixed words of a text and four words before it. */
function wordsOfText(text: string, before: readonly number[]): number[] {
  return [0, 1, 2, 3].map((lane) => {
    let h = Math.imul(lane + 1, 0x9e3779b1);
    for (const word of before) h = mix(h ^ word);
    for (let i = 0; i < text.length; i++) h = mix(h ^ text.charCodeAt(i));
    // An all-zero state would stay zero for ever; the lane keeps the words apart.
    return mix(h ^ text.length) | (lane === 0 ? 1 : 0);
  });
}

/** The finisher of MurmurHash3, moved off its fixed point 0. */
function mix(word: number): number {
  let h = (word + 0x6d2b79f5) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
