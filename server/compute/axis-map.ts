/** Maps the axes of the input to the axes of the result. Pure. Generators yield between pieces of work. */
import { assertLength } from '../core/bytes/bounds.js';
import { firstIndexWhere } from '../core/bytes/search.js';
import { runLength, type Run } from '../format/plan/parts.js';
import type { MadeDim } from './made-dim.js';
import { POSITIONS_PER_STEP, presentGroups } from './present-groups.js';

/** Maps positions along one axis of the input to positions of the result. */
export type AxisMap =
  /** Each position maps to a separate position. */
  | { readonly kind: 'keep' }
  /** All positions map to one position; the result does not have the axis. */
  | { readonly kind: 'all' }
  /** Each block of `size` neighbours maps to one position; the last block may have fewer. */
  | { readonly kind: 'blocks'; readonly size: number }
  /**
   * Positions from `starts[k]` (inclusive) to `starts[k + 1]` (exclusive) map to k; ascending. Other positions are
   * omitted.
   */
  | {
      readonly kind: 'spans';
      readonly starts: Float64Array;
      /** Labels of the spans. */
      readonly made?: MadeDim | undefined;
    }
  /** Position p maps to `of[p]`, or to `renumbered[of[p]]` if that is set, below `count`; -1 omits it. See `groupOf`. */
  | {
      readonly kind: 'groups';
      readonly of: Int32Array;
      readonly renumbered?: Int32Array | undefined;
      readonly count: number;
      /** Labels of the groups. */
      readonly made?: MadeDim | undefined;
    };

/** The groups of positions, and other numbers for them. */
interface NumberedGroups {
  readonly of: Int32Array;
  readonly renumbered?: Int32Array | undefined;
}

/** The group of a position; -1 for none. */
export function groupOf({ of, renumbered }: NumberedGroups, position: number): number {
  const group = of[position] ?? -1;
  return renumbered === undefined || group < 0 ? group : (renumbered[group] ?? -1);
}

/** Length of the result's axis; 1 if the result does not have the axis. */
export function mappedLength(map: AxisMap, length: number): number {
  switch (map.kind) {
    case 'keep':
      return length;
    case 'all':
      return 1;
    case 'blocks':
      return Math.ceil(length / map.size);
    case 'spans':
      return Math.max(0, map.starts.length - 1);
    case 'groups':
      return map.count;
  }
}

/** Shape of the result. @param lengths lengths of the mapped axes */
export function mappedShape(maps: readonly AxisMap[], lengths: readonly number[]): number[] {
  return maps.flatMap((map, d) => (map.kind === 'all' ? [] : [mappedLength(map, lengths[d])]));
}

/** An axis of the input: its map, and the strides of positions and of the result along it. */
export interface MappedAxis {
  readonly map: AxisMap;
  /** Stride of positions in C order of the reduced axes; 0 if the axis is kept. */
  readonly positionStride: number;
  /** Stride of the result's elements along the axis. */
  readonly resultStride: number;
}

/** An axis of length 1 that is not part of the result. */
export const droppedAxis: MappedAxis = { map: { kind: 'all' }, positionStride: 0, resultStride: 0 };

/**
 * Creates the axes of a mapping. Positions of elements are in C order of the reduced axes. The result is
 * plain data, without the labels of groups.
 */
export function mappedAxes(maps: readonly AxisMap[], lengths: readonly number[]): MappedAxis[] {
  let [positions, results] = [1, 1];
  const axes: MappedAxis[] = [];
  for (let d = maps.length - 1; d >= 0; d--) {
    const [map, length] = [maps[d], lengths[d]];
    axes.unshift({
      map:
        map.kind === 'groups'
          ? { kind: map.kind, of: map.of, renumbered: map.renumbered, count: map.count }
          : map.kind === 'spans'
            ? { kind: map.kind, starts: map.starts }
            : map,
      positionStride: map.kind === 'keep' ? 0 : positions,
      resultStride: map.kind === 'all' ? 0 : results,
    });
    if (map.kind !== 'keep') positions *= length;
    if (map.kind !== 'all') results *= mappedLength(map, length);
  }
  return axes;
}

