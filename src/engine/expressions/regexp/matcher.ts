import { assertNever } from "../../base/assert.ts";
import { mapCase } from "../kernels/case-mapping.ts";
import { isWordCharacter, setContains } from "./character-classes.ts";
import { parsePattern } from "./parse-pattern.ts";
import { programOf, type Step } from "./program.ts";
import type { Assertion, PatternFlags } from "./syntax.ts";

/** Beyond this many bits for the places that were tried a text is too long for its pattern. */
const MAX_PLACES = 2 ** 28;

/**
 * Finds a pattern in texts. It goes back and tries again like the usual matchers, so that the leftmost match with the first
 * alternative wins, but remembers every step at every place that it tried: its time is bounded by pattern times text, whatever they are.
 */
export class Matcher {
  /** Groups of the pattern. */
  readonly groups: number;
  private readonly steps: readonly Step[];
  private readonly ignoreCase: boolean;
  private tried = new Uint32Array(64);
  /** Step, place, and where a step saves, what was there before. */
  private readonly stack: number[] = [];
  private slots: number[] = [];

  /** @throws PatternError */
  constructor(pattern: string, flags: PatternFlags) {
    const { pattern: tree, groups } = parsePattern(pattern, flags);
    this.groups = groups;
    this.steps = programOf(tree);
    this.ignoreCase = flags.ignoreCase;
  }

  /**
   * The first match from `from` on: beginnings and ends of the match and its groups, −1 for a group that has none; `null` when
   * there is none. `"too long"`: the text would take too much memory.
   */
  find(text: string, from = 0): readonly number[] | null | "too long" {
    const places = text.length + 1;
    const bits = this.steps.length * places;
    if (bits > MAX_PLACES) return "too long";
    const words = (bits + 31) >> 5;
    if (this.tried.length < words) this.tried = new Uint32Array(words);
    else this.tried.fill(0, 0, words);
    for (let start = from; start <= text.length; start = nextPlace(text, start)) {
      this.slots = new Array<number>(2 * this.groups + 2).fill(-1);
      const end = this.matchAt(text, start, places);
      if (end < 0) continue;
      this.slots[0] = start;
      this.slots[1] = end;
      return this.slots;
    }
    return null;
  }

  /** End of the match that begins at `start`, or −1. */
  private matchAt(text: string, start: number, places: number): number {
    const { stack, steps } = this;
    stack.length = 0;
    stack.push(0, start);
    while (stack.length > 0) {
      let place = stack.pop() as number;
      let at = stack.pop() as number;
      // A slot to be set back, as its number below 0.
      if (at < 0) {
        this.slots[-at - 1] = place;
        continue;
      }
      for (;;) {
        const bit = at * places + place;
        const mask = 1 << (bit & 31);
        if (((this.tried[bit >> 5] as number) & mask) !== 0) break;
        this.tried[bit >> 5] = (this.tried[bit >> 5] as number) | mask;
        const step = steps[at] as Step;
        if (step.kind === "match") return place;
        if (step.kind === "jump") at = step.to;
        else if (step.kind === "fork") {
          stack.push(step.second, place);
          at = step.first;
        } else if (step.kind === "save") {
          stack.push(-step.slot - 1, this.slots[step.slot] as number);
          this.slots[step.slot] = place;
          at++;
        } else if (step.kind === "assertion") {
          if (!holds(step.what, text, place)) break;
          at++;
        } else {
          const code = text.codePointAt(place);
          if (code === undefined || !this.isIn(step, code)) break;
          place += code > 0xffff ? 2 : 1;
          at++;
        }
      }
    }
    return -1;
  }

  private isIn({ set }: Step & { kind: "set" }, code: number): boolean {
    if (!this.ignoreCase) return setContains(set, code);
    const character = String.fromCodePoint(code);
    const forms = [code, mapCase(character, "lower").codePointAt(0), mapCase(character, "upper").codePointAt(0)];
    const plain = { ranges: set.ranges, isNegated: false };
    return forms.some((form) => setContains(plain, form as number)) !== set.isNegated;
  }
}

export const nextPlace = (text: string, place: number): number =>
  place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

function holds(what: Assertion, text: string, place: number): boolean {
  switch (what) {
    case "start":
      return place === 0;
    case "end":
      return place === text.length;
    case "line-start":
      return place === 0 || text.charCodeAt(place - 1) === 10;
    case "line-end":
      return place === text.length || text.charCodeAt(place) === 10;
    case "boundary":
      return isBoundary(text, place);
    case "no-boundary":
      return !isBoundary(text, place);
    default:
      return assertNever(what);
  }
}

const isBoundary = (text: string, place: number): boolean =>
  isWordCharacter(text.charCodeAt(place - 1)) !== isWordCharacter(text.charCodeAt(place));
