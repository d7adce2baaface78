/**
 * A deep copy of a graph of objects: what a keyframe of the lab is made of. Class instances keep their prototype, maps,
 * sets and typed arrays are copied, cycles and sharing are kept. Functions are shared, so state must not hide in closures; instances
 * of the `immutable` classes are shared too, and so are the objects of `shared`.
 */
export function cloneGraph<T>(
  root: T,
  immutable: readonly (abstract new (...args: never) => object)[],
  shared: ReadonlySet<object> = new Set(),
): T {
  const copies = new Map<object, object>();

  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (shared.has(value) || Object.isFrozen(value) || immutable.some((type) => value instanceof type)) return value;
    return copyObject(value);
  };

  const copyObject = (value: object): object => {
    if (ArrayBuffer.isView(value)) return copyView(value);
    if (value instanceof ArrayBuffer) return remember(value, value.slice(0));
    if (value instanceof Map) {
      const map = remember(value, new Map<unknown, unknown>());
      for (const [key, entry] of value) map.set(copyOf(key), copyOf(entry));
      return map;
    }
    if (value instanceof Set) {
      const set = remember(value, new Set<unknown>());
      for (const entry of value) set.add(copyOf(entry));
      return set;
    }
    // Weak maps are caches of what is immutable; promises belong to the world outside.
    if (value instanceof WeakMap || value instanceof Promise) return value;
    if (Array.isArray(value)) {
      const array = remember(value, new Array<unknown>(value.length));
      for (let i = 0; i < value.length; i++) array[i] = copyOf(value[i]);
      return array;
    }
    const copy = remember(value, Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>);
    for (const key of Object.keys(value)) copy[key] = copyOf((value as Record<string, unknown>)[key]);
    return copy;
  };

  const copyView = (view: ArrayBufferView): object => {
    const buffer = copyOf(view.buffer) as ArrayBuffer;
    const View = view.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => ArrayBufferView;
    const length = "length" in view ? (view.length as number) : view.byteLength;
    return remember(view, new View(buffer, view.byteOffset, length));
  };

  const remember = <V extends object>(from: object, to: V): V => {
    copies.set(from, to);
    return to;
  };

  return copyOf(root) as T;
}

/** Every object that hangs on `root`, itself included: what never changes and need not be copied. */
export function objectsOf(root: object): Set<object> {
  const found = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || found.has(value)) return;
    found.add(value);
    if (ArrayBuffer.isView(value)) return;
    for (const part of Object.values(value)) visit(part);
  };
  visit(root);
  return found;
}
