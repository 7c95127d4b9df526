/** Sorts any number of paths in time slices. */
import { compareCodePoints } from '../store/keys.js';
import { sortInSteps } from './sort-in-steps.js';

const surrogates = /[\ud800-\udfff]/;

/** Number of paths to examine at a time. */
const RUN = 2048;

/**
 * Indices of paths, in code point order of the paths; equal paths are ordered by rank, then by index.
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
    if (left === right) return (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b;
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
