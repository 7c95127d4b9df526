/** Slices of rolling windows: reductions of windows that move along a dimension. */
import { fixedItemSize, type Block, type DataType } from '../../core/dtype/data-type.js';
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { Limits } from '../../core/limits.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import { ComputedSlice, framedAs } from '../computed-slice.js';
import { InputError, UnsupportedError, withContext } from '../../core/errors.js';
import { type AxisView, chosenPart, selectView, wholeView } from '../axis-view.js';
import type { LazySlice, SliceBlock, SliceFoldOptions, SliceStreamOptions } from '../lazy-slice.js';
import { relativeTo, wholeDim } from '../mapped-origin.js';
import { pickSlice } from '../picked-slice.js';
import { workOf, type PlanCost } from '../../format/plan/cost.js';
import { isReal } from '../../compute/float-elements.js';
import {
  hasMissing,
  reductionOf,
  type ReductionName,
  reductionsWith,
  resultTypeOf,
} from '../../compute/reduce/reduction.js';
import { weightedWindows } from '../../compute/rolling/rolling-weights.js';
import { assertDdof, positionOfDim } from '../../compute/reduce/resolve.js';
import {
  keepsRows,
  MAX_KEPT_BYTES,
  type Needed,
  neededOf,
  readRolling,
  type Rolling,
  streamRolling,
} from './read-rolling.js';
import { MAX_ALIGNED_BYTES } from '../split-slice.js';
import { HELD_ELEMENTS, usesWords } from './rolling-tiles.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { boundsOf, type RangeDim, type ResolvedDim, wrapOf } from '../../format/selection/selection.js';

export interface RollingRequest {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Length of a window in positions. */
  readonly window: number;
  /**
   * Whether a window is centred on its position instead of ending there. A window of even length has one
   * more position before its position than after it.
   * @default false
   */
  readonly center?: boolean | undefined;
  readonly by: ReductionName;
  /** Delta degrees of freedom: STD and VAR divide by the number of values minus `ddof`. @default 0 */
  readonly ddof?: number | undefined;
  /** The quantile of QUANTILE, which requires it: one number between 0 and 1. */
  readonly q?: readonly number[] | undefined;
  /**
   * Minimum number of values; results of windows with fewer values are missing.
   * @default the window's length
   */
  readonly minCount?: number | undefined;
}

export const MAX_WINDOW = 100_000;

/**
 * Creates a slice of rolling windows. Reads nothing.
 * @throws InputError, SelectionError for an invalid request; UnsupportedError for an unsupported reduction
 * or data type
 * @param weights one for each position along the dimension, for SUM and MEAN
 */
