/**
 * Suggests the names nearest to an unknown name. The cost is bounded, because a request may contain many
 * unknown names.
 */
import { defined } from '../../wire/guards.js';

const MAX_SHOWN = 5;
const MAX_COMPARED = 10_000;
/** Maximum number of characters of a name to compare. */
const MAX_LENGTH = 100;
/**
 * Number of compared character pairs after which no further candidates are compared. The most promising
 * candidates are compared first.
 */
const MAX_PAIRS = 2 ** 18;

interface Candidate {
  readonly name: string;
  readonly text: string;
  /** Index of the name in the list. */
  readonly index: number;
  /** Lower bound of the edit distance. */
  readonly least: number;
}

interface Ranked {
  readonly name: string;
  readonly index: number;
  readonly distance: number;
}

/**
 * Returns at most five of the first 10,000 `names`, ordered by the number of edits. Case does not count. If one of two
 * different names contains the other, the distance is one edit.
 */
export function nearest(name: string, names: Iterable<string>): string[] {
  const wanted = textOf(name);
  const best: Ranked[] = [];
  let pairs = 0;
  for (const { text, least, ...candidate } of candidatesOf(wanted, names)) {
    const last = best[MAX_SHOWN - 1];
    // Candidates are sorted by their lower bound, then by index.
    if (last !== undefined && compare({ ...candidate, distance: least }, last) > 0) break;
    if (pairs > MAX_PAIRS) break;
    pairs += wanted.length * text.length;
    best.push({ ...candidate, distance: distanceOf(wanted, text) });
    best.sort(compare);
    best.length = Math.min(best.length, MAX_SHOWN);
  }
  return best.map((ranked) => ranked.name);
}

function compare(a: Ranked, b: Ranked): number {
  return a.distance - b.distance || a.index - b.index;
}

function textOf(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().slice(0, MAX_LENGTH);
}

function candidatesOf(wanted: string, names: Iterable<string>): Candidate[] {
  const candidates: Candidate[] = [];
  for (const name of names) {
    if (candidates.length >= MAX_COMPARED) break;
    const text = textOf(name);
    candidates.push({ name, text, index: candidates.length, least: leastDistance(wanted, text) });
  }
  return candidates.sort((a, b) => a.least - b.least || a.index - b.index);
}

function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  return isPart(a, b) ? 1 : edits(a, b);
}

function isPart(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}

const counts = new Int16Array(256);

/**
 * A lower bound from character counts: each occurrence of a character without a counterpart in the other text must be
 * inserted, deleted or replaced. Counting several characters in one bucket preserves the lower bound.
 */
function leastDistance(a: string, b: string): number {
  if (a === b) return 0;
  if (isPart(a, b)) return 1;
  counts.fill(0);
  for (let i = 0; i < a.length; i++) count(a.charCodeAt(i), 1);
  for (let i = 0; i < b.length; i++) count(b.charCodeAt(i), -1);
  let more = 0;
  let fewer = 0;
  for (const difference of counts) {
    if (difference > 0) more += difference;
    else fewer -= difference;
  }
  return Math.max(more, fewer);
}

function count(code: number, by: number): void {
  const at = code & 255;
  counts[at] = defined(counts[at]) + by;
}

const row = new Uint8Array(MAX_LENGTH + 1);

/** Computes the Levenshtein distance, one row at a time. */
function edits(a: string, b: string): number {
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    let diagonal = i - 1;
    let left = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = defined(row[j]);
      const change = code === b.charCodeAt(j - 1) ? diagonal : diagonal + 1;
      left = Math.min(change, above + 1, left + 1);
      row[j] = left;
      diagonal = above;
    }
  }
  return defined(row[b.length]);
}
