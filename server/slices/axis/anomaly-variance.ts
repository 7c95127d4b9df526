/**
 * Computes variances of anomalies over all members of their groups in one pass, as the sum of the groups'
 * squared deviations. This is possible because the mean of a group's anomalies is 0.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { throwIfAborted } from '../../core/errors.js';
import { createPause, runToEnd } from '../../core/turns.js';
import { mappedAxes, mappedLength, placeAxis } from '../../compute/axis-map.js';
import type { GroupsMap } from '../../compute/groups.js';
import { slotFold } from '../../compute/reduce/slot-fold.js';
import { type Fold } from '../../compute/reduce/fold.js';
import { arrayOf, createState, type ReduceState } from '../../compute/state.js';
import type { AxisView } from '../axis-view.js';
import { foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';

/** Whether the view has all positions along its axis, in order. */
export function isWholeAxis({ source, axis, chosen }: AxisView): boolean {
  if (chosen.kind !== 'range' || chosen.dropped) return false;
  return chosen.start === 0 && chosen.step === 1 && chosen.count === source.shape[axis];
}

const moments = { kind: 'reduction', by: 'VAR', skipMissing: true, isWeighted: false } as const;

/**
 * @param slice the anomalies
 * @param view view with all positions; see `isWholeAxis`
 * @param fold fold that computes moments over the axis of the groups and keeps the other axes
 * @returns undefined if a sum is not finite, as with an infinite value, because some anomalies may then be missing
 */
export async function foldDeviations<T>(
  slice: LazySlice,
  { source, axis }: AxisView,
  map: GroupsMap,
  fold: Fold<T>,
  options: SliceFoldOptions,
): Promise<T | undefined> {
  const maps = fold.maps.map((other, d) => (d === axis ? map : other));
  const state = await foldSlice(source, slotFold(moments, maps, source.shape, source.dtype), options);
  const lengths = maps.map((mapped, d) => mappedLength(mapped, source.shape[d] ?? 1));
  const before = sizeOf(lengths.slice(0, axis));
  const after = sizeOf(lengths.slice(axis + 1));
  const sums = createState(before * after, state.values.map(() => ({ width: 1, initial: 0 }))); // prettier-ignore
  const pause = createPause();
  for (let outer = 0; outer < before; outer++)
    for (let group = 0; group < map.count; group++) {
      if (!addGroup(sums, outer * after, state, (outer * map.count + group) * after, after)) return undefined;
      await pause();
      throwIfAborted(options.signal);
    }
  const total = fold.createTotal();
  const axes = mappedAxes(fold.maps, slice.shape).map((mapped, d) => runToEnd(placeAxis(mapped, { start: 0, step: 1, count: slice.shape[d] ?? 1 }))); // prettier-ignore
  const { dtype } = slice;
  for (const _ of total.add(sums, axes, { dtype, transform: undefined, itemSize: dtype.itemSize })) {
    await pause();
    throwIfAborted(options.signal);
  }
  return total.finish();
}

/**
 * Adds the counts and squared deviations of a group; means stay 0.
 * @returns whether all squared deviations are finite
 */
function addGroup(sums: ReduceState, to: number, state: ReduceState, from: number, length: number): boolean {
  const squares = arrayOf(sums, 2).subarray(to, to + length);
  const counts = sums.count.subarray(to, to + length);
  const [ownSquares, ownCounts] = [arrayOf(state, 2).subarray(from), state.count.subarray(from)];
  for (let i = 0; i < length; i++) {
    const count = defined(ownCounts[i]);
    if (count === 0) continue;
    counts[i] = defined(counts[i]) + count;
    const sum = defined(ownSquares[i]);
    if (!Number.isFinite(sum)) return false;
    squares[i] = defined(squares[i]) + sum;
  }
  return true;
}