export function rollSlice(slice: LazySlice, request: RollingRequest, weights?: Float64Array): LazySlice {
  try {
    const axis = positionOfDim(request.dim, slice.dims);
    const rolling = resolveRolling(request, slice.dtype, weights);
    return new RollingSlice(wholeView(slice, axis), withinAxis(rolling, defined(slice.shape[axis])));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}

function resolveRolling(
  { by, window, center = false, ddof, q, minCount }: RollingRequest,
  source: DataType,
  weights: Float64Array | undefined,
): Rolling {
  if (!Number.isSafeInteger(window) || window < 1 || window > MAX_WINDOW)
    throw new InputError(`"window" is ${window}; expected an integer from 1 to ${MAX_WINDOW}`);
  if (minCount !== undefined && (!Number.isSafeInteger(minCount) || minCount < 1 || minCount > window))
    throw new InputError(
      `minCount is ${minCount}; expected an integer from 1 to ${window}, the length of the window`,
    );
  if (weights !== undefined) assertWindowWeights(by, ddof);
  // Weights are numbers, and so are their products with integers.
  const dtype = resultTypeOf(weights === undefined ? by : 'MEAN', source);
  const { windows, withoutValues } = reductionOf(by);
  const reduction = weights === undefined ? windows : by === 'SUM' ? weightedSums : weightedMeans;
  if (reduction === undefined)
    throw new UnsupportedError(
      `unsupported reduction ${by} for windows; the reductions are ${reductionsWith('windows').join(', ')}`,
    );
  if (!isReal(source)) throw new UnsupportedError(`windows of type ${source.name} are not supported`);
  const isNeverMissing = withoutValues === 'value';
  if (isNeverMissing && minCount !== undefined)
    throw new InputError(
      `${by} does not support minCount, because its result is never missing; omit minCount`,
    );
  assertDdof(by, ddof);
  assertQuantile(by, q);
  const least = minCount ?? window;
  if (!isNeverMissing && !hasMissing(dtype) && least > 1)
    throw new UnsupportedError(
      `incomplete windows have no result, because data type ${dtype.name} has no missing value; set minCount to 1`,
    );
  const after = center ? window - 1 - Math.floor(window / 2) : 0;
  const own = { reduction, window, after, ddof, minCount: isNeverMissing ? 0 : least, dtype };
  return { ...own, q: q?.[0], weights };
}

function assertWindowWeights(by: ReductionName, ddof: number | undefined): void {
  if (by !== 'SUM' && by !== 'MEAN')
    throw new InputError(`${by} of windows does not support weights; SUM and MEAN do`);
  assertDdof(by, ddof);
}

function assertQuantile(by: ReductionName, q: readonly number[] | undefined): void {
  if (by !== 'QUANTILE' && q !== undefined)
    throw new InputError(`${by} of windows does not accept "q"; only QUANTILE does`);
  if (by === 'QUANTILE' && !(q?.length === 1 && (q[0] ?? NaN) >= 0 && (q[0] ?? NaN) <= 1))
    throw new InputError('QUANTILE of windows requires "q" with one number from 0 to 1');
}

const weightedSums = weightedWindows(false);
const weightedMeans = weightedWindows(true);

/**
 * Shortens windows to the positions that exist on both sides of a position. The results are the same, but the cost of
 * a window grows with its length.
 */
function withinAxis(rolling: Rolling, length: number): Rolling {
  const most = Math.max(0, length - 1);
  const before = Math.min(rolling.window - 1 - rolling.after, most);
  const after = Math.min(rolling.after, most);
  return { ...rolling, window: before + 1 + after, after };
}

class RollingSlice extends ComputedSlice {
  readonly #view: AxisView;
  readonly #rolling: Rolling;
  readonly #needed: Needed;

  /** @param view view that covers consecutive positions */
  constructor(view: AxisView, rolling: Rolling) {
    const needed = neededOf(view, rolling);
    super(framedAs(chosenPart(view), { dtype: rolling.dtype }), [needed.slice]);
    this.#view = view;
    this.#rolling = rolling;
    this.#needed = needed;
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    if (resolved.kind === 'points') return pickSlice(this, resolved);
    const inner = selectView(this.#view, resolved.dims);
    const run = hullOf(inner.chosen);
    const hull = new RollingSlice({ ...inner, chosen: run }, this.#rolling);
    if (inner.chosen.kind === 'range' && inner.chosen.step === 1 && !inner.chosen.dropped) return hull;
    const dims = hull.shape.map((size, d) =>
      d === inner.axis ? relativeTo(run.start, inner.chosen) : wholeDim(size),
    );
    return pickSlice(hull, { kind: 'box', dims });
  }

  cost(): PlanCost {
    const { slice } = this.#needed;
    const { reduction, window } = this.#rolling;
    const read = slice.cost();
    const steps = sizeOf(slice.shape.slice(0, this.#view.axis + 1));
    const values = sizeOf(slice.shape);
    const outputBytes = sizeOf(this.shape) * fixedItemSize(this.dtype);
    return {
      ...read,
      work: read.work + steps * workOf.windowStep + values * Math.ceil(reduction.work(window)),
      outputBytes,
      allocatedBytes: outputBytes,
      intermediateBytes: read.intermediateBytes + heldBytes(slice, this.#rolling) + STATE_BYTES,
    };
  }

  override streamedCost(limits: Limits): PlanCost {
    return keepsRows(this, this.#view, this.#rolling) ? this.cost() : super.streamedCost(limits);
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return readRolling(this, this.#view, this.#needed, this.#rolling, options, out);
  }

  override stream(options: SliceStreamOptions = {}): AsyncIterable<SliceBlock> {
    return streamRolling(this, this.#view, this.#rolling, options);
  }
}

/** All positions from the first to the last selected one, ascending. */
export function hullOf(dim: ResolvedDim): RangeDim {
  const { start, stop } = boundsOf(dim);
  return { kind: 'range', start, step: 1, count: stop - start, dropped: false, ...wrapOf(dim) };
}

/** Upper bound on the memory of `rollRows` in bytes. */
const STATE_BYTES = 8 * 2 ** 20;

function heldBytes(needed: LazySlice, { reduction }: Rolling): number {
  const { allocatedBytes } = needed.cost();
  // A float64 per element; for 64-bit integers both words, and the sums of the upper words.
  const workBytes = usesWords(reduction, needed.dtype) ? 24 : 8;
  const tile = Math.min(allocatedBytes + workBytes * sizeOf(needed.shape), (8 + workBytes) * HELD_ELEMENTS);
  return tile + Math.min(allocatedBytes, MAX_KEPT_BYTES + MAX_ALIGNED_BYTES);
}
