const DIGIT_BITS = 11;
const DIGIT = (1 << DIGIT_BITS) - 1;
/** By digit: how many rows have it, then where the next one goes. */
const places = new Int32Array(DIGIT + 1);

/**
 * Rows of numbers by their digits from the last one on: every row moves once for each digit, whatever the others are. Equal ones stay in their order. The
 * numbers change.
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
  const range = greatest - least;
  let rows = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    numbers[row] = (numbers[row] as number) - least;
    rows[row] = row;
  }
  let moved = new Int32Array(count);
  for (let shift = 0; shift < 32 && range >>> shift > 0; shift += DIGIT_BITS) {
    countDigits(numbers, shift);
    for (let k = 0; k < count; k++) {
      const row = rows[k] as number;
      const digit = ((numbers[row] as number) >>> shift) & DIGIT;
      const place = places[digit] as number;
      moved[place] = row;
      places[digit] = place + 1;
    }
    [rows, moved] = [moved, rows];
  }
  return rows;
}

function countDigits(numbers: Uint32Array, shift: number): void {
  places.fill(0);
  for (let row = 0; row < numbers.length; row++) {
    const digit = ((numbers[row] as number) >>> shift) & DIGIT;
    places[digit] = (places[digit] as number) + 1;
  }
  for (let digit = 0, before = 0; digit <= DIGIT; digit++) {
    const all = places[digit] as number;
    places[digit] = before;
    before += all;
  }
}
