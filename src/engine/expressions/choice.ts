import { type Choice, takeBranch } from "./masks.ts";
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
  const room = new ChoiceRoom();
  const takenRooms = branches.map(() => new Bytes());
  return (run) => {
    const { rows, active } = run;
    const choice = room.start(active, rows);
    let left = active === null ? rows : countOf(choice.open, rows);
    const vecs: (Vec | null)[] = [];
    for (let k = 0; k < branches.length; k++) {
      const { when, value } = branches[k] as Branch;
      vecs.push(value.constant);
      if (left === 0) continue;
      run.active = choice.open;
      const condition = when(run) as BoolVec;
      const taken = (takenRooms[k] as Bytes).take(rows);
      const count = takeBranch(condition.values, condition, choice, taken, rows);
      if (count === 0) continue;
      run.active = taken;
      vecs[k] = value.evaluate(run);
      left -= count;
    }
    run.active = choice.open;
    vecs.push(left > 0 ? otherwise.evaluate(run) : otherwise.constant);
    run.active = active;
    return merger.merge(vecs, choice.picks, active, rows);
  };
}

/** All rows that are asked for are open, and pick the first branch. */
class ChoiceRoom {
  private readonly picks = new Words();
  private readonly open = new Bytes();

  start(active: Uint8Array | null, rows: number): Choice {
    const picks = this.picks.take(rows).fill(0, 0, rows);
    const open = this.open.take(rows);
    if (active === null) open.fill(1, 0, rows);
    else open.set(active.subarray(0, rows));
    return { picks, open };
  }
}

function countOf(mask: Uint8Array, rows: number): number {
  let count = 0;
  for (let i = 0; i < rows; i++) count += mask[i] as number;
  return count;
}

export function evaluateCoalesce(kind: VecKind, args: readonly Evaluate[]): Evaluate {
  const merger = new Merger(kind);
  const room = new ChoiceRoom();
  const takenRoom = new Bytes();
  return (run) => {
    const { rows, active } = run;
    const choice = room.start(active, rows);
    const taken = takenRoom.take(rows);
    let left = active === null ? rows : countOf(choice.open, rows);
    const vecs: Vec[] = [];
    for (let k = 0; k < args.length; k++) {
      run.active = choice.open;
      const vec = (args[k] as Evaluate)(run);
      vecs.push(vec);
      // Rows that no argument has a value for say that of the last.
      if (k + 1 < args.length) left -= takeBranch(null, vec, choice, taken, rows);
      if (left === 0) break;
    }
    run.active = active;
    return vecs.length === 1 ? (vecs[0] as Vec) : merger.merge(vecs, choice.picks, active, rows);
  };
}
