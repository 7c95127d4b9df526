/** Sorts any number of indices or paths in time slices. */
import { defined } from '../../wire/guards.js';
import { compareCodePoints } from './keys.js';

/** Number of indices to sort at a time with JavaScript's `sort`. */
const RUN = 2048;

/**
 * Sorts indices. Yields every few tenths of a millisecond.
 * @param indices indices to sort, which are overwritten
 * @param compare comparison that never returns 0 for different indices
 */
export function* sortInSteps(
  indices: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array<ArrayBuffer>, void> {
  const { length } = indices;
  let isSorted = true;
  for (let i = 1; i < length && isSorted; i++) {
    if (i % RUN === 0) yield;
    isSorted = compare(defined(indices[i - 1]), defined(indices[i])) < 0;
  }
  if (isSorted) return indices;
  for (let start = 0; start < length; start += RUN) {
    indices.subarray(start, start + RUN).sort(compare);
    yield;
  }
  let [order, other] = [indices, new Uint32Array(length)];
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
    const takesLeft =
      left < middle && (right >= end || compare(defined(from[left]), defined(from[right])) <= 0);
    to[at] = defined(from[takesLeft ? left++ : right++]);
  }
}

const surrogates = /[\ud800-\udfff]/;

/**
 * Sorts indices of paths in code point order of the paths; equal paths are ordered by rank, then by index.
 * Yields every few tenths of a millisecond.
 */
export function* sortPaths(
  paths: readonly string[],
  ranks: ArrayLike<number>,
): Generator<void, Uint32Array, void> {
  const { length } = paths;
  // Without surrogates, UTF-16 units and code points have the same order, and comparing them is much
  // faster.
  let isPlain = true;
  const compare = (a: number, b: number): number => {
    const left = paths[a] ?? '';
    const right = paths[b] ?? '';
    if (left === right) return defined(ranks[a]) - defined(ranks[b]) || a - b;
    if (isPlain) return left < right ? -1 : 1;
    return compareCodePoints(left, right);
  };
  for (let i = 0; i < length && isPlain; i++) {
    if (i % RUN === 0) yield;
    if (surrogates.test(paths[i] ?? '')) isPlain = false;
  }
  return yield* sortInSteps(
    Uint32Array.from({ length }, (_, i) => i),
    compare,
  );
}

/** Sorts different keys in code point order. Yields every few tenths of a millisecond. */
export function* sortedInSteps(keys: readonly string[]): Generator<void, string[], void> {
  const order = yield* sortPaths(keys, []);
  const sorted: string[] = [];
  for (const [i, at] of order.entries()) {
    if (i % RUN === 0) yield;
    sorted.push(defined(keys[at]));
  }
  return sorted;
}
