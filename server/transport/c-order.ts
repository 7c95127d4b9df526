/** Positions of elements in C order. */

/** Converts an index in C order to one index per dimension. */
export function indicesAt(index: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = index;
  for (const length of shape.toReversed()) {
    place.unshift(length === 0 ? 0 : rest % length);
    rest = length === 0 ? 0 : Math.floor(rest / length);
  }
  return place;
}

/** Advances one index per dimension to the next element. */
export function advance(at: number[], shape: readonly number[]): void {
  for (let d = at.length - 1; d >= 0; d--) {
    const next = (at[d] ?? 0) + 1;
    if (next < (shape[d] ?? 0)) {
      at[d] = next;
      return;
    }
    at[d] = 0;
  }
}
