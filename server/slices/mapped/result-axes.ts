/** Maps results along one axis to the elements of the input. */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { AxisMap } from '../../compute/axis-map.js';
import { groupSizes, groupStarts, positionsByGroup, selectionOfPositions } from '../../compute/groups.js';
import type { DimSelection } from '../../format/selection/selection.js';

export interface ResultAxis {
  /** The mapping of positions to results. */
  readonly map: AxisMap;
  /** Length of the input's axis. */
  readonly length: number;
  /** The order of the groups; undefined without groups. */
  readonly order: GroupOrder | undefined;
}

/** Positions sorted by group, ascending within each group. */
interface GroupOrder {
  /** Undefined if the groups are consecutive positions. */
  readonly positions: Uint32Array | undefined;
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
    axes.push({ map, length: lengths[d] ?? 1, order: yield* orderOf(map) });
  }
  return axes;
}

function* orderOf(map: AxisMap): Generator<void, GroupOrder | undefined, void> {
  if (map.kind === 'spans') return { starts: map.starts, positions: undefined };
  if (map.kind !== 'groups') return undefined;
  const starts = groupStarts(map);
  return { starts, positions: yield* positionsByGroup(map, starts) };
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
    case 'spans':
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
  const members = defined(order.starts.at(-1)) - defined(order.starts[0]);
  return Math.min(members, results * largestAlong(map, length));
}

/** Selects the elements of the results, one result after the other. */
export function selectionOfResults(
  { map, length, order }: ResultAxis,
  first: number,
  last: number,
): DimSelection {
  if (map.kind === 'all') return { kind: 'slice' };
  if (order !== undefined) {
    const [start, stop] = [defined(order.starts[first]), defined(order.starts[last])];
    if (order.positions === undefined) return { kind: 'slice', start, stop };
    return selectionOfPositions(order.positions.subarray(start, stop));
  }
  const size = map.kind === 'blocks' ? map.size : 1;
  return { kind: 'slice', start: first * size, stop: Math.min(length, last * size) };
}
