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
