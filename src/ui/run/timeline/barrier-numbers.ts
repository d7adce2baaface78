/** How wide a digit of a barrier's number is, and what lies between two numbers. */
const DIGIT = 6.6;
const GAP = 7;

/**
 * Whether the number of an epoch has room beside the others, where one comes every so many pixels: of those that stand too close every
 * second, fifth or tenth is written, whichever part of them is in sight.
 */
export function hasNumber(epoch: number, apart: number): boolean {
  if (!(apart > 0)) return true;
  const needed = String(epoch).length * DIGIT + GAP;
  let every = 1;
  for (let step = 0; every * apart < needed; step++) every *= step % 3 === 1 ? 2.5 : 2;
  return epoch % every === 0;
}
