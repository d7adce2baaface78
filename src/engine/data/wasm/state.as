/**
 * Kernels of keyed state: numbers of keys, slots of windows, values into slots. Each is the loop of a TypeScript twin, which its class names. State lies
 * on the heap, by slot; `slots` says to which slot entry i goes. The cell of slot s is `stride` · s bytes behind that of slot 0.
 */

const LIMIT: f64 = 4503599627370496; // 2^52
const TWO_32: f64 = 4294967296;

/**
 * Number − 1 that `table` has for each code, so −1 where it has 0: TextKeyTable. Answers a negative number where there is such a one. The code of a NULL
 * row may be none of the `words`.
 */
export function numbersOfCodes(codes: usize, table: usize, words: u32, count: i32, out: usize): i32 {
  const end = out + (<usize>count << 2);
  let any: i32 = 0;
  for (; out < end; out += 4, codes += 4) {
    const code = load<u32>(codes);
    const number = load<i32>(table + (<usize>select<u32>(code, 0, code < words) << 2)) - 1;
    any |= number;
    store<i32>(out, number);
  }
  return any;
}

/**
 * Slots of keys, by blocks of 32 keys: Pane. `open` has a bit for each slot of a block: what is closed is opened where its key has a block. Answers how
 * many keys have none; `rest` gets their places, and behind those how many slots were opened.
 */
export function slotsOfKeys(ids: usize, blocks: usize, open: usize, count: i32, out: usize, rest: usize): i32 {
  let to = rest;
  let opened: u32 = 0;
  for (let i = 0; i < count; i++) {
    const at = <usize>i << 2;
    const id = load<u32>(ids + at);
    const block = load<u32>(blocks + (<usize>(id >> 5) << 2));
    store<u32>(out + at, block | (id & 31));
    if (block == 0) {
      store<i32>(to, i);
      to += 4;
      continue;
    }
    const bits = open + <usize>(block >> 3);
    const before = load<u32>(bits);
    const after = before | (1 << (id & 31));
    if (before == after) continue;
    store<u32>(bits, after);
    opened++;
  }
  store<u32>(to, opened);
  return <i32>(to - rest) >> 2;
}

/** CountAccumulator. */
export function countSlots(slots: usize, count: i32, counts: usize, stride: usize): void {
  const end = slots + (<usize>count << 2);
  for (; slots < end; slots += 4) {
    const at = counts + <usize>load<u32>(slots) * stride;
    store<f64>(at, load<f64>(at) + 1);
  }
}

/** FloatTotals. */
export function addFloats(slots: usize, values: usize, count: i32, sums: usize, stride: usize): void {
  const end = slots + (<usize>count << 2);
  for (; slots < end; slots += 4, values += 8) {
    const at = sums + <usize>load<u32>(slots) * stride;
    store<f64>(at, load<f64>(at) + load<f64>(values));
  }
}

@inline
function storeTotal(sum: f64, at: usize): void {
  if (abs<f64>(sum) <= LIMIT) {
    store<f64>(at, sum);
    return;
  }
  const over = floor<f64>(sum / TWO_32);
  store<f64>(at, load<f64>(at, 8) + over, 8);
  store<f64>(at, sum - over * TWO_32);
}

/** IntegerTotals, of whole numbers that a double holds. The high part of a total lies behind the low one. */
export function addNumbers(slots: usize, values: usize, count: i32, totals: usize, stride: usize): void {
  const end = slots + (<usize>count << 2);
  for (; slots < end; slots += 4, values += 8) {
    const at = totals + <usize>load<u32>(slots) * stride;
    storeTotal(load<f64>(at) + load<f64>(values), at);
  }
}

/** IntegerTotals, of 64-bit integers. */
export function addLongs(slots: usize, values: usize, signed: bool, count: i32, totals: usize, stride: usize): void {
  const end = slots + (<usize>count << 2);
  const least: i64 = signed ? -4503599627370496 : 0;
  for (; slots < end; slots += 4, values += 8) {
    const at = totals + <usize>load<u32>(slots) * stride;
    const value = load<i64>(values);
    let sum = load<f64>(at);
    if (value >= least && value < 4503599627370496) sum += <f64>value;
    else {
      sum += <f64>(<u32>value);
      const more = signed ? <f64>(<i32>(value >> 32)) : <f64>(<u32>(value >> 32));
      store<f64>(at, load<f64>(at, 8) + more, 8);
    }
    storeTotal(sum, at);
  }
}

/** ExtremeAccumulator over NumberValues: the total order, in which NaN is greatest. */
export function extremeNumbers(slots: usize, values: usize, max: bool, count: i32, held: usize, best: usize): void {
  const end = slots + (<usize>count << 2);
  for (; slots < end; slots += 4, values += 8) {
    const slot = <usize>load<u32>(slots);
    const at = best + (slot << 3);
    const value = load<f64>(values);
    const other = load<f64>(at);
    const wins = max ? value > other || (value != value && other == other) : value < other || (other != other && value == value);
    if (load<u8>(held + slot) != 0 && !wins) continue;
    store<u8>(held + slot, 1);
    store<f64>(at, value);
  }
}

/** The same over WordValues of two words. `flip`: the sign bit where values are unsigned, else 0. */
export function extremeLongs(slots: usize, values: usize, max: bool, flip: u32, count: i32, held: usize, best: usize): void {
  const end = slots + (<usize>count << 2);
  const mask = <i64>((<u64>flip) << 32);
  for (; slots < end; slots += 4, values += 8) {
    const slot = <usize>load<u32>(slots);
    const at = best + (slot << 3);
    const value = load<i64>(values);
    const x = value ^ mask;
    const y = load<i64>(at) ^ mask;
    if (load<u8>(held + slot) != 0 && !(max ? x > y : x < y)) continue;
    store<u8>(held + slot, 1);
    store<i64>(at, value);
  }
}
