/** Assertions for contract cases, which run under vitest and in a page alike: they throw, with both values in the message. */

export function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Deep equality that tells −0 from 0, NaN from null, and 1n from 1. */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, e] = [show(actual), show(expected)];
  if (a === e) return;
  let at = 0;
  while (a[at] === e[at]) at++;
  throw new Error(`${what}: got …${excerpt(a, at)}…, expected …${excerpt(e, at)}…`);
}

/** The error that `act` throws; it must throw one. */
export function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const excerpt = (text: string, at: number): string => text.slice(Math.max(0, at - 60), at + 60);

function show(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, part]) => `${key}: ${show(part)}`)
      .join(", ")}}`;
  }
  return value === undefined ? "undefined" : JSON.stringify(value);
}
