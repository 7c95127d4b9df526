/** Slices interpolated linearly along some dimensions of another slice. */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { toTypedArray } from '../../core/dtype/arrays.js';
import {
  type Block,
  fixedItemSize,
  type FixedSizeType,
  isFixedSize,
  numberType,
} from '../../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError } from '../../core/errors.js';
import {
  bytesToPlan,
  gatherPlan,
  type GatherPlan,
  type InterpolatedAxis,
  type InterpolatedDim,
  isBetween,
} from './interpolation-plan.js';
import type { LazySlice, SliceDim, SliceOrigin, SliceFoldOptions, SlicePreparation } from '../lazy-slice.js';
import { wholeDim } from '../mapped-origin.js';
import { anonymousOrigin, pickSlice } from '../picked-slice.js';
import { workOf, type PlanCost } from '../../format/plan/cost.js';
import { isRealName } from '../../format/plan/element-transform.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import {
  dimSelectionOf,
  type ResolvedDim,
  type ResolvedSelection,
  wrapOf,
} from '../../format/selection/selection.js';
import { composedWrap } from '../../format/selection/compose.js';
import { createPause, runToEnd } from '../../core/turns.js';
import { ComputedSlice, framedAs, joinedPreparation } from '../computed-slice.js';
import { destination } from '../../core/bytes/values.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import {
  copyRow,
  interpolateRow,
  loadBetween,
  loadRow,
  type RowNeighbours,
} from '../../compute/interpolate-rows.js';
import type { SelectionInput } from '../../format/selection/plain.js';

const float64 = numberType('float64');

/**
 * Interpolates a slice. Values are float64, and NaN outside the labels and next to missing values. Reads
 * nothing.
 * @param dims dimensions with disjoint axes
 * @throws UnsupportedError for values that are not real numbers
 */
export function interpolateSlice(input: LazySlice, dims: readonly InterpolatedDim[]): LazySlice {
  if (!isRealName(input.dtype.name) && input.dtype.name !== 'bool')
    throw new UnsupportedError(
      `cannot interpolate values of type ${input.dtype.name}; only real numbers and booleans are supported`,
    );
  return new InterpolatedSlice(input, dims);
}

/**
 * The values at positions along several dimensions, which become one. Reads nothing.
 * @param dim a dimension whose results are at positions
 * @throws UnsupportedError for values of variable length
 */
export function takePositions(input: LazySlice, dim: InterpolatedDim): LazySlice {
  if (!isFixedSize(input.dtype))
    throw new UnsupportedError(`values of type ${input.dtypeName} at several positions are not supported`);
  return new InterpolatedSlice(input, [dim], { dtype: input.dtype });
}

interface InterpolatedOptions {
  readonly origin?: SliceOrigin | undefined;
  /** The type of values that are taken without interpolation; undefined to interpolate. */
  readonly dtype?: FixedSizeType | undefined;
}

class InterpolatedSlice extends ComputedSlice {
  readonly #input: LazySlice;
  readonly #interpolated: readonly InterpolatedDim[];
  readonly #layout: readonly LayoutDim[];
  #known: GatherPlan | undefined;

  readonly #taken: FixedSizeType | undefined;

  constructor(
    input: LazySlice,
    interpolated: readonly InterpolatedDim[],
    { origin, dtype }: InterpolatedOptions = {},
  ) {
    const layout = layoutOf(input, interpolated);
    const shape = layout.flatMap((dim) =>
      'made' in dim ? (dim.made.dropped ? [] : [dim.made.count]) : [input.shape[dim.kept] ?? 1],
    );
    const dims = layout.flatMap((dim): SliceDim[] => {
      if ('kept' in dim) return input.dims.slice(dim.kept, dim.kept + 1);
      const { name, count: size, dropped } = dim.made;
      return dropped ? [] : [{ name, size, chunks: undefined, start: undefined, step: undefined }];
    });
    super(
      framedAs(input, {
        dtype: dtype ?? float64,
        origin: origin ?? originOf(input, interpolated, shape),
        shape,
        dims,
      }),
      [input],
    );
    this.#input = input;
    this.#interpolated = interpolated;
    this.#layout = layout;
    this.#taken = dtype;
  }

  get #plan(): GatherPlan {
    return (this.#known ??= runToEnd(gatherPlan(this.#input, this.#interpolated)));
  }

