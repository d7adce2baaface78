/**
 * What a stage may put into its snapshot: plain data. It is encoded to bytes the moment it is taken,
 * so a snapshot is a deep copy by construction (D-7).
 */
export type SnapshotValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Int32Array
  | Float64Array
  | readonly SnapshotValue[]
  | { readonly [key: string]: SnapshotValue };
