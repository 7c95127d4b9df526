/**
 * Variances of anomalies over all members of their groups in one pass: the squared deviations of the groups, added up. The
 * mean of a group's anomalies is 0.
 */
import { sizeOf } from '../../bytes/shape.js';
import { throwIfAborted } from '../../errors.js';
import { mappedAxes, mappedLength, placeAxis } from '../../read/reduce/axis-map.js';
import { type Fold, slotFold } from '../../read/reduce/fold.js';
import type { GroupsMap } from '../../read/reduce/groups.js';
import { arrayOf, createState, type ReduceState } from '../../read/reduce/state.js';
import { createPause } from '../../turns.js';
import { foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';
import type { AxisView } from './axis-view.js';

/** Whether the view has all positions along its axis, in order. */
export function isWholeAxis({ source, axis, chosen }: AxisView): boolean {
  if (chosen.kind !== 'range' || chosen.dropped) return false;
  return chosen.start === 0 && chosen.step === 1 && chosen.count === source.shape[axis];
}

/**
 * @param slice the anomalies
 * @param view all positions: see `isWholeAxis`
 * @param fold of moments, over the axis of the groups; keeps the other axes
 * @returns undefined if a value is infinite: some anomalies are then missing
 */
export async function foldDeviations<T>(
  slice: LazySlice,
  { source, axis }: AxisView,
  map: GroupsMap,
  fold: Fold<T>,
  options: SliceFoldOptions,
): Promise<T | undefined> {
  const maps = fold.maps.map((one, d) => (d === axis ? map : one));
  const state = await foldSlice(
    source,
    slotFold({ kind: 'moments' }, maps, source.shape, source.dtype),
    options,
  );
  const lengths = maps.map((one, d) => mappedLength(one, source.shape[d] ?? 1));
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
  const axes = mappedAxes(fold.maps, slice.shape).map((one, d) => placeAxis(one, { start: 0, step: 1, count: slice.shape[d] ?? 1 })); // prettier-ignore
  const { dtype } = slice;
  for (const _ of total.add(sums, axes, { dtype, transform: undefined, itemSize: dtype.itemSize })) {
    await pause();
    throwIfAborted(options.signal);
  }
  return total.finish();
}

/** Adds the counts and squared deviations of a group; means stay 0. @returns whether all are finite */
function addGroup(sums: ReduceState, to: number, state: ReduceState, from: number, length: number): boolean {
  const squares = arrayOf(sums, 2).subarray(to, to + length);
  const counts = sums.count.subarray(to, to + length);
  const [ownSquares, ownCounts] = [arrayOf(state, 2).subarray(from), state.count.subarray(from)];
  for (let i = 0; i < length; i++) {
    const count = ownCounts[i] ?? 0;
    if (count === 0) continue;
    counts[i] = (counts[i] ?? 0) + count;
    const sum = ownSquares[i] ?? 0;
    if (!Number.isFinite(sum)) return false;
    squares[i] = (squares[i] ?? 0) + sum;
  }
  return true;
}
