/** Regular expressions as a tree. */
export type Pattern =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly what: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "group"; readonly number: number; readonly part: Pattern }
  | {
      readonly kind: "repeat";
      readonly part: Pattern;
      readonly least: number;
      /** Infinity where there is no limit. */
      readonly most: number;
      readonly isLazy: boolean;
    };

export type Assertion = "start" | "end" | "line-start" | "line-end" | "boundary" | "no-boundary";

/** Code points, as pairs of first and last. */
export interface CharacterSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly isNegated: boolean;
}

export interface PatternFlags {
  readonly ignoreCase: boolean;
  /** `.` is also a line end. */
  readonly dotAll: boolean;
  /** ^ and $ are also beginnings and ends of lines. */
  readonly multiline: boolean;
}

/** What is wrong with a pattern. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
