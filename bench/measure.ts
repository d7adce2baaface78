/** How a benchmark measures: variants side by side, in turns, so that whatever else the machine does hits all of them alike. */

export interface Effort {
  /** Turns that count; every variant is measured once a turn. */
  readonly turns: number;
  /** About how long one measurement takes. */
  readonly windowMs: number;
  /** How long a run may take to get warm. */
  readonly warmUpMs: number;
  /** Different batches that a producer goes round: one alone would be memorised by the branch predictor. */
  readonly batches: number;
  /** Different bids that Nexmark queries go round, in memory. */
  readonly bids: number;
  /** Cases of larger batches, or of more tasks, are left out. */
  readonly largest: { readonly rows: number; readonly tasks: number };
}

/** What a person waits for. */
export const FULL: Effort = {
  turns: 9,
  windowMs: 150,
  warmUpMs: 2000,
  batches: 32,
  bids: 1_000_000,
  largest: { rows: 65_536, tasks: 64 },
};
/** Enough to see that everything works. */
export const SMOKE: Effort = {
  turns: 1,
  windowMs: 5,
  warmUpMs: 0,
  batches: 2,
  bids: 2000,
  largest: { rows: 1024, tasks: 4 },
};

/** Goes on until the code is compiled: a few batches alone would be interpreted. */
export async function warm(ms: number, run: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  while (performance.now() - from < ms) await run();
}

/** One measurement; the numbers of all measurements of a variant are of one unit. */
export type Variant = () => number | Promise<number>;

/**
 * Measures every variant once a turn, each turn beginning with another one. The first turn warms up and is forgotten. The i-th
 * numbers of all variants belong together.
 */
export async function inTurns<K extends string>(
  variants: Readonly<Record<K, Variant>>,
  turns: number,
): Promise<Record<K, number[]>> {
  const names = Object.keys(variants) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let turn = 0; turn <= turns; turn++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(turn + i) % names.length] as K;
      const value = await variants[name]();
      if (turn > 0) values[name].push(value);
    }
  }
  return values;
}

/** Those of the sizes that are not too large. */
export const within = (most: number, sizes: readonly number[]): number[] => sizes.filter((size) => size <= most);

const LEAST_COUNT = 16;
const MOST_COUNT = 2_000_000;

/**
 * A variant that repeats something as often as fits the window, going by the time before. Answers how often a second.
 *
 * @param run repeats it so often and answers the milliseconds that it took
 */
export function perSecond(
  run: (count: number) => number | Promise<number>,
  windowMs: number,
  leastCount = LEAST_COUNT,
): Variant {
  let count = leastCount;
  return async () => {
    const rate = (count / Math.max(await run(count), 1e-3)) * 1000;
    count = Math.min(Math.max(Math.round((rate * windowMs) / 1000), leastCount), MOST_COUNT);
    return rate;
  };
}

/**
 * The same for something that one worker does alone, by the CPU time of the process where somebody tells it: what else the machine does then counts
 * least.
 */
export function perCoreSecond(
  cpuMs: (() => number) | undefined,
  run: (count: number) => Promise<number>,
  windowMs: number,
  leastCount = LEAST_COUNT,
): Variant {
  const timed = async (count: number): Promise<number> => {
    const before = cpuMs?.();
    const ms = await run(count);
    return before === undefined || cpuMs === undefined ? ms : cpuMs() - before;
  };
  return perSecond(timed, windowMs, leastCount);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
