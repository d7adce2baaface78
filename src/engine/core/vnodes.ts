/** Vnodes are the unit in which keys move between subtasks: every key belongs to one, every subtask owns a range. */

/** vnodes [from, to) of one subtask. */
export type VnodeRange = readonly [from: number, to: number];

/**
 * Ranges by subtask: range i is [⌊v·i/t⌋, ⌊v·(i+1)/t⌋), with t brought into 1…max(v, 1); so there may be fewer
 * ranges than tasks asked for (F-77, A-3).
 */
export function vnodeRanges(vnodes: number, tasks: number): VnodeRange[] {
  const count = Math.min(Math.max(tasks, 1), Math.max(vnodes, 1));
  return Array.from({ length: count }, (_, i) => [
    Math.floor((vnodes * i) / count),
    Math.floor((vnodes * (i + 1)) / count),
  ]);
}

/** Subtask that owns a vnode. */
export function ownerOfVnode(vnode: number, ranges: readonly VnodeRange[]): number {
  return ranges.findIndex(([from, to]) => from <= vnode && vnode < to);
}
