import { WeirError } from "../base/errors.ts";

/**
 * Reads JSON without losing digits (P-02). An integer beyond ±2^53 is a bigint; any other number with more digits than
 * a JavaScript number holds is text with those digits; the rest are numbers.
 *
 * Unlike `JSON.parse` it says where a fault is, refuses a key that stands twice, and survives any nesting. Objects have own
 * properties for every key, `__proto__` included.
 */

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** No document needs more; it keeps everything that walks the value safe from deep nesting. */
const DEEPEST = 100;

/** @throws WeirError `not-json` with the line */
export function parseJson(text: string): JsonValue {
  return new JsonReader(text).document();
}

const QUOTE = 34;
const BACKSLASH = 92;
const ESCAPES = '"\\/bfnrt';
const HEX = /^[0-9a-fA-F]{4}$/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class JsonReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
    if (text.startsWith("\uFEFF")) this.at = 1;
  }

  document(): JsonValue {
    this.space();
    if (this.at === this.text.length) this.fail("the file is empty", "open a graph document");
    if (this.text[this.at] === "<") {
      this.fail("this is HTML or XML, not JSON", "perhaps a web page was saved instead of the document itself");
    }
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail(`${this.found()} after the end of the document`);
    return value;
  }

  private value(depth: number): JsonValue {
    const character = this.text[this.at];
    if (character === "{" || character === "[") {
      if (depth === DEEPEST) this.fail(`nested more than ${DEEPEST} deep`, "a graph document is flat");
      return character === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    if (character === '"') return this.string();
    const word = this.match(WORD);
    if (word !== undefined) {
      const value = WORDS.get(word);
      if (value !== undefined) return value;
      this.at -= word.length;
      this.fail(`${word} is no value`, "write numbers, true, false, null or text in double quotes");
    }
    return this.number();
  }

  private object(depth: number): JsonValue {
    const entries = new Map<string, JsonValue>();
    this.at++;
    this.space();
    while (this.text[this.at] !== "}") {
      if (entries.size > 0) this.expect(",", "}");
      if (this.text[this.at] !== '"') this.fail(`expected a name in double quotes, found ${this.found()}`);
      const start = this.at;
      const key = this.string();
      if (entries.has(key)) {
        this.at = start;
        this.fail(`the name ${JSON.stringify(key)} stands twice in one object`, "remove one");
      }
      this.space();
      this.expect(":");
      entries.set(key, this.value(depth));
      this.space();
    }
    this.at++;
    return Object.fromEntries(entries);
  }

  private array(depth: number): JsonValue {
    const values: JsonValue[] = [];
    this.at++;
    this.space();
    while (this.text[this.at] !== "]") {
      if (values.length > 0) this.expect(",", "]");
      values.push(this.value(depth));
      this.space();
    }
    this.at++;
    return values;
  }

  private string(): string {
    const start = this.at++;
    let escaped = false;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        this.escape();
        escaped = true;
      } else if (code < 32)
        this.fail("a line break or control character inside text", "write it as an escape like \\n");
      else if (this.at >= this.text.length) {
        this.at = start;
        this.fail("the text that starts here does not end", "close it with a double quote");
      } else this.at++;
    }
    this.at++;
    // Attached files are long texts full of escapes, which JSON.parse undoes much faster.
    return escaped ? JSON.parse(this.text.slice(start, this.at)) : this.text.slice(start + 1, this.at - 1);
  }

  /** Passes over an escape. */
  private escape(): void {
    const character = this.text[this.at + 1] ?? "";
    if (ESCAPES.includes(character) && character !== "") this.at += 2;
    else if (character === "u" && HEX.test(this.text.slice(this.at + 2, this.at + 6))) this.at += 6;
    else this.fail(`\\${character} is no escape of JSON`);
  }

  private number(): JsonValue {
    const start = this.at;
    const text = this.match(NUMBER);
    if (text === undefined) this.fail(`expected a value, found ${this.found()}`, this.advice());
    const next = this.text[this.at];
    if (next !== undefined && /[\w.+-]/.test(next)) {
      this.at = start;
      this.fail(`${/\S{1,30}/.exec(this.text.slice(start))?.[0]} is no number of JSON`);
    }
    const value = exactNumber(text);
    if (value !== undefined) return value;
    this.at = start;
    return this.fail(`${text} is too large for a number`, "write it as text");
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.at += found.length;
    return found;
  }

  private space(): void {
    this.match(SPACE);
  }

  /** Takes `character` and the space behind it. */
  private expect(character: string, or?: string): void {
    if (this.text[this.at] !== character) {
      const wanted = or === undefined ? character : `${character} or ${or}`;
      this.fail(`expected ${wanted}, found ${this.found()}`, this.advice());
    }
    this.at++;
    this.space();
    const closes = this.text[this.at] === "}" || this.text[this.at] === "]";
    if (character === "," && closes) this.fail("a comma before the closing bracket", "remove the comma");
  }

  private found(): string {
    return this.at >= this.text.length
      ? "the end"
      : JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at) as number));
  }

  private advice(): string | undefined {
    if (this.at >= this.text.length) return "the file seems cut off";
    return this.text[this.at] === "/" ? "JSON has no comments" : undefined;
  }

  private fail(message: string, hint?: string): never {
    const before = this.text.slice(0, this.at);
    const line = before.split("\n").length;
    const column = this.at - before.lastIndexOf("\n");
    throw new WeirError({ code: "not-json", domain: "graph", line, message: `${message} (column ${column})`, hint });
  }
}

/** The number, a bigint or text where a number would change it; `undefined` when it is beyond the range of numbers. */
export function exactNumber(text: string): number | bigint | string | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : BigInt(text);
  return sameDecimal(text, String(value)) ? value : text;
}

/** Whether two number texts say the same decimal number. */
function sameDecimal(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** `digits e exponent` without zeros at either end. */
function canonical(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
