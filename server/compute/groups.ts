/**
 * Axes whose positions are mapped to groups, in any order. Pure. An axis can have millions of positions, so each
 * function passes over them in plain loops over typed arrays, and as rarely as possible.
 */
import type { DimSelection } from '../format/selection/selection.js';
import { runToEnd } from '../core/turns.js';
import { type AxisMap, groupOf, mappedLength } from './axis-map.js';

export type GroupsMap = Extract<AxisMap, { readonly kind: 'groups' }>;
/** Groups of consecutive positions, in ascending order. */
export type SpansMap = Extract<AxisMap, { readonly kind: 'spans' }>;

/** The members of each group: their number, and the first and the last position; -1 for a group without members. */
interface GroupMembers {
  readonly sizes: Float64Array;
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
}

/** Memory of `GroupMembers` for each group, in bytes. */
export const MEMBERS_BYTES = 24;

/** By the list of groups. Each list belongs to one map. */
const knownMembers = new WeakMap<Int32Array, GroupMembers>();

/**
 * Counts the members of each group, once per map. Run it in turns before the map is used: other functions of this file
 * would count them at once. Yields between pieces of work.
 */
export function* countMembers(map: GroupsMap): Generator<void, GroupMembers, void> {
  const { of, count } = map;
  const known = knownMembers.get(of);
  if (known !== undefined) return known;
  const sizes = new Float64Array(count);
  const [firsts, lasts] = [new Float64Array(count).fill(-1), new Float64Array(count).fill(-1)];
  for (let i = 0; i < of.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const group = groupOf(map, i);
    if (group < 0) continue;
    if (sizes[group] === 0) firsts[group] = i;
    sizes[group] = sizes[group] + 1;
    lasts[group] = i;
  }
  const members = { sizes, firsts, lasts };
  knownMembers.set(of, members);
  return members;
}

/** The number of positions in each group. */
export function groupSizes(map: GroupsMap | SpansMap): Float64Array {
  if (map.kind === 'groups') return runToEnd(countMembers(map)).sizes;
  const sizes = new Float64Array(mappedLength(map, 0));
  for (let k = 0; k < sizes.length; k++) sizes[k] = map.starts[k + 1] - map.starts[k];
  return sizes;
}

/** The same groups as a list, with the group of each of `length` positions. Yields between pieces of work. */
export function* listSpans({ starts, made }: SpansMap, length: number): Generator<void, GroupsMap, void> {
  const of = new Int32Array(length).fill(-1);
  for (let k = 0; k + 1 < starts.length; k++) {
    of.fill(k, starts[k], starts[k + 1]);
    if (k % SPANS === SPANS - 1) yield;
  }
  const map = { kind: 'groups', of, count: Math.max(0, starts.length - 1), made } as const;
  yield* countMembers(map);
  return map;
}

/** Number of spans that are listed between two yields. */
const SPANS = 4096;

/** Start of each group among positions that are sorted by group, followed by the end of the last group. */
export function groupStarts(map: GroupsMap): Float64Array {
  const starts = new Float64Array(map.count + 1);
  groupSizes(map).forEach((size, group) => {
    starts[group + 1] = starts[group] + size;
  });
  return starts;
}

/** Number of positions processed between two yields. */
const STEP = 2 ** 16;

/** Positions sorted by group, ascending within each group. Yields between pieces of work. */
export function* positionsByGroup(map: GroupsMap, starts: Float64Array): Generator<void, Uint32Array, void> {
  const positions = new Uint32Array(starts[starts.length - 1]);
  const next = starts.slice();
  for (let i = 0; i < map.of.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const group = groupOf(map, i);
    if (group < 0) continue;
    const at = next[group];
    positions[at] = i;
    next[group] = at + 1;
  }
  return positions;
}

/** The index of each position within its group; -1 for positions without a group. Yields between pieces of work. */
export function* ranksInGroups(map: GroupsMap): Generator<void, Int32Array, void> {
  const seen = new Int32Array(map.count);
  const ranks = new Int32Array(map.of.length).fill(-1);
  for (let i = 0; i < ranks.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const group = groupOf(map, i);
    if (group < 0) continue;
    const rank = seen[group];
    ranks[i] = rank;
    seen[group] = rank + 1;
  }
  return ranks;
}

/**
 * Maximum number of positions that are listed individually. More are selected as a range, in which the other positions
 * have no group.
 */
export const MAX_LISTED = 2 ** 18;

/** Number of positions above which the groups of a range are not copied. Lists of groups are copied to other threads. */
const MAX_COPIED = 2 ** 18;

/**
 * A subset of the groups, and the selection of the positions in these groups. Yields between pieces of work; takes few
 * steps unless the positions are listed.
 * @param wanted ascending, without duplicates
 */