  override get preparation(): SlicePreparation | undefined {
    const own = this.#known === undefined ? this.#makePlan() : undefined;
    return joinedPreparation([super.preparation, own]);
  }

  #makePlan(): SlicePreparation {
    const steps = function* (this: InterpolatedSlice): Generator<void, void, void> {
      this.#known ??= yield* gatherPlan(this.#input, this.#interpolated);
    };
    return { bytes: bytesToPlan(this.#input, this.#interpolated), steps: steps.bind(this) };
  }

  select(selection?: SelectionInput): LazySlice {
    return selectInterpolated(
      this,
      this.#input,
      this.#layout,
      resolveSelection(selection, this.dims),
      this.#taken,
    );
  }

  cost(): PlanCost {
    const own = this.#plan.part.cost();
    const corners = 2 ** this.#interpolated.flatMap(({ axes }) => axes).filter(isBetween).length;
    const outputBytes = sizeOf(this.shape) * fixedItemSize(this.dtype);
    const intermediateBytes = own.intermediateBytes + 2 * own.allocatedBytes;
    // A reduction also computes all results, so they count as decoded.
    const decodedBytes = own.decodedBytes + outputBytes * corners;
    const work = own.work + sizeOf(this.shape) * corners * workOf.neighbour;
    return { ...own, work, decodedBytes, outputBytes, allocatedBytes: outputBytes, intermediateBytes };
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const bytes = destination(out, sizeOf(this.shape) * fixedItemSize(this.dtype));
    return readInterpolated(
      this.#input,
      this.#interpolated,
      this.#layout,
      this.#plan,
      { dtype: this.#taken, shape: this.shape, bytes },
      options,
    );
  }
}

/**
 * A dimension of the result: an unchanged dimension of the input, or a new dimension that replaces others. In
 * the order of the result.
 */
type LayoutDim = { readonly kept: number } | { readonly made: InterpolatedDim };

function layoutOf({ dims: inputDims }: LazySlice, dims: readonly InterpolatedDim[]): LayoutDim[] {
  return inputDims.flatMap((_, d): LayoutDim[] => {
    const made = dims.find(({ axes }) => axes.some(({ axis }) => axis === d));
    if (made === undefined) return [{ kept: d }];
    return Math.min(...made.axes.map(({ axis }) => axis)) === d ? [{ made }] : [];
  });
}

function selectInterpolated(
  slice: LazySlice,
  input: LazySlice,
  layout: readonly LayoutDim[],
  selection: ResolvedSelection,
  dtype: FixedSizeType | undefined,
): LazySlice {
  if (selection.kind === 'points') {
    const { origin } = pickSlice(slice, selection);
    return new InterpolatedSlice(input, [pointsOf(layout, selection)], { origin, dtype });
  }
  const left = [...selection.dims];
  const onInput: ResolvedDim[] = input.shape.map(wholeDim);
  const interpolated: InterpolatedDim[] = [];
  for (const dim of layout) {
    const chosen = 'made' in dim && dim.made.dropped ? undefined : left.shift();
    if ('kept' in dim) onInput[dim.kept] = chosen ?? wholeDim(input.shape[dim.kept] ?? 1);
    else interpolated.push(chosen === undefined ? dim.made : partOf(dim.made, chosen));
  }
  const stays = (axis: number): number => onInput.slice(0, axis).filter(({ dropped }) => !dropped).length;
  return new InterpolatedSlice(
    input.select({ kind: 'dims', dims: onInput.map(dimSelectionOf) }),
    interpolated.map((dim) => ({
      ...dim,
      axes: dim.axes.map((along) => ({ ...along, axis: stays(along.axis) })),
    })),
    { dtype },
  );
}

/** Treats the selected results as points, so that only their neighbours are read. */
function pointsOf(
  layout: readonly LayoutDim[],
  { at, count, dropped }: Extract<ResolvedSelection, { readonly kind: 'points' }>,
): InterpolatedDim {
  const remaining = [...at];
  const axes = layout.flatMap((dim): readonly InterpolatedAxis[] => {
    if ('kept' in dim) {
      const own = remaining.shift() ?? new Float64Array(count);
      return [{ axis: dim.kept, below: own, above: own, share: new Float64Array(count) }];
    }
    const positions = dim.made.dropped ? new Float64Array(count) : (remaining.shift() ?? new Float64Array(count));
    return axesAt(dim.made, positions);
  });
  return { name: null, made: undefined, axes, count, dropped };
} // prettier-ignore

function axesAt({ axes }: InterpolatedDim, positions: Float64Array): InterpolatedAxis[] {
  const of = (numbers: Float64Array): Float64Array => positions.map((position) => numbers[position] ?? NaN);
  return axes.map(({ axis, below, above, share }) => ({
    axis,
    below: of(below),
    above: of(above),
    share: of(share),
  }));
}

function partOf(dim: InterpolatedDim, chosen: ResolvedDim): InterpolatedDim {
  const positions =
    chosen.kind === 'list'
      ? chosen.at
      : Float64Array.from({ length: chosen.count }, (_, i) => chosen.start + i * chosen.step);
  return {
    ...dim,
    axes: axesAt(dim, positions),
    count: positions.length,
    dropped: chosen.dropped,
    ...composedWrap(dim, chosen),
    made:
      dim.made === undefined
        ? undefined
        : { ...dim.made, chosen: positions.map((position) => dim.made?.chosen?.[position] ?? position) },
  };
}

function originOf(
  { origin }: LazySlice,
  dims: readonly InterpolatedDim[],
  shape: readonly number[],
): SliceOrigin {
  const { selection } = origin;
  if (selection.kind === 'points') return anonymousOrigin(shape);
  const first = new Map(dims.map((dim) => [Math.min(...dim.axes.map(({ axis }) => axis)), dim]));
  const replaced = new Set(dims.flatMap(({ axes }) => axes.map(({ axis }) => axis)));
  const kept = selection.dims.flatMap((dim, axis) => (dim.dropped ? [] : [axis]));
  const madeAt = (axis: number): InterpolatedDim | undefined => first.get(kept.indexOf(axis));
  const axes = [...selection.dims.keys()].filter((axis) => {
    const made = madeAt(axis);
    return made !== undefined || !replaced.has(kept.indexOf(axis));
  });
  const { coarsened } = origin;
  return {
    dimensionNames: axes.map((axis) =>
      madeAt(axis) === undefined ? (origin.dimensionNames[axis] ?? null) : null,
    ),
    shape: axes.map((axis) => madeAt(axis)?.count ?? origin.shape[axis] ?? 1),
    chunks: axes.map((axis) => (madeAt(axis) === undefined ? origin.chunks[axis] : undefined)),
    selection: {
      kind: 'box',
      dims: axes.map((axis): ResolvedDim => {
        const made = madeAt(axis);
        return made === undefined
          ? (selection.dims[axis] ?? wholeDim(1))
          : { kind: 'range', start: 0, step: 1, count: made.count, dropped: made.dropped, ...wrapOf(made) };
      }),
    },
    ...(coarsened === undefined
      ? {}
      : { coarsened: axes.map((axis) => (madeAt(axis) === undefined ? coarsened[axis] : undefined)) }),
    made: axes.map((axis) => {
      const made = madeAt(axis);
      return made === undefined ? origin.made?.[axis] : made.made;
    }),
  };
}

/** Maximum number of results of a row, and number of results computed between two checks of the clock. */
const STEP = 4096;

interface Destination {
  readonly dtype: FixedSizeType | undefined;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

async function readInterpolated(
  input: LazySlice,
  dims: readonly InterpolatedDim[],
  layout: readonly LayoutDim[],
  plan: GatherPlan,
  { dtype, shape, bytes }: Destination,
  { signal, ...options }: SliceFoldOptions,
): Promise<Block> {
  const block = await plan.part.read({ signal, ...options });
  if (!('bytes' in block)) throw new TypeError('values have a fixed size');
  const total = sizeOf(shape);
  const element = new Float64Array(input.shape.length);
  const results = new Map<InterpolatedDim, number>();
  // The axes are in the order of the input, so that the results of a selection are rounded like those of the
  // whole slice.
  const axes = dims
    .flatMap((dim) => dim.axes.map((along) => ({ ...along, dim })))
    .sort((a, b) => a.axis - b.axis);
  const last = dtype === undefined ? lastAxis(dims, layout, plan, element) : undefined;
  const lengths = layout.map((dim) => ('made' in dim ? dim.made.count : (input.shape[dim.kept] ?? 1)));
  const outer = layout.length - (last === undefined ? keptAtEnd(layout, element.length) : 1);
  const rowLength = sizeOf(lengths.slice(outer));
  const strides = stridesOf(lengths.slice(0, outer));
  const isAligned = bytes.byteOffset % 8 === 0;
  const target = dtype !== undefined ? new Float64Array(0) : isAligned ? new Float64Array(bytes.buffer, bytes.byteOffset, total) : new Float64Array(total); // prettier-ignore
  const values: ArrayLike<unknown> = dtype === undefined ? toTypedArray(block) : [];
  const rows = Array.from({ length: axes.length + 1 }, () => new Float64Array(Math.min(STEP, rowLength)));

  /** Interpolates a row along the axes from `axes[a]` on, at the indices of `element` along the other axes. */
  const rowFrom = (a: number, start: number, count: number): Float64Array => {
    const row = defined(rows[a]);
    const along = axes[a];
    if (along === undefined) {
      loadRow(values, plan.indexOf(element, results) + start, count, row);
      return row;
    }
    if (a === axes.length - 1 && last !== undefined) {
      element[along.axis] = last.first;
      loadBetween(values, plan.indexOf(element, results), last, start, count, row);
      return row;
    }
    const i = defined(results.get(along.dim));
    const [below = -1, above = -1, share = 0] = [along.below[i], along.above[i], along.share[i]];
    if (below < 0) return row.fill(NaN, 0, count);
    element[along.axis] = below;
    const low = rowFrom(a + 1, start, count);
    if (above === below) return low;
    copyRow(low, count, row, 0);
    element[along.axis] = above;
    interpolateRow(row, rowFrom(a + 1, start, count), share, count, row);
    return row;
  };
  const take = (at: number, start: number, count: number, itemSize: number): void => {
    for (const along of axes) element[along.axis] = defined(along.below[defined(results.get(along.dim))]);
    const from = plan.indexOf(element, results) + start;
    copyStrided(block.bytes, from * itemSize, bytes, at * itemSize, [{ count, from: itemSize, to: itemSize }], itemSize); // prettier-ignore
  };
  const pause = createPause();
  let since = 0;
  for (let n = 0; n < total; n += rowLength) {
    for (let d = 0; d < outer; d++) {
      const i = Math.floor(n / rowLength / (strides[d] ?? 1)) % (lengths[d] ?? 1);
      const dim = defined(layout[d]);
      if ('kept' in dim) element[dim.kept] = i;
      else results.set(dim.made, i);
    }
    for (let start = 0; start < rowLength; start += STEP) {
      const count = Math.min(STEP, rowLength - start);
      if (dtype === undefined) copyRow(rowFrom(0, start, count), count, target, n + start);
      else take(n + start, start, count, dtype.itemSize);
      since += count;
      if (since < STEP) continue;
      since = 0;
      await pause();
      throwIfAborted(signal);
    }
  }
  if (dtype === undefined && !isAligned) bytes.set(new Uint8Array(target.buffer));
  return { dtype: dtype ?? float64, shape, bytes };
}

/** Number of the last dimensions that are those of the input, so that their values are neighbours in both. */
function keptAtEnd(layout: readonly LayoutDim[], rank: number): number {
  let count = 0;
  for (const dim of layout.toReversed()) {
    if (!('kept' in dim) || dim.kept !== rank - 1 - count) break;
    count++;
  }
  return count;
}

/**
 * The neighbours of results along the last dimension, by their positions in a row of the part that is read.
 * @param element any element
 * @returns undefined if the last dimension is not interpolated alone, or its results are outside the input
 */
function lastAxis(
  dims: readonly InterpolatedDim[],
  layout: readonly LayoutDim[],
  plan: GatherPlan,
  element: Float64Array,
): (RowNeighbours & { readonly first: number }) | undefined {
  const dim = layout.at(-1);
  // Elements of boxes are at equal distances. Points of several axes are not in boxes.
  if (dim === undefined || !('made' in dim) || dims.some(({ axes }) => axes.length > 1)) return undefined;
  const along = defined(dim.made.axes[0]);
  if (along.axis !== element.length - 1) return undefined;
  const first = along.below.reduce((least, at) => (at >= 0 && at < least ? at : least), Infinity);
  if (first === Infinity) return undefined;
  const probe = element.slice();
  const indexAt = (position: number): number => {
    probe[along.axis] = position;
    return plan.indexOf(probe, new Map());
  };
  const base = indexAt(first);
  const placed = (positions: Float64Array): Float64Array =>
    positions.map((position, i) => (defined(along.below[i]) < 0 ? -1 : indexAt(position) - base));
  return { first, below: placed(along.below), above: placed(along.above), share: along.share };
}
