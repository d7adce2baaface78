import { escapedSet, namedRanges, simpleEscape } from "./character-classes.ts";
import { type Assertion, type CharacterSet, type Pattern, PatternError, type PatternFlags } from "./syntax.ts";

const MAX_REPEAT = 1000;
const MAX_DEPTH = 100;
const MAX_LENGTH = 2000;

/**
 * Reads a regular expression in the common syntax (that of RE2, without back-references and look-around, which would take time that
 * no one can bound).
 *
 * @throws PatternError
 */
export function parsePattern(text: string, flags: PatternFlags): { pattern: Pattern; groups: number } {
  if (text.length > MAX_LENGTH) throw new PatternError(`it is longer than ${MAX_LENGTH} characters`);
  const parser = new PatternParser([...text], flags);
  const pattern = parser.choice();
  parser.expectEnd();
  return { pattern, groups: parser.groups };
}

class PatternParser {
  groups = 0;
  private readonly characters: readonly string[];
  private readonly flags: PatternFlags;
  private at = 0;
  private depth = 0;

  constructor(characters: readonly string[], flags: PatternFlags) {
    this.characters = characters;
    this.flags = flags;
  }

  private get next(): string | undefined {
    return this.characters[this.at];
  }

  private take(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  private takeAll(text: string): boolean {
    if (this.characters.slice(this.at, this.at + text.length).join("") !== text) return false;
    this.at += text.length;
    return true;
  }

  expectEnd(): void {
    if (this.next !== undefined) throw new PatternError("a ) has no (");
  }

  choice(): Pattern {
    if (++this.depth > MAX_DEPTH) throw new PatternError("groups stand too deep in one another");
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    this.depth--;
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: "choice", parts };
  }

