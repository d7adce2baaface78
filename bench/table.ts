import type { BenchmarkResult, Comparison, Machine, Measurement } from "./results.ts";

/** Results for a person: a line for each measurement with its median and the quartiles around it. */
export function tableOf(result: BenchmarkResult): string {
  const lines = [`${result.benchmark} · ${machineText(result.machine)}`];
  for (const { name, measurements, comparisons } of result.cases) {
    const rows = [...measurements.map(measurementRow), ...comparisons.map(comparisonRow)];
    const width = Math.max(...rows.map(([left]) => left.length));
    lines.push("", name, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`));
  }
  return `${lines.join("\n")}\n`;
}

export const machineText = ({ runtime, cpu, cores }: Machine): string => `${runtime} · ${cpu}, ${cores} cores`;

function measurementRow({ name, unit, ...judged }: Measurement): [string, string] {
  return [name, judgedText(judged, (value) => `${short(value)} ${unit}`)];
}

function comparisonRow({ name, kind, ...judged }: Comparison): [string, string] {
  return [`→ ${name}`, judgedText(judged, kind === "ratio" ? (value) => `${short(value)}×` : percent)];
}

function judgedText({ spread, aim, met }: Omit<Comparison, "name" | "kind">, text: (value: number) => string): string {
  const found = `${text(spread.median)}  (${text(spread.low)} – ${text(spread.high)})`;
  if (aim === undefined) return found;
  const aimed = "atLeast" in aim ? `at least ${text(aim.atLeast)}` : `at most ${text(aim.atMost)}`;
  return `${found}  ${met === true ? "meets" : "misses"} the aim of ${aimed}`;
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Three digits that count: 12.3 M, 456 k. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${digits(value / 1e9)} G`;
  if (size >= 1e6) return `${digits(value / 1e6)} M`;
  if (size >= 1e4) return `${digits(value / 1e3)} k`;
  return digits(value);
}

function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
