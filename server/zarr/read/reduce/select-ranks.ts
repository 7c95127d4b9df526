/** Selects elements by rank in an unsorted list. */

/**
 * Moves the element of rank `place` to its sorted position, with smaller or equal elements before it and
 * larger or equal elements after it (Hoare's quickselect).
 * @param list without NaN; modified
 * @param from, to the part of the list (`to` exclusive) that contains the position
 */
export function selectRank(list: Float64Array, place: number, from: number, to: number): number {
  let left = from;
  let right = to - 1;
  while (left < right) {
    const pivot = medianOfThree(list[left] ?? 0, list[(left + right) >>> 1] ?? 0, list[right] ?? 0);
    let i = left;
    let j = right;
    while (i <= j) {
      while ((list[i] ?? 0) < pivot) i++;
      while ((list[j] ?? 0) > pivot) j--;
      if (i > j) break;
      const swapped = list[i] ?? 0;
      list[i++] = list[j] ?? 0;
      list[j--] = swapped;
    }
    if (place <= j) right = j;
    else if (place >= i) left = i;
    else break;
  }
  return list[place] ?? NaN;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * The position of a quantile in a sorted list, by NumPy's method `linear`: between two indices, with a
 * fraction.
 */
export interface RankPosition {
  readonly low: number;
  readonly high: number;
  readonly fraction: number;
}

/** @param count at least 1 */
export function rankPosition(q: number, count: number): RankPosition {
  const virtual = (count - 1) * q;
  const low = Math.min(Math.floor(virtual), count - 1);
  return { low, high: virtual <= 0 ? 0 : Math.min(low + 1, count - 1), fraction: virtual - low };
}

/** Like NumPy's `_lerp`, exact at both ends. */
export function between(low: number, high: number, fraction: number): number {
  const distance = high - low;
  return fraction >= 0.5 ? high - distance * (1 - fraction) : low + distance * fraction;
}
