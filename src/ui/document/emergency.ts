/**
 * The last few moments before the page goes away. IndexedDB may not finish then; localStorage does, since it is synchronous.
 * What is left here is taken up at the next start, if the library has not moved on.
 */
export interface Rescue {
  readonly id: string;
  /** The saves that it can follow on; after any other somebody else has worked on the document. */
  readonly follows: readonly number[];
  readonly text: string;
}

const PREFIX = "weir:unsaved:";

export function leaveRescue(storage: Storage, rescue: Rescue): void {
  try {
    storage.setItem(PREFIX + rescue.id, JSON.stringify(rescue));
  } catch {
    // Full or forbidden; the save that is under way is all there is.
  }
}

/** What was left for the document, once. */
export function takeRescue(storage: Storage, id: string): Rescue | undefined {
  try {
    const text = storage.getItem(PREFIX + id);
    if (text === null) return undefined;
    storage.removeItem(PREFIX + id);
    const value: unknown = JSON.parse(text);
    return isRescue(value) && value.id === id ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRescue(value: unknown): value is Rescue {
  if (typeof value !== "object" || value === null) return false;
  const { id, follows, text } = value as Record<string, unknown>;
  return typeof id === "string" && Array.isArray(follows) && typeof text === "string";
}
