/** The smallest box of an array that contains a selection. Pure. */
import { countOf, positionAt } from './compose.js';
import type { ResolvedDim, ResolvedSelection } from './selection.js';

/** Positions from `start` (inclusive) to `stop` (exclusive). */
export interface BoxRange {
  readonly start: number;
  readonly stop: number;
}

/** One range per dimension of the array, including dropped ones; undefined if nothing is selected. */
export function boundingBox(selection: ResolvedSelection): readonly BoxRange[] | undefined {
  if (selection.kind === 'points')
    return selection.count === 0 ? undefined : selection.at.map((at) => rangeOf(at));
  if (selection.dims.some((dim) => countOf(dim) === 0)) return undefined;
  return selection.dims.map((dim) => (dim.kind === 'list' ? rangeOf(dim.at) : endsOf(dim)));
}

function endsOf(dim: ResolvedDim): BoxRange {
  const [first, last] = [positionAt(dim, 0), positionAt(dim, countOf(dim) - 1)];
  return { start: Math.min(first, last), stop: Math.max(first, last) + 1 };
}

function rangeOf(at: Float64Array): BoxRange {
  let [start, last] = [Infinity, -Infinity];
  for (const position of at) {
    if (position < start) start = position;
    if (position > last) last = position;
  }
  return { start, stop: last + 1 };
}
