/** Maps results along one axis to the elements of the input. */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { AxisMap } from '../../compute/axis-map.js';
import { groupSizes, groupStarts, positionsByGroup, selectionOfPositions } from '../../compute/groups.js';
import type { DimSelection } from '../../format/selection/selection.js';

export interface ResultAxis {
  /** The mapping: 'keep', 'all', 'blocks' or 'groups'. */
  readonly map: AxisMap;
  /** Length of the input's axis. */
  readonly length: number;
  /** The order of the groups; undefined unless the mapping is a list of groups. */
  readonly order: GroupOrder | undefined;
}

/** Positions sorted by group, ascending within each group. */
interface GroupOrder {
  readonly positions: Uint32Array;
  /** Start of the positions of each group, followed by the end of the last group. */
  readonly starts: Float64Array;
}

/** Yields between pieces of work. */
export function* resultAxes(
  maps: readonly AxisMap[],
  lengths: readonly number[],
): Generator<void, ResultAxis[], void> {
  const axes: ResultAxis[] = [];
  for (const [d, map] of maps.entries()) {
    const starts = map.kind === 'groups' ? groupStarts(map) : undefined;
    const order =
      map.kind === 'groups' && starts !== undefined
        ? { starts, positions: yield* positionsByGroup(map, starts) }
        : undefined;
    axes.push({ map, length: lengths[d] ?? 1, order });
  }
  return axes;
}

/** Maximum number of elements per result. */
export function elementsOfResult(maps: readonly AxisMap[], lengths: readonly number[]): number {
  return sizeOf(maps.map((map, d) => largestAlong(map, lengths[d] ?? 1)));
}

function largestAlong(map: AxisMap, length: number): number {
  switch (map.kind) {
    case 'all':
      return length;
    case 'groups':
      return groupSizes(map).reduce((most, size) => Math.max(most, size), 0);
    default:
      return Math.min(length, map.kind === 'blocks' ? map.size : 1);
  }
}

/** Number of input elements of the results `first` (inclusive) to `last` (exclusive). */
export function elementsBetween({ map, length, order }: ResultAxis, first: number, last: number): number {
  if (map.kind === 'all') return length;
  const startOf = (result: number): number =>
    order === undefined
      ? Math.min(length, result * (map.kind === 'blocks' ? map.size : 1))
      : defined(order.starts[result]);
  return startOf(last) - startOf(first);
}

/** Upper bound on the input elements of consecutive results. */
export function elementsAtMost({ map, length, order }: ResultAxis, results: number): number {
  if (map.kind === 'all') return length;
  if (order === undefined) return Math.min(length, results * (map.kind === 'blocks' ? map.size : 1));
  return Math.min(order.positions.length, results * largestAlong(map, length));
}

/** Selects the elements of the results, one result after the other. */
export function selectionOfResults(
  { map, length, order }: ResultAxis,
  first: number,
  last: number,
): DimSelection {
  if (map.kind === 'all') return { kind: 'slice' };
  if (order !== undefined)
    return selectionOfPositions(
      order.positions.subarray(defined(order.starts[first]), defined(order.starts[last])),
    );
  const size = map.kind === 'blocks' ? map.size : 1;
  return { kind: 'slice', start: first * size, stop: Math.min(length, last * size) };
}
