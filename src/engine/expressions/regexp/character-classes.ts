import type { CharacterSet } from "./syntax.ts";

type Ranges = readonly (readonly [number, number])[];

const DIGITS: Ranges = [[48, 57]];
const SPACES: Ranges = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];

const CLASSES: ReadonlyMap<string, CharacterSet> = new Map([
  ["d", { ranges: DIGITS, isNegated: false }],
  ["D", { ranges: DIGITS, isNegated: true }],
  ["s", { ranges: SPACES, isNegated: false }],
  ["S", { ranges: SPACES, isNegated: true }],
  ["w", { ranges: WORD, isNegated: false }],
  ["W", { ranges: WORD, isNegated: true }],
]);

/** Of `[[:alpha:]]` and its like, which are ASCII as those of RE2 are; the ranges are in order. */
const NAMED: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  ["alnum", [...DIGITS, [65, 90], [97, 122]]],
  [
    "alpha",
    [
      [65, 90],
      [97, 122],
    ],
  ],
  ["ascii", [[0, 127]]],
  [
    "blank",
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    "cntrl",
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ["digit", DIGITS],
  ["graph", [[33, 126]]],
  ["lower", [[97, 122]]],
  ["print", [[32, 126]]],
  [
    "punct",
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  [
    "space",
    [
      [9, 13],
      [32, 32],
    ],
  ],
  ["upper", [[65, 90]]],
  ["word", WORD],
  ["xdigit", [...DIGITS, [65, 70], [97, 102]]],
]);

/** The ranges of a class by its name; `undefined` where there is none of that name. */
export const namedRanges = (name: string): Ranges | undefined => NAMED.get(name);

/** The set of `\d` and its like, which are ASCII; `undefined` for any other letter. */
export const escapedSet = (letter: string): CharacterSet | undefined => CLASSES.get(letter);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["n", 10],
  ["t", 9],
  ["r", 13],
  ["f", 12],
  ["v", 11],
  ["a", 7],
]);

/** The code of `\n` and its like, or of an escaped sign, which stands for itself; `undefined` for letters and digits without a meaning. */
export function simpleEscape(character: string): number | undefined {
  const control = CONTROLS.get(character);
  if (control !== undefined) return control;
  return /^[A-Za-z0-9]$/.test(character) ? undefined : character.codePointAt(0);
}

export const isWordCharacter = (code: number): boolean => WORD.some(([first, last]) => code >= first && code <= last);

export function setContains({ ranges, isNegated }: CharacterSet, code: number): boolean {
  for (const [first, last] of ranges) if (code >= first && code <= last) return !isNegated;
  return isNegated;
}
