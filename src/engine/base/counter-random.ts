/**
 * Random numbers by position: the n-th number of a stream is a function of (seed, stream, n) alone, so rows can be made in
 * any order, by any number of tasks, and are the same (E-4). `Prng` is for sequences, this is for tables.
 *
 * The function is Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011):
 * additions, rotations and exclusive or on 32-bit words, 64 random bits a call.
 */

const PARITY = 0x1bd11bda;
const TWO_26 = 67_108_864;
const TWO_32 = 4_294_967_296;
const TWO_MINUS_52 = 2 ** -52;

/** Result of the last `threefry`. */
let word0 = 0;
let word1 = 0;

/** Four rounds with the given rotations. */
function mixFour(a: number, b: number, c: number, d: number): void {
  let x = word0;
  let y = word1;
  x = (x + y) | 0;
  y = ((y << a) | (y >>> (32 - a))) ^ x;
  x = (x + y) | 0;
  y = ((y << b) | (y >>> (32 - b))) ^ x;
  x = (x + y) | 0;
  y = ((y << c) | (y >>> (32 - c))) ^ x;
  x = (x + y) | 0;
  y = ((y << d) | (y >>> (32 - d))) ^ x;
  word0 = x;
  word1 = y;
}

function threefry(key0: number, key1: number, counter0: number, counter1: number): void {
  const key2 = PARITY ^ key0 ^ key1;
  word0 = (counter0 + key0) | 0;
  word1 = (counter1 + key1) | 0;
  mixFour(13, 15, 26, 6);
  word0 = (word0 + key1) | 0;
  word1 = (word1 + key2 + 1) | 0;
  mixFour(17, 29, 16, 24);
  word0 = (word0 + key2) | 0;
  word1 = (word1 + key0 + 2) | 0;
  mixFour(13, 15, 26, 6);
  word0 = (word0 + key0) | 0;
  word1 = (word1 + key1 + 3) | 0;
  mixFour(17, 29, 16, 24);
  word0 = (word0 + key1) | 0;
  word1 = (word1 + key2 + 4) | 0;
  mixFour(13, 15, 26, 6);
  word0 = (word0 + key2) | 0;
  word1 = (word1 + key0 + 5) | 0;
}

/** The two words of Threefry-2x32-20, unsigned; for known answers. */
export function threefryWords(key: readonly [number, number], counter: readonly [number, number]): [number, number] {
  threefry(key[0], key[1], counter[0], counter[1]);
  return [word0 >>> 0, word1 >>> 0];
}

export class CounterRandom {
  private readonly key0: number;
  private readonly key1: number;

  /** `seed`: a safe integer; `stream`: small whole numbers, each an unrelated table. */
  constructor(seed: number, stream: number) {
    threefry(seed | 0, Math.floor(seed / TWO_32) | 0, stream, 0);
    this.key0 = word0;
    this.key1 = word1;
  }

  /** A number strictly between 0 and 1, uniform, for every position (a safe integer ≥ 0). `out` has room for them. */
  uniform(positions: Float64Array, out: Float64Array): void {
    for (let i = 0; i < positions.length; i++) out[i] = this.uniformAt(positions[i] as number);
  }

  uniformAt(position: number): number {
    this.at(position);
    return ((word0 >>> 6) * TWO_26 + (word1 >>> 6) + 0.5) * TWO_MINUS_52;
  }

  /** Two random words for every position: word 2i and 2i + 1 of `out` are those of position i. */
  words(positions: Float64Array, out: Uint32Array): void {
    for (let i = 0; i < positions.length; i++) {
      this.at(positions[i] as number);
      out[2 * i] = word0;
      out[2 * i + 1] = word1;
    }
  }

  private at(position: number): void {
    threefry(this.key0, this.key1, position | 0, Math.floor(position / TWO_32) | 0);
  }
}
