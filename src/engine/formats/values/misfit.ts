/** Why text is no value of its column's type. Parsers answer `none` when they wrote the value. */
export const Misfit = {
  none: 0,
  /** Not of the type's form: `abc` for a number. */
  malformed: 1,
  /** Of the right form, but the type has no such value: 300 for int8. */
  outOfRange: 2,
  /** Digits would be lost: 1.239 for decimal(5,2). Never rounded silently. */
  tooPrecise: 3,
  /** NULL where the column is not null. */
  null: 4,
  /** The record has no such field, and the column is not null. */
  missing: 5,
  /** A JSON value of another type. */
  mistyped: 6,
  notUtf8: 7,
} as const;

export type Misfit = (typeof Misfit)[keyof typeof Misfit];
