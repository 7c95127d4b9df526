/**
 * Axes whose positions are mapped to groups, in any order. Pure. An axis can have millions of positions, so each
 * function passes over them in plain loops over typed arrays, and as rarely as possible.
 */
import type { DimSelection } from '../../selection/selection.js';
import type { AxisMap } from './axis-map.js';

export type GroupsMap = Extract<AxisMap, { readonly kind: 'groups' }>;

const knownSizes = new WeakMap<Int32Array, Float64Array>();

/** The number of positions in each group. Counted once per map. */
export function groupSizes({ of, count }: GroupsMap): Float64Array {
  const known = knownSizes.get(of);
  if (known !== undefined) return known;
  const sizes = new Float64Array(count);
  for (let i = 0; i < of.length; i++) {
    const group = of[i] ?? -1;
    if (group >= 0) sizes[group] = (sizes[group] ?? 0) + 1;
  }
  knownSizes.set(of, sizes);
  return sizes;
}

/** Start of each group among positions that are sorted by group, followed by the end of the last group. */
export function groupStarts(map: GroupsMap): Float64Array {
  const starts = new Float64Array(map.count + 1);
  groupSizes(map).forEach((size, group) => {
    starts[group + 1] = (starts[group] ?? 0) + size;
  });
  return starts;
}

/** Number of positions processed between two yields. */
const STEP = 2 ** 16;

/** Positions sorted by group, ascending within each group. Yields between pieces of work. */
export function* positionsByGroup(
  { of }: GroupsMap,
  starts: Float64Array,
): Generator<void, Uint32Array, void> {
  const positions = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (let i = 0; i < of.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const group = of[i] ?? -1;
    if (group < 0) continue;
    const at = next[group] ?? 0;
    positions[at] = i;
    next[group] = at + 1;
  }
  return positions;
}

/** The index of each position within its group; -1 for positions without a group. */
export function ranksInGroups({ of, count }: GroupsMap): Int32Array {
  const seen = new Int32Array(count);
  const ranks = new Int32Array(of.length).fill(-1);
  for (let i = 0; i < of.length; i++) {
    const group = of[i] ?? -1;
    if (group < 0) continue;
    const rank = seen[group] ?? 0;
    ranks[i] = rank;
    seen[group] = rank + 1;
  }
  return ranks;
}

/**
 * Maximum number of positions that are listed individually. More are selected as a range, in which the other positions
 * have no group.
 */
export const MAX_LISTED = 2 ** 20;

/**
 * A subset of the groups, and the selection of the positions in these groups.
 * @param wanted ascending, without duplicates
 */
export function someGroups(
  map: GroupsMap,
  wanted: Float64Array,
): { readonly map: GroupsMap; readonly selection: DimSelection } {
  const { of, count, made } = map;
  if (wanted.length === count) return { map, selection: { kind: 'slice' } };
  const numbers = new Int32Array(count).fill(-1);
  for (let number = 0; number < wanted.length; number++) numbers[wanted[number] ?? 0] = number;
  const sizes = groupSizes(map);
  let size = 0;
  for (const group of wanted) size += sizes[group] ?? 0;
  let [first, last] = [-1, -1];
  for (let i = 0; i < of.length && first < 0; i++) if ((numbers[of[i] ?? -1] ?? -1) >= 0) first = i;
  for (let i = of.length - 1; i >= 0 && last < 0; i--) if ((numbers[of[i] ?? -1] ?? -1) >= 0) last = i;
  const isRun = size === 0 || last - first + 1 === size || size > MAX_LISTED;
  const [start, stop] = size === 0 ? [0, 0] : [first, last + 1];
  const own = new Int32Array(isRun ? stop - start : size);
  const positions = new Float64Array(isRun ? 0 : size);
  for (let i = start, at = 0; i < stop; i++) {
    const number = numbers[of[i] ?? -1] ?? -1;
    if (!isRun && number < 0) continue;
    if (!isRun) positions[at] = i;
    own[at++] = number;
  }
  return {
    map: {
      kind: 'groups',
      of: own,
      count: wanted.length,
      ...(made === undefined
        ? {}
        : { made: { ...made, chosen: wanted.map((group) => made.chosen?.[group] ?? group) } }),
    },
    selection: isRun ? { kind: 'slice', start, stop } : { kind: 'indices', indices: positions },
  };
}

/** A selection of positions, as a range if they are consecutive. @param positions positions in any order */
export function selectionOfPositions(positions: Uint32Array): DimSelection {
  const start = positions[0] ?? 0;
  let isRun = true;
  for (let i = 1; i < positions.length && isRun; i++) isRun = positions[i] === start + i;
  return isRun
    ? { kind: 'slice', start, stop: start + positions.length }
    : { kind: 'indices', indices: Float64Array.from(positions) };
}
