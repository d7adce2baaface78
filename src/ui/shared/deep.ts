/** Reading and changing plain values by path, sharing what does not change. */

export type PathPart = string | number;
export type Path = readonly PathPart[];

export function getIn(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (current, part) =>
      typeof current === "object" && current !== null && Object.hasOwn(current, part)
        ? (current as Record<PathPart, unknown>)[part]
        : undefined,
    value,
  );
}

/** `target` with `value` at `path`; undefined removes a property. What is missing on the way is made: a list for a number, else an object. */
export function setIn<T>(target: T, path: Path, value: unknown): T {
  const [part, ...rest] = path;
  if (part === undefined) return value as T;
  if (Array.isArray(target) || (target === undefined && typeof part === "number")) {
    return setInList((target ?? []) as unknown[], part, rest, value) as T;
  }
  const entries = new Map(Object.entries((target ?? {}) as object));
  const next = setIn(entries.get(String(part)) as unknown, rest, value);
  if (next === undefined) entries.delete(String(part));
  else entries.set(String(part), next);
  return Object.fromEntries(entries) as T;
}

function setInList(list: readonly unknown[], part: PathPart, rest: Path, value: unknown): unknown[] {
  const index = Number(part);
  const next = setIn(list[index], rest, value);
  return index < list.length ? list.with(index, next) : [...list, next];
}

/** `config.rows[3]`, as problems name a field. */
export function fieldName(path: Path): string {
  return path.reduce<string>(
    (name, part) => (typeof part === "number" ? `${name}[${part}]` : name === "" ? part : `${name}.${part}`),
    "",
  );
}

export interface Placed<T> {
  /** Stable as long as entries keep their place: form fields are known by where they stand. */
  readonly key: string;
  readonly index: number;
  readonly value: T;
}

/** The entries of a list with their places, for lists whose entries have no name of their own. */
export function placed<T>(list: readonly T[]): Placed<T>[] {
  return list.map((value, index) => ({ key: String(index), index, value }));
}
