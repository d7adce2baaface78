/**
 * Hashes of shuffles and key tables (D-45); the twins are in ../kernels/hash.ts and murmur.ts. Arguments are addresses and counts.
 */

/** The twin is `mix` in murmur.ts. */
@inline
export function mix(word: u32): u32 {
  let h = word ^ (word >> 16);
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  return h ^ (h >> 16);
}

@inline
function mixLanes(words: v128): v128 {
  let h = v128.xor(words, i32x4.shr_u(words, 16));
  h = i32x4.mul(h, i32x4.splat(<i32>0x85ebca6b));
  h = v128.xor(h, i32x4.shr_u(h, 13));
  h = i32x4.mul(h, i32x4.splat(<i32>0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

@inline
function scramble(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593;
}

/** Hash of the bytes [from, to); reads up to three bytes behind them. */
@inline
export function murmur(from: usize, to: usize): u32 {
  let h: u32 = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) h = rotl<u32>(h ^ scramble(load<u32>(at)), 13) * 5 + 0xe6546b64;
  const tail = load<u32>(at) & ((1 << (<u32>(to - at) << 3)) - 1);
  return mix(h ^ scramble(tail) ^ <u32>(to - from));
}

/** Of int32 values. Goes four at a time: `values` and `out` have room for a multiple of four. */
export function hashInts(values: usize, count: i32, out: usize): void {
  const golden = i32x4.splat(<i32>0x9e3779b1);
  const end = out + (<usize>count << 2);
  for (; out < end; out += 16, values += 16) {
    const lo = v128.load(values);
    v128.store(out, mixLanes(v128.xor(lo, i32x4.mul(i32x4.shr_s(lo, 31), golden))));
  }
}

/** Of pairs of words, low word first. Four at a time, as above. */
export function hashWords(values: usize, count: i32, out: usize): void {
  const golden = i32x4.splat(<i32>0x9e3779b1);
  const end = out + (<usize>count << 2);
  for (; out < end; out += 16, values += 32) {
    const a = v128.load(values);
    const b = v128.load(values, 16);
    const lo = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
    const hi = v128.shuffle<i32>(a, b, 1, 3, 5, 7);
    v128.store(out, mixLanes(v128.xor(lo, i32x4.mul(hi, golden))));
  }
}

@inline
function scrambleLanes(words: v128): v128 {
  const h = i32x4.mul(words, i32x4.splat(<i32>0xcc9e2d51));
  return i32x4.mul(v128.or(i32x4.shl(h, 15), i32x4.shr_u(h, 17)), i32x4.splat(0x1b873593));
}

@inline
function wordsAt(a: usize, b: usize, c: usize, d: usize): v128 {
  return v128.load_lane<u32>(d, v128.load_lane<u32>(c, v128.load_lane<u32>(b, v128.load_zero<u32>(a), 1), 2), 3);
}

/** The first 0 to 3 bytes of words. */
@inline
function firstBytes(words: v128, counts: v128): v128 {
  const first = v128.and(i32x4.gt_s(counts, i32x4.splat(0)), i32x4.splat(0xff));
  const second = v128.and(i32x4.gt_s(counts, i32x4.splat(1)), i32x4.splat(0xff00));
  const third = v128.and(i32x4.gt_s(counts, i32x4.splat(2)), i32x4.splat(0xff0000));
  return v128.and(words, v128.or(first, v128.or(second, third)));
}

/** Texts beyond this length are hashed one by one. */
const SHORT: i32 = 32;

/** `murmur` of four texts of at most `SHORT` bytes, whose offsets begin at `offsets`; reads up to SHORT + 4 bytes of each, whatever its length. */
@inline
function murmurLanes(offsets: usize, bytes: usize, lengths: v128): v128 {
  const wholes = i32x4.shr_u(lengths, 2);
  let a = bytes + load<u32>(offsets);
  let b = bytes + load<u32>(offsets, 4);
  let c = bytes + load<u32>(offsets, 8);
  let d = bytes + load<u32>(offsets, 12);
  let h = i32x4.splat(0);
  let tail = i32x4.splat(0);
  let word = i32x4.splat(0);
  while (true) {
    const words = wordsAt(a, b, c, d);
    const whole = i32x4.gt_s(wholes, word);
    tail = v128.bitselect(words, tail, i32x4.eq(wholes, word));
    if (!v128.any_true(whole)) break;
    let next = v128.xor(h, scrambleLanes(words));
    next = v128.or(i32x4.shl(next, 13), i32x4.shr_u(next, 19));
    next = i32x4.add(i32x4.add(i32x4.shl(next, 2), next), i32x4.splat(<i32>0xe6546b64));
    h = v128.bitselect(next, h, whole);
    word = i32x4.add(word, i32x4.splat(1));
    a += 4;
    b += 4;
    c += 4;
    d += 4;
  }
  tail = firstBytes(tail, v128.and(lengths, i32x4.splat(3)));
  return mixLanes(v128.xor(v128.xor(h, scrambleLanes(tail)), lengths));
}

/** `murmur` of texts, four at a time: how long each is decides nothing that a branch predictor would have to learn. Reads up to 36 bytes behind a text. */
export function hashText(offsets: usize, bytes: usize, count: i32, out: usize): void {
  const end = out + (<usize>count << 2);
  for (; out + 16 <= end; out += 16, offsets += 16) {
    const lengths = i32x4.sub(v128.load(offsets, 4), v128.load(offsets));
    if (v128.any_true(i32x4.gt_s(lengths, i32x4.splat(SHORT)))) hashEach(offsets, bytes, 4, out);
    else v128.store(out, murmurLanes(offsets, bytes, lengths));
  }
  hashEach(offsets, bytes, <i32>(end - out) >> 2, out);
}

function hashEach(offsets: usize, bytes: usize, count: i32, out: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(out + i, murmur(bytes + load<u32>(offsets + i), bytes + load<u32>(offsets + i, 4)));
  }
}
