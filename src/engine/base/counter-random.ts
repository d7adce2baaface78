/**
 * Random numbers by position: the n-th number of a stream is a function of (seed, stream, n) alone, so rows can be made in
 * any order, by any number of tasks, and are the same (E-4). `Prng` is for sequences, this is for tables.
 *
 * The function is Threefry-2x32 with 13 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011):
 * additions, rotations and exclusive or on 32-bit words, 64 random bits a call.
 */

const PARITY = 0x1bd11bda;
const TWO_26 = 67_108_864;
const TWO_32 = 4_294_967_296;
const TWO_MINUS_52 = 2 ** -52;

/** Second word of the last `threefry`. */
let second = 0;

/** Answers the first word. Unrolled: with its state in locals it is several times faster than in a loop. */
function threefry(key0: number, key1: number, counter0: number, counter1: number): number {
  const key2 = PARITY ^ key0 ^ key1;
  let x = (counter0 + key0) | 0;
  let y = (counter1 + key1) | 0;
  x = (x + y) | 0;
  y = ((y << 13) | (y >>> 19)) ^ x;
  x = (x + y) | 0;
  y = ((y << 15) | (y >>> 17)) ^ x;
  x = (x + y) | 0;
  y = ((y << 26) | (y >>> 6)) ^ x;
  x = (x + y) | 0;
  y = ((y << 6) | (y >>> 26)) ^ x;
  x = (x + key1) | 0;
  y = (y + key2 + 1) | 0;
  x = (x + y) | 0;
  y = ((y << 17) | (y >>> 15)) ^ x;
  x = (x + y) | 0;
  y = ((y << 29) | (y >>> 3)) ^ x;
  x = (x + y) | 0;
  y = ((y << 16) | (y >>> 16)) ^ x;
  x = (x + y) | 0;
  y = ((y << 24) | (y >>> 8)) ^ x;
  x = (x + key2) | 0;
  y = (y + key0 + 2) | 0;
  x = (x + y) | 0;
  y = ((y << 13) | (y >>> 19)) ^ x;
  x = (x + y) | 0;
  y = ((y << 15) | (y >>> 17)) ^ x;
  x = (x + y) | 0;
  y = ((y << 26) | (y >>> 6)) ^ x;
  x = (x + y) | 0;
  y = ((y << 6) | (y >>> 26)) ^ x;
  x = (x + key0) | 0;
  y = (y + key1 + 3) | 0;
  x = (x + y) | 0;
  y = ((y << 17) | (y >>> 15)) ^ x;
  second = y;
  return x;
}

/** The two words of Threefry-2x32-13, unsigned; for known answers. */
export function threefryWords(key: readonly [number, number], counter: readonly [number, number]): [number, number] {
  const first = threefry(key[0], key[1], counter[0], counter[1]);
  return [first >>> 0, second >>> 0];
}

export class CounterRandom {
  private readonly key0: number;
  private readonly key1: number;

  /** `seed`: a safe integer; `stream`: small whole numbers, each an unrelated table. */
  constructor(seed: number, stream: number) {
    this.key0 = threefry(seed | 0, Math.floor(seed / TWO_32) | 0, stream, 0);
    this.key1 = second;
  }

  /** A number strictly between 0 and 1, uniform, for every position (a safe integer ≥ 0). `out` has room for them. */
  uniform(positions: Float64Array, out: Float64Array): void {
    for (let i = 0; i < positions.length; i++) out[i] = this.uniformAt(positions[i] as number);
  }

  uniformAt(position: number): number {
    const first = this.at(position);
    return ((first >>> 6) * TWO_26 + (second >>> 6) + 0.5) * TWO_MINUS_52;
  }

  /** Two random words for every position: word 2i and 2i + 1 of `out` are those of position i. */
  words(positions: Float64Array, out: Uint32Array): void {
    for (let i = 0; i < positions.length; i++) {
      out[2 * i] = this.at(positions[i] as number);
      out[2 * i + 1] = second;
    }
  }

  private at(position: number): number {
    return threefry(this.key0, this.key1, position | 0, Math.floor(position / TWO_32) | 0);
  }
}
