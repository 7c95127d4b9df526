/** Slices whose values are multiplied and added to, such as conversions of units. */
import { sizeOf } from '../core/bytes/shape.js';
import { destination } from '../core/bytes/values.js';
import { type Block, type FixedSizeType, isFixedSize } from '../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError, withContext } from '../core/errors.js';
import { createPause } from '../core/turns.js';
import { floatArray, floatPieces, isReal, putFloat } from '../compute/float-elements.js';
import { resultTypeOf } from '../compute/reduce/reduction.js';
import { workOf, type PlanCost } from '../format/plan/cost.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { ElementwiseSlice, framedAs } from './computed-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';

/** A product and a sum, computed in float64 and rounded once. */
export interface LinearConversion {
  readonly factor: number;
  readonly offset: number;
}

/**
 * The values times the factor, plus the offset. Integers become float64, floats keep their type. Reads nothing.
 * @throws UnsupportedError for a data type that is not a real number
 */
export function convertSlice(slice: LazySlice, conversion: LinearConversion): LazySlice {
  const dtype = isReal(slice.dtype) ? resultTypeOf('MEAN', slice.dtype) : undefined;
  if (dtype === undefined || !isFixedSize(dtype) || slice.dtype.name === 'bool')
    throw withContext(
      new UnsupportedError(`values of type ${slice.dtype.name} have no units to convert`),
      slice.where,
    );
  return new ConvertedSlice(slice, conversion, dtype);
}

/** Operations on a value: a product and a sum. */
const CONVERSION_STEPS = 2;

class ConvertedSlice extends ElementwiseSlice {
  readonly #conversion: LinearConversion;
  readonly #dtype: FixedSizeType;

  constructor(base: LazySlice, conversion: LinearConversion, dtype: FixedSizeType) {
    super(framedAs(base, { dtype }), base);
    this.#conversion = conversion;
    this.#dtype = dtype;
  }

  override get isComputed(): boolean {
    return true;
  }

  select(selection?: SelectionInput): LazySlice {
    return new ConvertedSlice(this.base.select(selection), this.#conversion, this.#dtype);
  }

  cost(): PlanCost {
    const own = this.base.cost();
    const count = sizeOf(this.shape);
    const outputBytes = count * this.#dtype.itemSize;
    return {
      ...own,
      work: own.work + count * CONVERSION_STEPS * workOf.step,
      outputBytes,
      allocatedBytes: outputBytes,
      intermediateBytes: own.intermediateBytes + own.allocatedBytes,
    };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const block = await this.base.read(options);
    const { factor, offset } = this.#conversion;
    const result = floatArray(this.#dtype, sizeOf(this.shape));
    const pause = createPause();
    for (const { values, start, count } of floatPieces(block)) {
      for (let i = 0; i < count; i++) putFloat(result, start + i, (values[i] ?? NaN) * factor + offset);
      await pause();
      throwIfAborted(options.signal);
    }
    if (out === undefined) return { dtype: this.#dtype, shape: this.shape, bytes: result.bytes };
    const bytes = destination(out, result.bytes.length);
    bytes.set(result.bytes);
    return { dtype: this.#dtype, shape: this.shape, bytes };
  }
}
