/** What a benchmark found out: plain data, as `--json` prints it. */

export type Unit = "rows/s" | "MB/s" | "messages/s" | "batches/s" | "µs" | "ms" | "bytes" | "MiB";

/** Of all turns: the median, the quartiles around it, and the extremes. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
  readonly turns: number;
}

export interface Measurement {
  readonly name: string;
  readonly unit: Unit;
  readonly spread: Spread;
  readonly aim?: Aim;
  readonly met?: boolean;
}

export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** One measurement by another, turn by turn. */
export interface Comparison {
  readonly name: string;
  /** `ratio`: this many times; `cost`: this part more. */
  readonly kind: "ratio" | "cost";
  readonly spread: Spread;
  readonly aim?: Aim;
  readonly met?: boolean;
}

/** One situation, such as a size of batch, with everything that was measured in it side by side. */
export interface Case {
  readonly name: string;
  readonly measurements: readonly Measurement[];
  readonly comparisons: readonly Comparison[];
}

export interface Machine {
  /** `Node 20.20.2`, `Chromium 156`. */
  readonly runtime: string;
  readonly cpu: string;
  readonly cores: number;
}

export interface BenchmarkResult {
  readonly benchmark: string;
  readonly machine: Machine;
  readonly cases: readonly Case[];
}

export function spreadOf(values: readonly number[]): Spread {
  const ascending = [...values].sort((a, b) => a - b);
  const at = (part: number): number => {
    const place = part * (ascending.length - 1);
    const below = ascending[Math.floor(place)] ?? Number.NaN;
    const above = ascending[Math.ceil(place)] ?? Number.NaN;
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75), min: at(0), max: at(1), turns: values.length };
}

export function measurement(name: string, unit: Unit, values: readonly number[], aim?: Aim): Measurement {
  return { name, unit, ...judged(values, aim) };
}

/** How many times `values` are `others`. */
export function ratio(name: string, values: readonly number[], others: readonly number[], aim?: Aim): Comparison {
  const ratios = values.map((value, i) => value / (others[i] as number));
  return { name, kind: "ratio", ...judged(ratios, aim) };
}

/** Which part of the rate is lost: `plain` are rates without, `burdened` rates with what it costs. */
export function cost(name: string, plain: readonly number[], burdened: readonly number[], aim?: Aim): Comparison {
  const parts = plain.map((value, i) => value / (burdened[i] as number) - 1);
  return { name, kind: "cost", ...judged(parts, aim) };
}

function judged(values: readonly number[], aim: Aim | undefined): Pick<Comparison, "spread" | "aim" | "met"> {
  const spread = spreadOf(values);
  if (aim === undefined) return { spread };
  const met = "atLeast" in aim ? spread.median >= aim.atLeast : spread.median <= aim.atMost;
  return { spread, aim, met };
}
