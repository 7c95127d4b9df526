/** Slices on another grid: means of the cells that a cell of the result overlaps, weighted by the overlaps. */
import { defined } from '../../wire/guards.js';
import { sizeOf } from '../core/bytes/shape.js';
import { destination } from '../core/bytes/values.js';
import { type Block, type FixedSizeType, isFixedSize } from '../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError, withContext } from '../core/errors.js';
import { createPause, inTurns } from '../core/turns.js';
import type { AxisMap } from '../compute/axis-map.js';
import { floatArray, floatPieces, isReal, putFloat } from '../compute/float-elements.js';
import type { MadeDim } from '../compute/made-dim.js';
import { addOverlaps, type Overlaps, type WeightedSums } from '../compute/regrid.js';
import { resultTypeOf } from '../compute/reduce/reduction.js';
import type { PlanCost } from '../format/plan/cost.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { countOf, dimSelectionOf, type DimSelection } from '../format/selection/selection.js';
import { ComputedSlice, framedAs } from './computed-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { mappedOrigin, wholeDim } from './mapped-origin.js';
import { pickSlice } from './picked-slice.js';

/** An axis of the slice, and the cells of the result along it. */
export interface RegriddedAxis {
  readonly axis: number;
  readonly overlaps: Overlaps;
  /** The size of each cell of the result. */
  readonly sizes: Float64Array;
  readonly made: MadeDim;
}

/** Nanoseconds for each value and axis: reading it, and adding a product to the sums. */
const WORK = 10;

/**
 * @param minShare share of a cell that values must cover for a result, from 0 (any) to 1
 * @throws UnsupportedError for values that are not real numbers
 */
export function regridSlice(slice: LazySlice, axes: readonly RegriddedAxis[], minShare: number): LazySlice {
  const dtype = isReal(slice.dtype) ? resultTypeOf('MEAN', slice.dtype) : undefined;
  if (dtype === undefined || !isFixedSize(dtype))
    throw withContext(new UnsupportedError(`values of type ${slice.dtype.name} cannot be regridded`), slice.where); // prettier-ignore
  return new RegriddedSlice(slice, axes, minShare, dtype);
}

class RegriddedSlice extends ComputedSlice {
  readonly #base: LazySlice;
  readonly #axes: readonly RegriddedAxis[];
  readonly #minShare: number;
  readonly #dtype: FixedSizeType;

  constructor(base: LazySlice, axes: readonly RegriddedAxis[], minShare: number, dtype: FixedSizeType) {
    const maps = base.shape.map((_, d): AxisMap => {
      const own = axes.find(({ axis }) => axis === d);
      // The origin needs the number of cells and their labels only.
      return own === undefined ? { kind: 'keep' } : { kind: 'spans', starts: own.overlaps.starts, made: own.made }; // prettier-ignore
    });
    const shape = base.shape.map((size, d) => axes.find(({ axis }) => axis === d)?.sizes.length ?? size);
    const dims = base.dims.map((dim, d) =>
      axes.some(({ axis }) => axis === d)
        ? { name: dim.name, size: defined(shape[d]), chunks: undefined, start: undefined, step: undefined }
        : dim,
    );
    super(framedAs(base, { dtype, shape, dims, origin: mappedOrigin(base, maps, undefined) }), [base]);
    this.#base = base;
    this.#axes = axes;
    this.#minShare = minShare;
    this.#dtype = dtype;
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    if (resolved.kind === 'points') return pickSlice(this, resolved);
    const isMade = (d: number): boolean => this.#axes.some(({ axis }) => axis === d);
    const dims = resolved.dims.map((dim, d): DimSelection => isMade(d) ? { kind: 'slice' } : dimSelectionOf(dim)); // prettier-ignore
    const kept = (axis: number): number => resolved.dims.slice(0, axis).filter((dim, d) => isMade(d) || !dim.dropped).length; // prettier-ignore
    const axes = this.#axes.map((own) => ({ ...own, axis: kept(own.axis) }));
    const part = new RegriddedSlice(this.#base.select({ kind: 'dims', dims }), axes, this.#minShare, this.#dtype);
    const rest = resolved.dims.flatMap((dim, d) => (isMade(d) ? [dim] : dim.dropped ? [] : [wholeDim(countOf(dim))])); // prettier-ignore
    const isWhole = rest.every((dim, d) => dim.kind === 'range' && !dim.dropped && dim.step === 1 && dim.count === part.shape[d]); // prettier-ignore
    return isWhole ? part : pickSlice(part, { kind: 'box', dims: rest });
  } // prettier-ignore

  cost(): PlanCost {
    const own = this.#base.cost();
    const values = sizeOf(this.#base.shape);
    const outputBytes = sizeOf(this.shape) * this.#dtype.itemSize;
    return {
      ...own,
      decodedBytes: 0,
      reducedBytes: own.reducedBytes + own.decodedBytes,
      work: own.work + values * WORK * this.#axes.length,
      outputBytes,
      allocatedBytes: outputBytes,
      // Sums and sizes of the values, and of the results along the first axis.
      intermediateBytes:
        own.intermediateBytes + own.allocatedBytes + 32 * Math.max(values, sizeOf(this.shape)),
    };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const block = await this.#base.read(options);
    const count = sizeOf(this.#base.shape);
    const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
    const pause = createPause();
    for (const { values, start, count: length } of floatPieces(block)) {
      for (let i = 0; i < length; i++) {
        const value = values[i] ?? NaN;
        if (value !== value) continue;
        sums[start + i] = value;
        sizes[start + i] = 1;
      }
      await pause();
      throwIfAborted(options.signal);
    }
    let total: WeightedSums = { sums, sizes };
    let { shape } = this.#base;
    for (const { axis, overlaps, sizes: own } of this.#axes) {
      total = await inTurns(addOverlaps(total, shape, axis, overlaps), options.signal);
      shape = shape.with(axis, own.length);
    }
    const result = floatArray(this.#dtype, total.sums.length);
    for (let i = 0; i < total.sums.length; i++) {
      const size = defined(total.sizes[i]);
      const isMissing = !(size > 0) || size < this.#minShare * this.#cellSize(i) * (1 - 1e-9);
      putFloat(result, i, isMissing ? NaN : defined(total.sums[i]) / size);
      if (i % 4096 === 4095) await pause();
    }
    const bytes = destination(out, result.bytes.length);
    bytes.set(result.bytes);
    return { dtype: this.#dtype, shape: this.shape, bytes };
  }

  #cellSize(i: number): number {
    return this.#axes.reduce((size, { axis, sizes }) => {
      const stride = sizeOf(this.shape.slice(axis + 1));
      return size * defined(sizes[Math.floor(i / stride) % sizes.length]);
    }, 1);
  }
}
