/** "Did you mean": the names nearest to one that was not found. */

const MAX_SHOWN = 5;
const MAX_COMPARED = 10_000;

/** At most five of `names`, nearest first: a different case counts least, then the edits in between. */
export function nearest(name: string, names: Iterable<string>): string[] {
  const ranked: { name: string; distance: number }[] = [];
  const wanted = name.slice(0, 100).toLowerCase();
  for (const candidate of names) {
    if (ranked.length >= MAX_COMPARED) break;
    const lower = candidate.slice(0, 100).toLowerCase();
    const distance =
      lower === wanted ? 0 : lower.includes(wanted) || wanted.includes(lower) ? 1 : edits(wanted, lower);
    ranked.push({ name: candidate, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, MAX_SHOWN).map((one) => one.name);
}

/** Levenshtein's distance, one row at a time. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
