/** With more places, the counts of a digit would take more of the cache than what is moved. */
const MOST_DIGIT_BITS = 13;
const LEAST_DIGIT_BITS = 8;
/** By digit: how many rows have it, then where the next one goes. */
const room = new Int32Array(1 << MOST_DIGIT_BITS);

/**
 * Rows of numbers by their digits from the last one on: every row moves once for each digit, whatever the others are. Digits are all of one size, about
 * four times as many places as there are rows, so that there are few of them. Equal numbers stay in their order.
 */
export function sortByDigits(numbers: Uint32Array): Int32Array {
  const count = numbers.length;
  let least = 0xffffffff;
  let greatest = 0;
  for (let row = 0; row < count; row++) {
    const number = numbers[row] as number;
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  const bits = greatest > least ? 32 - Math.clz32(greatest - least) : 0;
  const most = Math.min(Math.max(34 - Math.clz32(count), LEAST_DIGIT_BITS), MOST_DIGIT_BITS);
  const digits = Math.max(1, Math.ceil(bits / most));
  const digitBits = Math.ceil(bits / digits);
  let rows = new Int32Array(count);
  moveFirst(numbers, least, placesOf(numbers, least, 0, digitBits), rows);
  for (let digit = 1; digit < digits; digit++) {
    const shift = digit * digitBits;
    const moved = new Int32Array(count);
    moveNext(numbers, least, placesOf(numbers, least, shift, digitBits), shift, rows, moved);
    rows = moved;
  }
  return rows;
}

/** By digit, where the first row with it goes; as many as there may be. */
function placesOf(numbers: Uint32Array, least: number, shift: number, bits: number): Int32Array {
  const places = room.subarray(0, 1 << bits).fill(0);
  const mask = places.length - 1;
  for (let row = 0; row < numbers.length; row++) {
    const digit = (((numbers[row] as number) - least) >>> shift) & mask;
    places[digit] = (places[digit] as number) + 1;
  }
  let before = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const all = places[digit] as number;
    places[digit] = before;
    before += all;
  }
  return places;
}

/** Rows as they come, by their last digit. */
function moveFirst(numbers: Uint32Array, least: number, places: Int32Array, out: Int32Array): void {
  const mask = places.length - 1;
  for (let row = 0; row < numbers.length; row++) {
    const digit = ((numbers[row] as number) - least) & mask;
    const place = places[digit] as number;
    out[place] = row;
    places[digit] = place + 1;
  }
}

function moveNext(
  numbers: Uint32Array,
  least: number,
  places: Int32Array,
  shift: number,
  rows: Int32Array,
  out: Int32Array,
): void {
  const mask = places.length - 1;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    const digit = (((numbers[row] as number) - least) >>> shift) & mask;
    const place = places[digit] as number;
    out[place] = row;
    places[digit] = place + 1;
  }
}
