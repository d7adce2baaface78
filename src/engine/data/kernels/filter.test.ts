import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf, modelRows } from "../../testing/arbitrary-batches.ts";
import { filterByBits, filterByBytes } from "./filter.ts";

test("a filter keeps the rows of its mask in order, by bytes and by bits at every offset, for every type (D-44)", () => {
  fc.assert(
    fc.property(
      arbitraryTypes.chain((types) => arbitraryBatch(types)),
      fc.infiniteStream(fc.boolean()),
      fc.nat(9),
      (model, stream, bitOffset) => {
        const keep = [...stream.take(model.batch.rowCount)];
        const rows = keep.flatMap((kept, row) => (kept ? [row] : []));
        const bits = new Uint8Array(8).fill(0xa5);
        keep.forEach((kept, row) => {
          const at = bitOffset + row;
          const bit = 1 << (at & 7);
          bits[at >> 3] = kept ? (bits[at >> 3] as number) | bit : (bits[at >> 3] as number) & ~bit;
        });
        expect(modelOf(filterByBytes(model.batch, Uint8Array.from(keep, Number)))).toEqual(modelRows(model, rows));
        expect(modelOf(filterByBits(model.batch, { bits, bitOffset }))).toEqual(modelRows(model, rows));
      },
    ),
  );
});

test("a mask of ones passes the batch itself on, uncopied", () => {
  fc.assert(
    fc.property(
      arbitraryTypes.chain((types) => arbitraryBatch(types)),
      ({ batch }) => {
        expect(filterByBytes(batch, new Uint8Array(batch.rowCount).fill(1))).toBe(batch);
      },
    ),
  );
});
