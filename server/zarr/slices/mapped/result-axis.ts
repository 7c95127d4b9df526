/** Maps results along one axis to the elements of the input. Pure. */
import type { AxisMap } from '../../read/reduce/axis-map.js';
import { groupOrder, type GroupOrder, selectionOfPositions } from '../../read/reduce/groups.js';
import type { DimSelection } from '../../selection/selection.js';

export interface ResultAxis {
  /** 'keep', 'all', 'blocks' or 'groups'. */
  readonly map: AxisMap;
  /** Length of the input's axis. */
  readonly length: number;
  /** For groups only. */
  readonly order: GroupOrder | undefined;
}

export function resultAxes(maps: readonly AxisMap[], lengths: readonly number[]): ResultAxis[] {
  return maps.map((map, d) => ({
    map,
    length: lengths[d] ?? 1,
    order: map.kind === 'groups' ? groupOrder(map) : undefined,
  }));
}

/** Number of input elements of the results `first` (inclusive) to `last` (exclusive). */
export function elementsBetween({ map, length, order }: ResultAxis, first: number, last: number): number {
  if (map.kind === 'all') return length;
  const startOf = (result: number): number =>
    order === undefined
      ? Math.min(length, result * (map.kind === 'blocks' ? map.size : 1))
      : (order.starts[result] ?? 0);
  return startOf(last) - startOf(first);
}

/** Upper bound on the input elements of consecutive results. */
export function elementsAtMost({ map, length, order }: ResultAxis, results: number): number {
  if (map.kind === 'all') return length;
  if (order === undefined) return Math.min(length, results * (map.kind === 'blocks' ? map.size : 1));
  const largest = order.starts.reduce((most, start, k) => Math.max(most, start - (order.starts[k - 1] ?? 0)), 0); // prettier-ignore
  return Math.min(order.positions.length, results * largest);
}

/** The elements of the results, one result after the other. */
export function selectionOfResults(
  { map, length, order }: ResultAxis,
  first: number,
  last: number,
): DimSelection {
  if (map.kind === 'all') return { kind: 'slice' };
  if (order !== undefined)
    return selectionOfPositions(order.positions.subarray(order.starts[first] ?? 0, order.starts[last] ?? 0));
  const size = map.kind === 'blocks' ? map.size : 1;
  return { kind: 'slice', start: first * size, stop: Math.min(length, last * size) };
}