/** The slots of one task along one axis; plain data. A slot is one result of the task. */
export interface TaskAxis {
  /** Positions of the elements in the selection. */
  readonly run: Run;
  readonly slots: number;
  readonly slotOf: SlotOf;
  readonly positionStride: number;
}

/** Number of slots processed between two yields. */
const SLOTS_PER_STEP = 2 ** 13;

type SlotOf =
  /** Each element has a separate slot. */
  | 'own'
  /** All elements have the same slot. */
  | 'one'
  /**
   * Start of each slot: slot k has the elements from `starts[k]` (inclusive) to `starts[k + 1]` (exclusive).
   * Elements before the first start, and those from the last start on, have no slot.
   */
  | { readonly starts: Float64Array }
  /** The slot of each element; -1 for none. */
  | { readonly list: Int32Array };

/** An axis of a task, and the position of its slots in the result. */
export interface PlacedAxis {
  readonly axis: TaskAxis;
  readonly result: Run;
  /** Stride of the result's elements along the axis. */
  readonly resultStride: number;
}

/** @param run the task's positions, ascending unless they are a list */
export function* placeAxis(
  { map, positionStride, resultStride }: MappedAxis,
  run: Run,
): Generator<void, PlacedAxis, void> {
  const make = (slots: number, slotOf: SlotOf, result: Run): PlacedAxis => ({
    axis: { run, slots, slotOf, positionStride },
    result,
    resultStride,
  });
  switch (map.kind) {
    case 'keep':
      return make(runLength(run), 'own', run);
    case 'all':
      return make(1, 'one', { start: 0, step: 1, count: 1 });
    case 'blocks':
      return 'at' in run
        ? make(...(yield* placeList(yield* listOf(run.at, (position) => Math.floor(position / map.size)))))
        : make(...(yield* placeSpans(run, (k) => k * map.size, Math.floor(run.start / map.size), Infinity)));
    case 'spans': {
      const count = map.starts.length - 1;
      const startOf = (k: number): number => map.starts[k] ?? Infinity;
      return 'at' in run
        ? make(...(yield* placeList(yield* listOf(run.at, (position) => spanAt(map.starts, position)))))
        : make(...(yield* placeSpans(run, startOf, Math.max(0, spanAt(map.starts, run.start)), count)));
    }
    case 'groups': {
      const groups = yield* groupsAt(map, run);
      const only = yield* onlyGroup(groups);
      return only >= 0
        ? make(1, 'one', { start: only, step: 1, count: 1 })
        : make(...(yield* placeList(groups)));
    }
  }
}

type Placed = [slots: number, slotOf: SlotOf, result: Run];

/**
 * Places the spans of an ascending run.
 * @param first no later than the first span with an element of the run
 */
