/** Lists and objects of plain values that fit in a line of this length are written in one. */
const LINE = 110;

/**
 * JSON for people: indented by two, short lists and objects in one line, every digit of a bigint. `parseJson` of it is the same
 * value. Properties that are undefined are left out.
 */
export function writeJson(value: unknown): string {
  return `${write(value, 0)}\n`;
}

function write(value: unknown, indent: number): string {
  if (typeof value !== "object" || value === null) return plain(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((each) => write(each === undefined ? null : each, indent + 2))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${JSON.stringify(key)}: ${write(each, indent + 2)}`);
  if (parts.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (indent > 0 && line.length + indent <= LINE && Object.values(value).every(isFlat)) return line;
  const pad = " ".repeat(indent);
  return `${open}\n${parts.map((part) => `${pad}  ${part}`).join(",\n")}\n${pad}${close}`;
}

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** Plain, or an object or list of plain values. */
const isFlat = (value: unknown): boolean => isPlain(value) || Object.values(value as object).every(isPlain);

/** @throws TypeError for what JSON cannot say: NaN, infinities, functions */
function plain(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return number(value);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no ${typeof value}`);
  return text;
}

/** Plain digits beyond 2^53 are read as a bigint, so a number of that size is written with an exponent. */
function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
