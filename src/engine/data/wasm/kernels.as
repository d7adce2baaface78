/** All kernels, over the memory that the module is given. */
export { gather1, gather16, gather2, gather4, gather8, gatherText, hashInts, hashText, hashWords, lookUp, splitByRanges, splitRows } from "./shuffle";
export { internLongs, internText } from "./keys";
export {
  combineBytes,
  compareDoubles,
  compareInts,
  compareLongs,
  computeDoubles,
  copyBytes,
  divideLongs,
  intsToDoubles,
  longsToDoubles,
  multiplyDecimals,
  multiplyLongs,
  selectRows,
  sumsOfLongs,
} from "./columns";
export {
  addFloats,
  addLongs,
  addNumbers,
  countSlots,
  extremeLongs,
  extremeNumbers,
  numbersOfCodes,
  slotsOfKeys,
} from "./state";
