/**
 * The first index, from `low` (inclusive) to `high` (exclusive), that passes; `high` if none does. All indices after one
 * that passes must pass too.
 */
export function firstIndexWhere(low: number, high: number, passes: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    // Indices may exceed 32 bits, and their sum 2^53: a rounded middle would not end the search.
    const middle = from + Math.floor((to - from) / 2);
    if (passes(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Like `firstIndexWhere`, in two comparisons if the index is `distance` after `low`, and in few if it is near: for
 * searches one after the other whose results are about equally far apart.
 */
export function searchFrom(
  low: number,
  high: number,
  distance: number,
  passes: (index: number) => boolean,
): number {
  let [from, to] = [low, Math.min(high, low + distance)];
  if (to === high || passes(to)) {
    if (to === low || !passes(to - 1)) return to;
    return firstIndexWhere(low, to - 1, passes);
  }
  for (let step = 1; to < high && !passes(to); step *= 2) [from, to] = [to + 1, Math.min(high, to + step)];
  return firstIndexWhere(from, to, passes);
}
