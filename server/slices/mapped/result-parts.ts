/** Divides the result of a reduction into parts whose inputs fit into memory. Pure. */
import { defined } from '../../../wire/guards.js';
import { indicesOf } from '../../core/bytes/shape.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { chargedItemBytes } from '../../core/dtype/data-type.js';
import type { AxisMap } from '../../compute/axis-map.js';
import {
  groupSizes,
  groupStarts,
  MAX_LISTED,
  positionsByGroup,
  selectionOfPositions,
} from '../../compute/groups.js';
import type { DimSelection, Selection } from '../../format/selection/selection.js';
import type { LazySlice } from '../lazy-slice.js';
import { chunkSizeAlong } from '../split-slice.js';

export interface MappedPart {
  /** The input elements of the part. */
  readonly selection: Selection;
  /** Start (inclusive) and end (exclusive) of the results along each axis. */
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Whether the input fits into memory. If not, the part is a single result. */
  readonly isHeld: boolean;
}

/** Assumed size of a value of variable length, in bytes. */
const VARIABLE_BYTES = 64;

/** @param all all axes of the input @param counts shape of the result */
export function* partsOfResult(
  input: LazySlice,
  all: readonly ResultAxis[],
  counts: readonly number[],
  heldBytes: number,
): Generator<MappedPart> {
  if (sizeOf(counts) === 0) return;
  const axes = all.flatMap((axis, d) => (axis.map.kind === 'all' ? [] : [{ axis, d }]));
  const itemBytes = input.dtype.itemSize === null ? VARIABLE_BYTES : chargedItemBytes(input.dtype);
  const fixed = sizeOf(all.map(({ map, length }) => (map.kind === 'all' ? length : 1))) * itemBytes;
  const inputBytes = (extents: readonly number[]): number =>
    axes.reduce((product, { axis }, i) => product * elementsAtMost(axis, extents[i] ?? 1), fixed);
  const extents = fittingExtents(input, axes, counts, inputBytes, heldBytes);
  const isHeld = inputBytes(extents) <= heldBytes;
  for (const part of indicesOf(counts.map((count, i) => Math.ceil(count / (extents[i] ?? 1))))) {
    const start = part.map((index, i) => index * (extents[i] ?? 1));
    const dims = all.map((): DimSelection => ({ kind: 'slice' }));
    const end = start.map((first, i) => Math.min(defined(counts[i]), first + (extents[i] ?? 1)));
    axes.forEach(({ axis, d }, i) => {
      dims[d] = selectionOfResults(axis, defined(start[i]), defined(end[i]));
    });
    yield { selection: { kind: 'dims', dims }, start, end, isHeld };
  }
}

interface PlacedAxis {
  readonly axis: ResultAxis;
  /** Index of the axis in the input. */
  readonly d: number;
}

/** The number of results along each axis: whole chunks if possible, so that few are decoded twice. */
function fittingExtents(
  input: LazySlice,
  axes: readonly PlacedAxis[],
  counts: readonly number[],
  inputBytes: (extents: readonly number[]) => number,
  heldBytes: number,
): number[] {
  const extents = axes.map(({ axis: { map }, d }, i) => {
    const [count, step] = [counts[i] ?? 1, Math.abs(input.dims[d]?.step ?? 1)];
    const chunk = chunkSizeAlong(input, d);
    // Parts are not aligned to chunks, because members of a group may be in any chunk.
    if (chunk === undefined || map.kind === 'groups') return count;
    return Math.min(count, Math.max(1, Math.floor(chunk / step / (map.kind === 'blocks' ? map.size : 1))));
  });
  // The positions of several groups are listed one by one.
  const fits = (some: readonly number[]): boolean =>
    inputBytes(some) <= heldBytes &&
    axes.every(
      ({ axis }, i) =>
        axis.order === undefined || some[i] === 1 || elementsAtMost(axis, some[i] ?? 1) <= MAX_LISTED,
    );
  for (;;) {
    const largest = extents.reduce((best, extent, i) => (extent > defined(extents[best]) ? i : best), 0);
    if (fits(extents) || (extents[largest] ?? 1) <= 1) break;
    extents[largest] = Math.ceil((extents[largest] ?? 1) / 2);
  }
  for (let i = extents.length - 1; i >= 0; i--) {
    const whole = (): number[] => extents.with(i, Math.min(counts[i] ?? 1, 2 * (extents[i] ?? 1)));
    while ((extents[i] ?? 1) < (counts[i] ?? 1) && fits(whole())) extents[i] = whole()[i] ?? 1;
  }
  return extents;
}

// Maps results along one axis to the elements of the input.

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
function selectionOfResults({ map, length, order }: ResultAxis, first: number, last: number): DimSelection {
  if (map.kind === 'all') return { kind: 'slice' };
  if (order !== undefined)
    return selectionOfPositions(
      order.positions.subarray(defined(order.starts[first]), defined(order.starts[last])),
    );
  const size = map.kind === 'blocks' ? map.size : 1;
  return { kind: 'slice', start: first * size, stop: Math.min(length, last * size) };
}
