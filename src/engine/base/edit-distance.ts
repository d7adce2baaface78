/** Levenshtein distance with neighbouring letters swapped counting as one edit. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

/** Names longer than this are no typing mistakes of one another; comparing them would cost their product. */
const LONGEST = 200;

/** What the person probably meant: the nearest name, else one that begins the same. Case alone is no distance. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  let beginning: string | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    if (beginning === undefined && beginsSame(wanted, other)) beginning = candidate;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? beginning;
}

const beginsSame = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 2 && (a.startsWith(b) || b.startsWith(a));
