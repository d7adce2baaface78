/** Numbers as the page writes them: short, with their unit, always as many digits as can be compared at a glance. */

const SCALES = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** `1.31 M`, `71 k`, `210`. */
export function shortCount(value: number): string {
  const scale = SCALES.find(([size]) => value >= size * 0.9995);
  return scale === undefined ? String(Math.round(value)) : `${threeDigits(value / scale[0])} ${scale[1]}`;
}

export const rate = (rowsPerSecond: number): string => `${shortCount(rowsPerSecond)}/s`;

/** `48,210`. */
export const wholeCount = (value: number): string => value.toLocaleString("en-US");

function threeDigits(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** `41 ms`, `1.4 s`, `12 min`. */
export function stay(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min`;
}

/** Milliseconds with a fraction where it matters: `0.4 ms`, `12 ms`, `1.42 s`. */
export function took(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(2)} s`;
}

/** `00:01:24`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** `1.2 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ["kB", "MB", "GB"];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${threeDigits(value)} ${units[unit]}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${wholeCount(count)} ${count === 1 ? one : many}`;
