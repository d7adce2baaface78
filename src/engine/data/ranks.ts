/** The place of each number in `order`, which has all numbers below its length once. */
export function ranksOf(order: Int32Array): Int32Array {
  const ranks = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) ranks[order[place] as number] = place;
  return ranks;
}
