/** All kernels, over the memory that the module is given. */
export { hashInts, hashText, hashWords } from "./hash";
export { gather1, gather16, gather2, gather4, gather8, gatherText, lookUp, splitByRanges, splitRows } from "./shuffle";
export { divideLongs } from "./divide";
export { internInts, internLongs } from "./integer-keys";
export { internText, moveText } from "./text-keys";
export {
  combineBytes,
  compareDoubles,
  compareInts,
  compareLongs,
  computeDoubles,
  copyBytes,
  intsToDoubles,
  longsToDoubles,
  multiplyDecimals,
  multiplyLongs,
  selectRows,
  sumsOfLongs,
} from "./columns";
export { combineTruths, gatherBits, packBits, pickValues, spreadBits, takeBranch, withoutBytes } from "./masks";
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
