import { Merger } from "./merger.ts";
import type { Evaluate } from "./run.ts";
import { type BoolVec, Bytes, type Vec, type VecKind, Words } from "./vec.ts";

/** CASE and COALESCE: a branch is asked only for the rows that take it; errors of other rows in it do not count (P-40). */

interface Branch {
  readonly when: Evaluate;
  readonly value: Result;
}

/** A constant is at hand also where no row takes it, so that the words of a result do not change from batch to batch. */
interface Result {
  readonly evaluate: Evaluate;
  readonly constant: Vec | null;
}

export function evaluateCase(kind: VecKind, branches: readonly Branch[], otherwise: Result): Evaluate {
  const merger = new Merger(kind);
  const picks = new Words();
  const openRoom = new Bytes();
  const takenRooms = branches.map(() => new Bytes());
  return (run) => {
    const { rows, active } = run;
    const pick = picks.take(rows);
    const open = openRoom.take(rows);
    if (active === null) open.fill(1, 0, rows);
    else open.set(active.subarray(0, rows));
    let left = countOf(open, rows);
    const vecs: (Vec | null)[] = [];
    for (let k = 0; k < branches.length; k++) {
      const { when, value } = branches[k] as Branch;
      vecs.push(value.constant);
      if (left === 0) continue;
      run.active = open;
      const taken = (takenRooms[k] as Bytes).take(rows);
      const count = take(when(run) as BoolVec, open, taken, pick, k, rows);
      if (count === 0) continue;
      run.active = taken;
      vecs[k] = value.evaluate(run);
      left -= count;
    }
    if (left > 0) {
      run.active = open;
      for (let i = 0; i < rows; i++) if (open[i] === 1) pick[i] = branches.length;
      vecs.push(otherwise.evaluate(run));
    } else vecs.push(otherwise.constant);
    run.active = active;
    return merger.merge(vecs, pick, active, rows);
  };
}

/** Moves the open rows where the condition is true to `taken`; NULL is not true. Answers how many. */
function take(
  { values, nulls, step }: BoolVec,
  open: Uint8Array,
  taken: Uint8Array,
  pick: Int32Array,
  branch: number,
  rows: number,
): number {
  let count = 0;
  for (let i = 0, p = 0; i < rows; i++, p += step) {
    const isTrue = nulls === null ? (values[p] as number) : (values[p] as number) & ((nulls[p] as number) ^ 1);
    const takes = (open[i] as number) & isTrue;
    taken[i] = takes;
    open[i] = (open[i] as number) ^ takes;
    if (takes === 1) pick[i] = branch;
    count += takes;
  }
  return count;
}

function countOf(mask: Uint8Array, rows: number): number {
  let count = 0;
  for (let i = 0; i < rows; i++) count += mask[i] as number;
  return count;
}

export function evaluateCoalesce(kind: VecKind, args: readonly Evaluate[]): Evaluate {
  const merger = new Merger(kind);
  const picks = new Words();
  const openRoom = new Bytes();
  return (run) => {
    const { rows, active } = run;
    const pick = picks.take(rows).fill(0, 0, rows);
    const open = openRoom.take(rows);
    if (active === null) open.fill(1, 0, rows);
    else open.set(active.subarray(0, rows));
    const vecs: Vec[] = [];
    for (let k = 0; k < args.length; k++) {
      run.active = open;
      const vec = (args[k] as Evaluate)(run);
      vecs.push(vec);
      if (takeKnown(vec, open, pick, k, rows) === 0) break;
    }
    run.active = active;
    return vecs.length === 1 ? (vecs[0] as Vec) : merger.merge(vecs, pick, active, rows);
  };
}

/** The open rows that are not NULL take the argument; the others say it until a later one is there. Answers how many stay open. */
function takeKnown({ nulls, step }: Vec, open: Uint8Array, pick: Int32Array, arg: number, rows: number): number {
  let left = 0;
  for (let i = 0, p = 0; i < rows; i++, p += step) {
    if (open[i] === 0) continue;
    pick[i] = arg;
    const isNull = nulls === null ? 0 : (nulls[p] as number);
    open[i] = isNull;
    left += isNull;
  }
  return left;
}