function* placeSpans(
  { start, step, count }: Exclude<Run, { at: unknown }>,
  startOf: (k: number) => number,
  first: number,
  spans: number,
): Generator<void, Placed, void> {
  const elementAt = (position: number): number =>
    Math.min(count, Math.max(0, Math.ceil((position - start) / step)));
  const starts = [elementAt(startOf(first))];
  let k = first;
  while (k < spans && (starts.at(-1) ?? count) < count) {
    starts.push(elementAt(startOf(++k)));
    if (k % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
  return [k - first, { starts: Float64Array.from(starts) }, { start: first, step: 1, count: k - first }];
}

/** Places elements in any order. @param own the group of each element; negative for none */
function* placeList(own: Int32Array): Generator<void, Placed, void> {
  const { groups, of } = yield* presentGroups(own);
  return [groups.length, { list: of }, { at: groups }];
}

function* listOf(
  at: Float64Array,
  numberOf: (position: number) => number,
): Generator<void, Int32Array, void> {
  const list = new Int32Array(at.length);
  for (let i = 0; i < list.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    list[i] = numberOf(at[i]);
  }
  return list;
}

/** The groups at the positions of a run. */
export function* groupsAt(map: NumberedGroups, run: Run): Generator<void, Int32Array, void> {
  const isPart = map.renumbered === undefined && !('at' in run) && run.step === 1;
  if (isPart) return map.of.subarray(run.start, run.start + run.count);
  const groups = new Int32Array(runLength(run));
  for (let i = 0; i < groups.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    groups[i] = groupOf(map, positionOf(run, i));
  }
  return groups;
}

/** The group of all positions; -1 if they differ or have none. */
function* onlyGroup(groups: Int32Array): Generator<void, number, void> {
  const first = groups[0] ?? -1;
  for (let i = 1; i < groups.length; i++) {
    if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
    if (groups[i] !== first) return -1;
  }
  return first;
}

/** The last span that starts at or before a position; -1 if no span does, or if the position is after all spans. */
export function spanAt(starts: Float64Array, position: number): number {
  const after = firstIndexWhere(0, starts.length, (i) => (starts[i] ?? Infinity) > position);
  return after === starts.length ? -1 : after - 1;
}

/** Number of elements per slot; a single number if it is the same for all. */
export function* slotSizes({ run, slots, slotOf }: TaskAxis): Generator<void, Float64Array, void> {
  if (slotOf === 'own') return Float64Array.of(1);
  if (slotOf === 'one') return Float64Array.of(runLength(run));
  const sizes = new Float64Array(slots);
  if ('starts' in slotOf) {
    assertLength(slotOf.starts, slots + 1, 'the list of starts');
    for (let k = 0; k < slots; k++) sizes[k] = slotOf.starts[k + 1] - slotOf.starts[k];
  } else
    for (let i = 0; i < slotOf.list.length; i++) {
      if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
      const slot = slotOf.list[i];
      if (slot >= slots) throw new RangeError(`an element has slot ${slot}, but there are ${slots} slots`);
      if (slot >= 0) sizes[slot] = sizes[slot] + 1;
    }
  return slots > 1 && sizes.every((size) => size === sizes[0]) ? sizes.slice(0, 1) : sizes;
}

/**
 * The shares of the axis in the first and last position of each slot's elements, which are sums over all
 * axes; a single entry if the slots of the axis do not differ.
 */
export function* slotEnds({
  run,
  slots,
  slotOf,
  positionStride,
}: TaskAxis): Generator<void, { readonly first: Float64Array; readonly last: Float64Array }, void> {
  const count = slotOf === 'own' || slotOf === 'one' ? 1 : slots;
  const [first, last] = [new Float64Array(count).fill(Infinity), new Float64Array(count).fill(-Infinity)];
  if (positionStride === 0) return { first: first.fill(0), last: last.fill(0) };
  const include = (slot: number, i: number): void => {
    const position = positionOf(run, i) * positionStride;
    first[slot] = Math.min(first[slot], position);
    last[slot] = Math.max(last[slot], position);
  };
  const length = runLength(run);
  if (slotOf === 'own' || slotOf === 'one') {
    if ('at' in run) for (let i = 0; i < length; i++) include(0, i);
    else for (const i of [0, length - 1]) include(0, i);
  } else if ('starts' in slotOf) {
    for (let k = 0; k < slots; k++) {
      if (k % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
      include(k, slotOf.starts[k]);
      include(k, slotOf.starts[k + 1] - 1);
    }
  } else
    for (let i = 0; i < slotOf.list.length; i++) {
      if (i % POSITIONS_PER_STEP === POSITIONS_PER_STEP - 1) yield;
      const slot = slotOf.list[i] ?? -1;
      if (slot >= 0) include(slot, i);
    }
  return { first, last };
}

export function positionOf(run: Run, i: number): number {
  return 'at' in run ? run.at[i] : run.start + i * run.step;
}
