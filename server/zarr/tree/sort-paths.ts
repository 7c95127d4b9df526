/** Sorts any number of paths in time slices. */
import { compareCodePoints } from '../store/keys.js';

const surrogates = /[\ud800-\udfff]/;

/** Number of paths sorted at a time by JavaScript's own sort. */
const RUN = 2048;

/**
 * Indices of paths, in code point order of the paths; equal paths are ordered by rank, then by index. Yields
 * between pieces of some tenths of a millisecond.
 */
export function* sortPaths(
  paths: readonly string[],
  ranks: ArrayLike<number>,
): Generator<void, Uint32Array, void> {
  const { length } = paths;
  // Without surrogates, UTF-16 units sort like code points, and are compared much faster.
  let isPlain = true;
  let isSorted = true;
  const compare = (a: number, b: number): number => {
    const left = paths[a] ?? '';
    const right = paths[b] ?? '';
    if (left === right) return (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b;
    if (isPlain) return left < right ? -1 : 1;
    return compareCodePoints(left, right);
  };
  for (let i = 0; i < length && isPlain; i++) {
    if (i % RUN === 0) yield;
    if (surrogates.test(paths[i] ?? '')) isPlain = false;
  }
  let order = Uint32Array.from({ length }, (_, i) => i);
  for (let i = 1; i < length && isSorted; i++) {
    if (i % RUN === 0) yield;
    isSorted = compare(i - 1, i) < 0;
  }
  if (isSorted) return order;
  for (let start = 0; start < length; start += RUN) {
    order.subarray(start, start + RUN).sort(compare);
    yield;
  }
  let other = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width)
      yield* merge(order, other, { start, middle: start + width, end: start + 2 * width }, compare);
    [order, other] = [other, order];
  }
  return order;
}

/** Merges two adjacent sorted runs. */
function* merge(
  from: Uint32Array,
  to: Uint32Array,
  bounds: { readonly start: number; readonly middle: number; readonly end: number },
  compare: (a: number, b: number) => number,
): Generator<void, void, void> {
  const middle = Math.min(bounds.middle, from.length);
  const end = Math.min(bounds.end, from.length);
  let left = bounds.start;
  let right = middle;
  for (let at = bounds.start; at < end; at++) {
    if (at % RUN === 0) yield;
    const takesLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
    to[at] = from[takesLeft ? left++ : right++] ?? 0;
  }
}
