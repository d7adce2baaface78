import type { Evaluate, Run } from "./run.ts";
import { type BoolVec, Bytes, type Vec } from "./vec.ts";

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
    const values = room.take(rows);
    const [first, ...others] = operands as [Operand, ...Operand[]];
    let nulls = copyTo(first.evaluate(run) as BoolVec, values, nullRoom, rows);
    others.forEach((operand, i) => {
      if (operand.mayFail) run.active = undecided(values, nulls, decides, active, (masks[i] as Bytes).take(rows), rows);
      const next = operand.evaluate(run) as BoolVec;
      run.active = active;
      nulls = combine(values, nulls, next, decides, nullRoom, rows);
    });
    return { kind: "bool", values, step: 1, nulls };
  };
}

function copyTo({ values, nulls, step }: BoolVec, out: Uint8Array, nullRoom: Bytes, rows: number): Uint8Array | null {
  if (step === 0) {
    out.fill(values[0] as number, 0, rows);
    return nulls === null ? null : nullRoom.take(rows).fill(nulls[0] as number, 0, rows);
  }
  out.set(values.length === rows ? values : values.subarray(0, rows));
  if (nulls === null) return null;
  const copy = nullRoom.take(rows);
  copy.set(nulls.length === rows ? nulls : nulls.subarray(0, rows));
  return copy;
}

function undecided(
  values: Uint8Array,
  nulls: Uint8Array | null,
  decides: 0 | 1,
  active: Uint8Array | null,
  mask: Uint8Array,
  rows: number,
): Uint8Array {
  for (let i = 0; i < rows; i++) {
    const open = ((values[i] as number) ^ decides) | (nulls === null ? 0 : (nulls[i] as number));
    mask[i] = open & (active === null ? 1 : (active[i] as number));
  }
  return mask;
}

/** Joins `next` into `values`; answers the NULLs, which are written into the room. */
function combine(
  values: Uint8Array,
  nulls: Uint8Array | null,
  next: BoolVec,
  decides: 0 | 1,
  nullRoom: Bytes,
  rows: number,
): Uint8Array | null {
  const { values: more, step, nulls: moreNulls } = next;
  if (nulls === null && moreNulls === null) {
    if (decides === 0)
      for (let i = 0, p = 0; i < rows; i++, p += step) values[i] = (values[i] as number) & (more[p] as number);
    else for (let i = 0, p = 0; i < rows; i++, p += step) values[i] = (values[i] as number) | (more[p] as number);
    return null;
  }
  const out = nulls ?? nullRoom.zeros(rows);
  for (let i = 0, p = 0; i < rows; i++, p += step) {
    const aNull = out[i] as number;
    const bNull = moreNulls === null ? 0 : (moreNulls[p] as number);
    const a = values[i] as number;
    const b = more[p] as number;
    // A side that decides does so whatever the other is.
    const decided = (aNull === 0 && a === decides) || (bNull === 0 && b === decides);
    values[i] = decided ? decides : decides ^ 1;
    out[i] = decided ? 0 : aNull | bNull;
  }
  return out;
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
    const values = room.take(run.rows);
    for (let i = 0; i < run.rows; i++) values[i] = (nulls[i] as number) ^ flip;
    return { kind: "bool", values, step: 1, nulls: null };
  };
}
