/** A broken promise inside the engine: always a bug of the engine, never of a graph or its data. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Makes a `switch` over a discriminated union exhaustive at compile time. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
