import { kernelsFor } from "../data/wasm/kernel-arrays.ts";
import { combineTruths, othersThan } from "./masks.ts";
import type { Evaluate, Run } from "./run.ts";
import { type BoolVec, Bytes, type Vec, wordsOver } from "./vec.ts";

/** AND, OR and IS NULL: three-valued, and from left to right. */

interface Operand {
  readonly evaluate: Evaluate;
  readonly mayFail: boolean;
}

/**
 * A row for which the operands so far decide (false for AND, true for OR) is not asked for in the next one: its errors do not count.
 */
export function evaluateLogic(word: "and" | "or", operands: readonly Operand[]): Evaluate {
  const room = new Bytes();
  const nullRoom = new Bytes();
  const masks = operands.map(() => new Bytes());
  const decides = word === "and" ? 0 : 1;
  return (run) => {
    const { rows, active } = run;
    const [first, ...others] = operands as [Operand, ...Operand[]];
    let known = first.evaluate(run) as BoolVec;
    others.forEach((operand, i) => {
      if (operand.mayFail) run.active = undecided(known, decides, active, (masks[i] as Bytes).take(rows), rows);
      const next = operand.evaluate(run) as BoolVec;
      run.active = active;
      known = combine(known, next, decides, room, nullRoom, rows);
    });
    return known;
  };
}

function undecided(
  { values, nulls, step }: BoolVec,
  decides: 0 | 1,
  active: Uint8Array | null,
  mask: Uint8Array,
  rows: number,
): Uint8Array {
  for (let i = 0, p = 0; i < rows; i++, p += step) {
    const open = ((values[p] as number) ^ decides) | (nulls === null ? 0 : (nulls[p] as number));
    mask[i] = open & (active === null ? 1 : (active[i] as number));
  }
  return mask;
}

/** Joins two operands into the rooms, in which the first may lie already. */
function combine(x: BoolVec, y: BoolVec, decides: 0 | 1, room: Bytes, nullRoom: Bytes, rows: number): BoolVec {
  const { values: a, step: s } = x;
  const { values: b, step: t } = y;
  const out = room.take(rows);
  if (x.nulls === null && y.nulls === null) {
    const kernels = s === 0 || t === 0 ? undefined : kernelsFor(rows, a, b, out);
    if (kernels !== undefined) kernels.combineBytes(decides, a.byteOffset, b.byteOffset, out.byteOffset, rows);
    else if (s === 0 || t === 0 || !combineWords(a, b, decides, out, rows)) {
      for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) {
        const open = ((a[p] as number) ^ decides) & ((b[q] as number) ^ decides);
        out[i] = open ^ decides;
      }
    }
    return { kind: "bool", values: out, step: 1, nulls: null };
  }
  const nulls = nullRoom.take(rows);
  combineTruths(x, y, decides, out, nulls, rows);
  return { kind: "bool", values: out, step: 1, nulls };
}

/** Four rows at a time; false where the bytes do not lie so. */
function combineWords(a: Uint8Array, b: Uint8Array, decides: 0 | 1, out: Uint8Array, rows: number): boolean {
  const [x, y, z] = [wordsOver(a, rows), wordsOver(b, rows), wordsOver(out, rows)];
  if (x === null || y === null || z === null) return false;
  if (decides === 0) for (let i = 0; i < z.length; i++) z[i] = (x[i] as number) & (y[i] as number);
  else for (let i = 0; i < z.length; i++) z[i] = (x[i] as number) | (y[i] as number);
  return true;
}

export function evaluateNullTest(operand: Evaluate, negated: boolean): Evaluate {
  const room = new Bytes();
  return (run: Run): Vec => {
    const { nulls, step } = operand(run);
    const flip = negated ? 1 : 0;
    if (nulls === null || step === 0) {
      const values = Uint8Array.of((nulls?.[0] ?? 0) ^ flip);
      return { kind: "bool", values, step: 0, nulls: null };
    }
    if (!negated) return { kind: "bool", values: nulls, step: 1, nulls: null };
    const values = room.take(run.rows);
    othersThan(nulls, values, run.rows);
    return { kind: "bool", values, step: 1, nulls: null };
  };
}
