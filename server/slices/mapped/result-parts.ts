/** Divides the result of a reduction into parts whose inputs fit into memory. Pure. */
import { defined } from '../../../wire/guards.js';
import { indicesOf, sizeOf } from '../../core/bytes/shape.js';
import { chargedItemBytes } from '../../core/dtype/data-type.js';
import { MAX_LISTED } from '../../compute/groups.js';
import type { DimSelection, Selection } from '../../format/selection/selection.js';
import type { LazySlice } from '../lazy-slice.js';
import { chunkSizeAlong } from '../split-slice.js';
import { elementsAtMost, type ResultAxis, selectionOfResults } from './result-axes.js';

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
    if (chunk === undefined || map.kind === 'groups' || map.kind === 'spans') return count;
    return Math.min(count, Math.max(1, Math.floor(chunk / step / (map.kind === 'blocks' ? map.size : 1))));
  });
  // The positions of several groups are listed one by one.
  const fits = (some: readonly number[]): boolean =>
    inputBytes(some) <= heldBytes &&
    axes.every(
      ({ axis }, i) =>
        axis.order?.positions === undefined ||
        some[i] === 1 ||
        elementsAtMost(axis, some[i] ?? 1) <= MAX_LISTED,
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
