/**
 * Undo by gesture (P-59). A step holds the values before and after one gesture of the person, whole; they are immutable and
 * share what did not change, so a step costs what it changed.
 */
export interface Step<T> {
  /** As the undo command names it: `delete 2 nodes`. */
  readonly label: string;
  readonly before: T;
  readonly after: T;
  /** Further edits with the same key belong to the same gesture, until it is sealed. */
  readonly mergeKey: string | undefined;
}

export interface History<T> {
  readonly past: readonly Step<T>[];
  readonly future: readonly Step<T>[];
}

export const NO_HISTORY: History<never> = { past: [], future: [] };

/** Steps that are kept; older ones are forgotten. */
export const HISTORY_LIMIT = 500;

export function record<T>(history: History<T>, step: Step<T>): History<T> {
  const last = history.past.at(-1);
  if (
    last !== undefined &&
    step.mergeKey !== undefined &&
    last.mergeKey === step.mergeKey &&
    history.future.length === 0
  ) {
    return { past: [...history.past.slice(0, -1), { ...last, after: step.after }], future: [] };
  }
  return { past: [...history.past, step].slice(-HISTORY_LIMIT), future: [] };
}

/** Ends the current gesture: the next edit is a step of its own, whatever its key. */
export function seal<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (last?.mergeKey === undefined) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, mergeKey: undefined }] };
}

export function stepBack<T>(history: History<T>): { history: History<T>; value: T } | undefined {
  const step = history.past.at(-1);
  if (step === undefined) return undefined;
  const sealed = { ...step, mergeKey: undefined };
  return { history: { past: history.past.slice(0, -1), future: [sealed, ...history.future] }, value: step.before };
}

export function stepForward<T>(history: History<T>): { history: History<T>; value: T } | undefined {
  const [step, ...future] = history.future;
  if (step === undefined) return undefined;
  return { history: { past: [...history.past, step], future }, value: step.after };
}
