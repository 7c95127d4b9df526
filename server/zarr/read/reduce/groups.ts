/** Axes whose positions are mapped to groups, in any order. Pure. */
import type { DimSelection } from '../../selection/selection.js';
import type { AxisMap } from './axis-map.js';

export type GroupsMap = Extract<AxisMap, { readonly kind: 'groups' }>;

/** The number of positions in each group. */
export function groupSizes({ of, count }: GroupsMap): Float64Array {
  const sizes = new Float64Array(count);
  for (const group of of) if (group >= 0) sizes[group] = (sizes[group] ?? 0) + 1;
  return sizes;
}

/** Positions sorted by group, ascending within each group. */
export interface GroupOrder {
  readonly positions: Float64Array;
  /** Start of the positions of each group, followed by the end of the last group. */
  readonly starts: Float64Array;
}

export function groupOrder(map: GroupsMap): GroupOrder {
  const starts = new Float64Array(map.count + 1);
  groupSizes(map).forEach((size, group) => {
    starts[group + 1] = (starts[group] ?? 0) + size;
  });
  const positions = new Float64Array(starts[map.count] ?? 0);
  const next = starts.slice();
  map.of.forEach((group, position) => {
    if (group < 0) return;
    const at = next[group] ?? 0;
    positions[at] = position;
    next[group] = at + 1;
  });
  return { positions, starts };
}

/** The index of each position within its group; -1 for positions without a group. */
export function ranksInGroups({ of, count }: GroupsMap): Int32Array {
  const seen = new Int32Array(count);
  return of.map((group) => {
    if (group < 0) return -1;
    const rank = seen[group] ?? 0;
    seen[group] = rank + 1;
    return rank;
  });
}

/**
 * A subset of the groups, and the selection of the positions in these groups.
 * @param wanted ascending, without duplicates
 */
export function someGroups(
  { of, count, made }: GroupsMap,
  wanted: Float64Array,
): { readonly map: GroupsMap; readonly selection: DimSelection } {
  const numbers = new Int32Array(count).fill(-1);
  wanted.forEach((group, number) => {
    numbers[group] = number;
  });
  const numberOf = (position: number): number => numbers[of[position] ?? -1] ?? -1;
  let size = 0;
  for (let position = 0; position < of.length; position++) if (numberOf(position) >= 0) size++;
  const positions = new Float64Array(size);
  for (let position = 0, i = 0; position < of.length; position++)
    if (numberOf(position) >= 0) positions[i++] = position;
  return {
    map: {
      kind: 'groups',
      of: Int32Array.from(positions, numberOf),
      count: wanted.length,
      ...(made === undefined
        ? {}
        : { made: { ...made, chosen: wanted.map((group) => made.chosen?.[group] ?? group) } }),
    },
    selection: selectionOfPositions(positions),
  };
}

/** A selection of positions, as a range if they are consecutive. @param positions positions in any order */
export function selectionOfPositions(positions: Float64Array): DimSelection {
  const start = positions[0] ?? 0;
  const isRun = positions.every((position, i) => position === start + i);
  return isRun
    ? { kind: 'slice', start, stop: start + positions.length }
    : { kind: 'indices', indices: [...positions] };
}