  private sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.next !== undefined && this.next !== "|" && this.next !== ")") parts.push(this.repeated());
    return parts.length === 1
      ? (parts[0] as Pattern)
      : parts.length === 0
        ? { kind: "empty" }
        : { kind: "sequence", parts };
  }

  private repeated(): Pattern {
    const part = this.atom();
    const bounds = this.bounds();
    if (bounds === undefined) return part;
    const isLazy = this.take("?");
    if (this.bounds() !== undefined) throw new PatternError("a repetition is repeated");
    return { kind: "repeat", part, least: bounds[0], most: bounds[1], isLazy };
  }

  /** `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`. */
  private bounds(): readonly [number, number] | undefined {
    if (this.take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.take("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.take("?")) return [0, 1];
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.characters.slice(this.at, this.at + 12).join(""));
    if (match === null) return undefined;
    this.at += match[0].length;
    const least = Number(match[1]);
    const most = match[2] === undefined ? least : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    const largest = Number.isFinite(most) ? most : least;
    if (least > most || largest > MAX_REPEAT)
      throw new PatternError(`${match[0]} is no repetition of at most ${MAX_REPEAT}`);
    return [least, most];
  }

  private atom(): Pattern {
    const character = this.next as string;
    this.at++;
    switch (character) {
      case "(":
        return this.group();
      case "[":
        return { kind: "set", set: this.bracket() };
      case ".":
        return { kind: "set", set: { ranges: this.flags.dotAll ? [] : [[10, 10]], isNegated: true } };
      case "^":
        return assertion(this.flags.multiline ? "line-start" : "start");
      case "$":
        return assertion(this.flags.multiline ? "line-end" : "end");
      case "*":
      case "+":
      case "?":
        throw new PatternError(`nothing stands before ${character}`);
      case "\\":
        return this.escape();
      default:
        return one(character.codePointAt(0) as number);
    }
  }

  private group(): Pattern {
    const isCapture = !this.takeAll("?:");
    if (isCapture && this.take("?")) throw misgrouped(this.next ?? "");
    const number = isCapture ? ++this.groups : 0;
    const part = this.choice();
    if (!this.take(")")) throw new PatternError("a ( has no )");
    return isCapture ? { kind: "group", number, part } : part;
  }

  private escape(): Pattern {
    if (this.take("b")) return assertion("boundary");
    if (this.take("B")) return assertion("no-boundary");
    if (this.take("A")) return assertion("start");
    if (this.take("z")) return assertion("end");
    const set = this.escapedSet();
    return set === undefined ? one(this.escapedCharacter()) : { kind: "set", set };
  }

  private escapedSet(): CharacterSet | undefined {
    const set = this.next === undefined ? undefined : escapedSet(this.next);
    if (set !== undefined) this.at++;
    return set;
  }

  /** The character behind a backslash: `\n`, `\x41`, `\x{1F600}`, `\.`. */
  private escapedCharacter(): number {
    const character = this.next;
    if (character === undefined) throw new PatternError("it ends with a \\");
    const rest = this.characters.slice(this.at, this.at + 12).join("");
    const hexadecimal = /^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(rest);
    if (hexadecimal !== null) {
      this.at += hexadecimal[0].length;
      return Number.parseInt(hexadecimal[1] ?? (hexadecimal[2] as string), 16);
    }
    if (/^[1-9]$/.test(character)) throw new PatternError("it refers back to a group, which is not possible");
    const code = simpleEscape(character);
    if (code === undefined) throw new PatternError(`there is no \\${character}`);
    this.at++;
    return code;
  }

  /** What stands between [ and ]. */
  private bracket(): CharacterSet {
    const isNegated = this.take("^");
    const ranges: (readonly [number, number])[] = [];
    let isFirst = true;
    while (isFirst || this.next !== "]") {
      if (this.next === undefined) throw new PatternError("a [ has no ]");
      isFirst = false;
      const first = this.member();
      if (typeof first !== "number") {
        ranges.push(...first.ranges);
        continue;
      }
      const isRange =
        this.next === "-" && this.characters[this.at + 1] !== "]" && this.characters[this.at + 1] !== undefined;
      if (isRange) this.at++;
      const last = isRange ? this.member() : first;
      if (typeof last !== "number" || last < first) throw new PatternError("a range ends before it begins");
      ranges.push([first, last]);
    }
    this.at++;
    return { ranges, isNegated };
  }

  /** What stands behind `[:`, up to `:]`. */
  private namedSet(): CharacterSet {
    const isNegated = this.take("^");
    const name = /^[a-z]*/.exec(this.characters.slice(this.at, this.at + 8).join(""))?.[0] ?? "";
    this.at += name.length;
    const ranges = namedRanges(name);
    if (ranges === undefined || !this.takeAll(":]")) throw new PatternError(`there is no class [:${name}:]`);
    const set = { ranges, isNegated };
    return isNegated ? complement(set) : set;
  }

  private member(): number | CharacterSet {
    // Without an end it is no class, but its characters.
    if (
      this.characters
        .slice(this.at + 2)
        .join("")
        .includes(":]") &&
      this.takeAll("[:")
    )
      return this.namedSet();
    const character = this.next as string;
    this.at++;
    if (character !== "\\") return character.codePointAt(0) as number;
    const set = this.escapedSet();
    if (set === undefined) return this.escapedCharacter();
    return set.isNegated ? complement(set) : set;
  }
}

function misgrouped(flag: string): PatternError {
  if (/[ims]/.test(flag)) return new PatternError(`(?${flag}) is written as the function's last argument: '${flag}'`);
  return new PatternError("of groups with ?, there is only (?: )");
}

const assertion = (what: Assertion): Pattern => ({ kind: "assertion", what });
const one = (code: number): Pattern => ({ kind: "set", set: { ranges: [[code, code]], isNegated: false } });

const LAST = 0x10ffff;

/** The ranges are in order and apart from one another. */
function complement({ ranges }: CharacterSet): CharacterSet {
  const others: (readonly [number, number])[] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    if (first > from) others.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= LAST) others.push([from, LAST]);
  return { ranges: others, isNegated: false };
}