export function* someGroups(
  map: GroupsMap,
  wanted: Float64Array,
): Generator<void, { readonly map: GroupsMap; readonly selection: DimSelection }, void> {
  const { count, made } = map;
  if (wanted.length === count) return { map, selection: { kind: 'slice' } };
  const members = yield* countMembers(map);
  const numbers = new Int32Array(count).fill(-1);
  for (let number = 0; number < wanted.length; number++) numbers[wanted[number]] = number;
  let [size, first, last] = [0, Infinity, -1];
  for (const group of wanted) {
    if (members.sizes[group] === 0) continue;
    size += members.sizes[group];
    first = Math.min(first, members.firsts[group]);
    last = Math.max(last, members.lasts[group]);
  }
  const [start, stop] = size === 0 ? [0, 0] : [first, last + 1];
  const isRun = stop - start === size || size > MAX_LISTED;
  const { own, positions } = isRun
    ? { own: rangeOfGroups(map, numbers, start, stop), positions: undefined }
    : yield* listedGroups(map, numbers, { start, stop, size });
  // Otherwise they would be counted again, at once.
  if (isRun) knownMembers.set(own.of, membersOf(members, wanted, start));
  return {
    map: {
      kind: 'groups',
      ...own,
      count: wanted.length,
      ...(made === undefined
        ? {}
        : { made: { ...made, chosen: wanted.map((group) => made.chosen?.[group] ?? group) } }),
    },
    selection:
      positions === undefined ? { kind: 'slice', start, stop } : { kind: 'indices', indices: positions },
  };
}

/** The members of some groups, at positions from `start` on. */
function membersOf(all: GroupMembers, wanted: Float64Array, start: number): GroupMembers {
  const sizes = new Float64Array(wanted.length);
  const [firsts, lasts] = [
    new Float64Array(wanted.length).fill(-1),
    new Float64Array(wanted.length).fill(-1),
  ];
  for (let k = 0; k < wanted.length; k++) {
    const group = wanted[k];
    sizes[k] = all.sizes[group];
    if (sizes[k] === 0) continue;
    firsts[k] = all.firsts[group] - start;
    lasts[k] = all.lasts[group] - start;
  }
  return { sizes, firsts, lasts };
}

type GroupList = Pick<GroupsMap, 'of' | 'renumbered'>;

/** The groups of a range of positions, under other numbers. */
function rangeOfGroups(map: GroupsMap, numbers: Int32Array, start: number, stop: number): GroupList {
  const own = map.of.subarray(start, stop);
  const { renumbered } = map;
  const both = renumbered === undefined ? numbers : renumbered.map((group) => numbers[group] ?? -1);
  if (own.length > MAX_COPIED) return { of: own, renumbered: both };
  return { of: own.map((group) => both[group] ?? -1) };
}

/** The positions of groups between two positions, and the groups of these, under other numbers. */
function* listedGroups(
  map: GroupsMap,
  numbers: Int32Array,
  { start, stop, size }: { readonly start: number; readonly stop: number; readonly size: number },
): Generator<void, { readonly own: GroupList; readonly positions: Float64Array }, void> {
  const of = new Int32Array(size);
  const positions = new Float64Array(size);
  for (let i = start, at = 0; i < stop; i++) {
    if (i % STEP === STEP - 1) yield;
    const number = numbers[groupOf(map, i)] ?? -1;
    if (number < 0) continue;
    positions[at] = i;
    of[at++] = number;
  }
  return { own: { of }, positions };
}

/**
 * A subset of the spans, and the selection of the positions in them.
 * @param wanted ascending, without duplicates
 */
export function someSpans(
  { starts, made }: SpansMap,
  wanted: Float64Array,
): { readonly map: GroupsMap | SpansMap; readonly selection: DimSelection } {
  const chosen =
    made === undefined ? {} : { made: { ...made, chosen: wanted.map((k) => made.chosen?.[k] ?? k) } };
  if (wanted.length === 0)
    return { map: { kind: 'spans', starts: Float64Array.of(0), ...chosen }, selection: { kind: 'slice', stop: 0 } }; // prettier-ignore
  const [first, last] = [wanted[0], wanted[wanted.length - 1]];
  const [start, stop] = [starts[first], starts[last + 1]];
  if (last - first === wanted.length - 1) {
    const own = starts.slice(first, last + 2);
    for (let k = 0; k < own.length; k++) own[k] -= start;
    return { map: { kind: 'spans', starts: own, ...chosen }, selection: { kind: 'slice', start, stop } };
  }
  let size = 0;
  for (const k of wanted) size += starts[k + 1] - starts[k];
  if (size > MAX_LISTED) {
    const of = new Int32Array(stop - start).fill(-1);
    wanted.forEach((k, number) => of.fill(number, starts[k] - start, starts[k + 1] - start));
    return { map: { kind: 'groups', of, count: wanted.length, ...chosen }, selection: { kind: 'slice', start, stop } }; // prettier-ignore
  }
  const [own, indices] = [new Float64Array(wanted.length + 1), new Float64Array(size)];
  wanted.forEach((k, number) => {
    const count = starts[k + 1] - starts[k];
    for (let i = 0; i < count; i++) indices[own[number] + i] = starts[k] + i;
    own[number + 1] = own[number] + count;
  });
  return { map: { kind: 'spans', starts: own, ...chosen }, selection: { kind: 'indices', indices } };
}

/** A selection of positions, as a range if they are consecutive. @param positions positions in any order */
export function selectionOfPositions(positions: Uint32Array): DimSelection {
  const start = positions.length === 0 ? 0 : positions[0];
  let isRun = true;
  for (let i = 1; i < positions.length && isRun; i++) isRun = positions[i] === start + i;
  return isRun
    ? { kind: 'slice', start, stop: start + positions.length }
    : { kind: 'indices', indices: Float64Array.from(positions) };
}
