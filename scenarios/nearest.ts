/**
 * The names nearest to a misspelt one, nearest first: at most `count` of them, and only those that are near enough to be meant.
 *
 * Details: the distance counts insertions, deletions, replacements and swaps of neighbours; letter case costs nothing but breaks ties. A name is near
 * enough when it differs in at most a third of its characters (at least 1), or begins with what was written (at least 3 characters), and when no
 * other is nearer by more than 1.
 */
export function nearestNames(found: string, known: readonly string[], count = 3): readonly string[] {
  const near = known
    .map((name) => ({ name, distance: distanceOf(found, name) }))
    .filter(({ name, distance }) => distance < name.length && distance <= farthest(found, name))
    .sort((a, b) => a.distance - b.distance);
  const best = near[0]?.distance ?? 0;
  return near
    .filter(({ distance }) => distance <= best + 1)
    .slice(0, count)
    .map(({ name }) => name);
}

const farthest = (found: string, name: string): number =>
  Math.max(1, Math.ceil(Math.max(found.length, name.length) / 3));

/** One line of help for a misspelt name: `did you mean "Dma"? known keys: Dma, Ring`. */
export function didYouMean(found: string, known: readonly string[], what: string): string {
  const near = nearestNames(found, known).map((name) => `"${name}"`);
  const guess = near.length > 0 ? `did you mean ${near.join(' or ')}? ` : '';
  const shown = known.slice(0, shownMax).join(', ') || 'none';
  const rest = known.length > shownMax ? `, and ${known.length - shownMax} more` : '';
  return `${guess}known ${what}: ${shown}${rest}`;
}

const shownMax = 24;

function distanceOf(found: string, name: string): number {
  const a = found.toLowerCase();
  const b = name.toLowerCase();
  const caseDiffers = found !== name && a === b ? 0.5 : 0;
  if (a.length >= 3 && b.startsWith(a)) return Math.min(1, editDistance(a, b)) + caseDiffers;
  return editDistance(a, b) + caseDiffers;
}

/** Insertions, deletions, replacements and swaps of neighbours that make `b` out of `a`. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
