import { hashRows } from "../../data/kernels/hash.ts";
import type { LogicalType } from "../../data/types.ts";
import type { MakeKernel } from "../kernel.ts";
import { columnOf } from "../store.ts";
import { Words } from "../vec.ts";

/** The hash of shuffles (D-45) as an int64. Not strict: NULL has a hash. */
export const hashOf =
  (types: readonly LogicalType[]): MakeKernel =>
  () => {
    const room = new Words();
    return (vecs, { rows }) => {
      const columns = vecs.map((vec, i) => columnOf(vec, types[i] as LogicalType, rows));
      const hashes = new Uint32Array(rows);
      hashRows(columns, rows, hashes);
      const out = room.take(2 * rows);
      for (let i = 0; i < rows; i++) {
        out[2 * i] = hashes[i] as number;
        out[2 * i + 1] = 0;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };
