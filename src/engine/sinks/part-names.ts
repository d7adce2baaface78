/**
 * Names of the files of `sink.file` in its folder.
 *
 * Exactly-once: `part-SUBTASK-EPOCH.EXT`, under the same name with a dot before it until its epoch is committed, and
 * `.part-SUBTASK-open.EXT` while its epoch is open. At-least-once: `part-SUBTASK.EXT`, and `part-SUBTASK-from-EPOCH.EXT` where the
 * run went on from a checkpoint, because what the run before wrote stays.
 */
const PART = /^\.?part-(\d+)(?:-(?:(open)|(?:from-)?(\d+)))?\.[a-z]+$/;

export const committedName = (subtask: number, epoch: number, extension: string): string =>
  `part-${subtask}-${epoch}.${extension}`;

/** `name` while it is staged. */
export const stagedName = (name: string): string => `.${name}`;

export const openName = (subtask: number, extension: string): string => `.part-${subtask}-open.${extension}`;

export function growingName(subtask: number, firstEpoch: number, extension: string): string {
  return firstEpoch <= 1 ? `part-${subtask}.${extension}` : `part-${subtask}-from-${firstEpoch}.${extension}`;
}

/**
 * Whether a run that issues `firstEpoch` first replaces this file: parts of that epoch and later ones, which it writes anew
 * (D-14), and parts that were never sealed. A run from the start replaces everything (E-5).
 */
export function isReplaced(name: string, firstEpoch: number): boolean {
  const match = PART.exec(name);
  if (match === null) return false;
  const [, , open, epoch] = match;
  return open !== undefined || Number(epoch ?? 0) >= firstEpoch || firstEpoch <= 1;
}

/** Whether the file is this subtask's to clear away; those of subtasks that are no more fall to one of the others. */
export function isOwnPart(name: string, subtask: number, parallelism: number): boolean {
  const match = PART.exec(name);
  return match !== null && Number(match[1]) % parallelism === subtask;
}
