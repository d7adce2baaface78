/** Small preferences that outlive the page. Storage may be missing, full or forbidden; the page then simply forgets. */

const PREFIX = "weir:";

/** The remembered value, or `fallback` where there is none or `accept` refuses it. */
export function recall<T>(key: string, fallback: T, accept: (value: unknown) => value is T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text === null) return fallback;
    const value: unknown = JSON.parse(text);
    return accept(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Nothing depends on it.
  }
}
