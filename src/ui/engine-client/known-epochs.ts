import type { EpochRecord } from "../../engine/index.ts";

/**
 * What is known of the epochs after some news: `fresh` are new or changed, the others are as they were. Those before `oldest` are
 * no longer told of. Oldest first; a record that did not change stays the same object.
 */
export function withNews(
  known: readonly EpochRecord[],
  fresh: readonly EpochRecord[],
  oldest: number,
): readonly EpochRecord[] {
  const dropped = known.length > 0 && (known[0] as EpochRecord).epoch < oldest;
  if (fresh.length === 0 && !dropped) return known;
  const changed = new Set(fresh.map(({ epoch }) => epoch));
  return [...known.filter(({ epoch }) => !changed.has(epoch) && epoch >= oldest), ...fresh].sort(
    (a, b) => a.epoch - b.epoch,
  );
}
