import type { MakeKernel } from "../kernel.ts";
import { othersThan } from "../masks.ts";
import { type BoolVec, Bytes, isNullAt } from "../vec.ts";

/** NOT. */
export const notTrue: MakeKernel = () => {
  const room = new Bytes();
  return ([x], { rows }) => {
    const { values, step } = x as BoolVec;
    const out = room.take(rows);
    if (step === 1) othersThan(values, out, rows);
    else out.fill((values[0] as number) ^ 1, 0, rows);
    return { kind: "bool", values: out, step: 1, nulls: null };
  };
};

/** Whether the value is known and the wanted one; the opposite where `negated`. Not strict. */
export const truth =
  (wanted: boolean, negated: boolean): MakeKernel =>
  () => {
    const room = new Bytes();
    return ([x], { rows }) => {
      const vec = x as BoolVec;
      const out = room.take(rows);
      for (let i = 0; i < rows; i++) {
        const holds = !isNullAt(vec, i) && (vec.values[i * vec.step] === 1) === wanted;
        out[i] = holds === negated ? 0 : 1;
      }
      return { kind: "bool", values: out, step: 1, nulls: null };
    };
  };
