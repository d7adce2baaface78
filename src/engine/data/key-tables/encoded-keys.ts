import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { BytesInterner } from "../bytes-interner.ts";
import type { Column } from "../column.ts";
import { takeText } from "../kernels/take.ts";
import { decodeKeys } from "../key-decoding.ts";
import { encodeKeys } from "../key-encoding.ts";
import type { LogicalType } from "../types.ts";
import type { KeyTable } from "./key-table.ts";

const BINARY = { kind: "binary" } as const;

/** Keys of any columns, by their encoded bytes. NULL is a value like any other there. */
export class EncodedKeyTable implements KeyTable {
  private readonly types: readonly LogicalType[];
  private keys = new BytesInterner();

  constructor(types: readonly LogicalType[]) {
    this.types = types;
  }

  get size(): number {
    return this.keys.size;
  }

  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void {
    const { offsets, bytes } = encodeKeys(columns, rowCount);
    const { keys } = this;
    for (let row = 0; row < rowCount; row++) {
      const start = offsets[row] as number;
      const end = offsets[row + 1] as number;
      out[row] = grow ? keys.intern(bytes, start, end) : keys.find(bytes, start, end);
    }
  }

  columns(ids: Int32Array): Column[] {
    return decodeKeys(this.keys.words(BINARY), ids, this.types);
  }

  snapshot(ids: Int32Array | null): SnapshotValue {
    const words = this.keys.words(BINARY);
    const { offsets, bytes } = ids === null ? words : takeText(words, ids);
    return { offsets, bytes };
  }

  keep(ids: Int32Array): void {
    const kept = this.snapshot(ids);
    this.keys = new BytesInterner();
    this.restore(kept);
  }

  restore(saved: SnapshotValue): void {
    const { offsets, bytes } = saved as { readonly [key: string]: SnapshotValue };
    assert(offsets instanceof Int32Array && bytes instanceof Uint8Array, "a snapshot of keys");
    for (let i = 0; i + 1 < offsets.length; i++) {
      this.keys.intern(bytes, offsets[i] as number, offsets[i + 1] as number);
    }
  }
}
