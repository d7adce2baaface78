import fc from "fast-check";

/**
 * Settings of random tests: `WEIR_SEED` tries another seed, `WEIR_RUNS` multiplies the number of cases, `WEIR_PATH` runs only the case that a
 * failure named, and `WEIR_SHRINK=0` shows a failure as it was found, at once.
 */
interface Environment {
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
}

const env = (globalThis as Environment).process?.env ?? {};
const SEED = Number(env["WEIR_SEED"] ?? 20_240_601);
const FACTOR = Number(env["WEIR_RUNS"] ?? 1);
const PATH = env["WEIR_PATH"];

/** How long a test may take that takes so long with the usual number of cases. */
export const patience = (ms: number): number => ms * Math.max(1, FACTOR);

const parameters = (runs: number) => ({
  seed: SEED,
  numRuns: Math.ceil(runs * FACTOR),
  ...(PATH === undefined ? {} : { path: PATH }),
  endOnFailure: env["WEIR_SHRINK"] === "0",
});

/** Holds a property for so many random cases: the same ones every time, unless the environment asks for others. A failure names seed and path. */
export function fuzz<T>(property: fc.IProperty<T>, runs: number): void {
  fc.assert(property, parameters(runs));
}

/**
 * The same where a case has to wait for something. With a limit it gives up then, as a failure, with what it found so far: a failure that takes long to make
 * smaller still names seed and path.
 */
export async function fuzzAsync<T>(property: fc.IAsyncProperty<T>, runs: number, limitMs?: number): Promise<void> {
  const limit = limitMs === undefined ? {} : { interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true };
  await fc.assert(property, { ...parameters(runs), ...limit });
}
