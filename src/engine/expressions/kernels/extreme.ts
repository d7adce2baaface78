import type { MakeKernel } from "../kernel.ts";
import { Merger } from "../merger.ts";
import { isNullAt, type Vec, type VecKind, Words } from "../vec.ts";
import { type Sign, signOf } from "./order.ts";

/** The greatest (1) or smallest (−1) by the total order of D-26; of equals the first. NULLs are left out. Not strict. */
export const extreme =
  (direction: 1 | -1, kind: VecKind, unsigned: boolean): MakeKernel =>
  () => {
    const merger = new Merger(kind);
    const picks = new Words();
    return (vecs, frame) => {
      const pick = picks.take(frame.rows).fill(0, 0, frame.rows);
      const signs: Sign[][] = vecs.map((x) => vecs.map((y) => signOf(x, y, unsigned)));
      for (let i = 0; i < frame.rows; i++) {
        for (let k = 1; k < vecs.length; k++) {
          const best = pick[i] as number;
          if (isNullAt(vecs[k] as Vec, i)) continue;
          const isBetter = isNullAt(vecs[best] as Vec, i) || direction * ((signs[k] as Sign[])[best] as Sign)(i, i) > 0;
          if (isBetter) pick[i] = k;
        }
      }
      const merged = merger.merge(vecs, pick, null, frame.rows);
      frame.nulls = merged.nulls;
      return merged;
    };
  };
