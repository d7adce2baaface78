import { assert } from "../../base/assert.ts";
import { fromBase64 } from "../base64.ts";
import { MODULE } from "./module.generated.ts";

/** For fewer rows the calls cost more than the loops. */
export const FEWEST_ROWS = 64;

/** The kernels over one memory. Arguments are byte addresses and counts; what each does is said in the .as files. */
export interface Kernels {
  hashInts(values: number, count: number, out: number): void;
  hashWords(values: number, count: number, out: number): void;
  hashText(offsets: number, bytes: number, count: number, out: number): void;
  lookUp(codes: number, table: number, words: number, count: number, out: number): void;
  splitRows(
    hashes: number,
    count: number,
    vnodes: number,
    table: number,
    targets: number,
    rows: number,
    stride: number,
    ends: number,
  ): void;
  splitByRanges(
    hashes: number,
    count: number,
    vnodes: number,
    ranges: number,
    targets: number,
    octets: number,
    rows: number,
    stride: number,
    ends: number,
  ): void;
  internText(
    table: number,
    offsets: number,
    bytes: number,
    from: number,
    count: number,
    grow: number,
    ids: number,
  ): number;
  moveText(from: number, end: number, to: number, shift: number): void;
  internInts(table: number, values: number, from: number, count: number, grow: number, ids: number): number;
  internLongs(
    short: number,
    table: number,
    values: number,
    from: number,
    count: number,
    grow: number,
    ids: number,
  ): number;
  numbersOfCodes(codes: number, table: number, words: number, count: number, out: number): number;
  slotsOfKeys(ids: number, blocks: number, open: number, count: number, out: number, rest: number): number;
  countSlots(slots: number, count: number, counts: number, stride: number): void;
  addFloats(slots: number, values: number, count: number, sums: number, stride: number): void;
  addNumbers(slots: number, values: number, count: number, totals: number, stride: number): void;
  addLongs(slots: number, values: number, signed: number, count: number, totals: number, stride: number): void;
  extremeNumbers(slots: number, values: number, max: number, count: number, held: number, best: number): void;
  extremeLongs(
    slots: number,
    values: number,
    max: number,
    flip: number,
    count: number,
    held: number,
    best: number,
  ): void;
  gather1(source: number, rows: number, count: number, out: number): void;
  gather2(source: number, rows: number, count: number, out: number): void;
  gather4(source: number, rows: number, count: number, out: number): void;
  gather8(source: number, rows: number, count: number, out: number): void;
  gather16(source: number, rows: number, count: number, out: number): void;
  gatherText(offsets: number, bytes: number, rows: number, count: number, outOffsets: number, out: number): number;
  compareDoubles(relation: number, a: number, p: number, b: number, q: number, out: number, count: number): void;
  compareInts(relation: number, a: number, p: number, b: number, q: number, out: number, count: number): void;
  compareLongs(
    relation: number,
    a: number,
    p: number,
    b: number,
    q: number,
    unsigned: number,
    out: number,
    count: number,
  ): void;
  computeDoubles(operation: number, a: number, p: number, b: number, q: number, out: number, count: number): void;
  copyBytes(from: number, out: number, count: number): void;
  intsToDoubles(a: number, out: number, count: number): void;
  longsToDoubles(a: number, signed: number, out: number, count: number): void;
  sumsOfLongs(subtracts: number, a: number, p: number, b: number, q: number, out: number, count: number): number;
  multiplyLongs(a: number, p: number, b: number, q: number, out: number, count: number): number;
  divideLongs(rests: number, a: number, p: number, b: number, q: number, out: number, count: number): number;
  multiplyDecimals(a: number, longs: number, one: number, out: number, count: number): number;
  combineBytes(any: number, a: number, b: number, out: number, count: number): void;
  selectRows(bytes: number, count: number, rows: number): number;
  spreadBits(bits: number, from: number, flip: number, out: number, count: number): void;
  packBits(bytes: number, flip: number, out: number, count: number): number;
  gatherBits(bits: number, from: number, rows: number, count: number, out: number): void;
  withoutBytes(a: number, p: number, b: number, out: number, count: number): void;
  combineTruths(
    decides: number,
    a: number,
    aNulls: number,
    p: number,
    b: number,
    bNulls: number,
    q: number,
    out: number,
    outNulls: number,
    count: number,
  ): void;
  takeBranch(
    values: number,
    p: number,
    nulls: number,
    q: number,
    open: number,
    taken: number,
    picks: number,
    count: number,
  ): number;
  pickValues(width: number, picks: number, branch: number, values: number, p: number, out: number, count: number): void;
}

/** `null`: this place refuses WebAssembly, or lacks what the module needs. */
let compiled: WebAssembly.Module | null | undefined;

/** Compiled once a worker. It takes a millisecond and needs no request, so that it works wherever the engine's code runs. */
function kernelModule(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled;
  try {
    const bytes = fromBase64(MODULE);
    assert(bytes !== undefined, "the module is base64");
    compiled = new WebAssembly.Module(bytes);
  } catch {
    compiled = null;
  }
  return compiled;
}

/** The kernels on a shared memory; `undefined` where they cannot be had, and the TypeScript twins serve. */
export function kernelsOver(memory: WebAssembly.Memory): Kernels | undefined {
  const module = kernelModule();
  if (module === null) return undefined;
  try {
    return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
  } catch {
    return undefined;
  }
}
