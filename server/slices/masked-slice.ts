/** Slices with missing elements according to a mask of cells along two dimensions. */
import { missingBytes, numberAccess } from '../core/dtype/number-access.js';
import { maskedName } from '../../wire/result-types.js';
import { sizeOf } from '../core/bytes/shape.js';
import { destination } from '../core/bytes/values.js';
import {
  type Block,
  type DataType,
  type FixedSizeType,
  isFixedSize,
  numberType,
} from '../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError } from '../core/errors.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { joinedPreparation, ElementwiseSlice, framedAs } from './computed-slice.js';
import { foldSlice } from './fold-slice.js';
import type { ArraySlice, LazySlice, SliceFoldOptions, SlicePreparation } from './lazy-slice.js';
import type { PlanCost } from '../format/plan/cost.js';
import { forEachOutside } from '../compute/cell-values.js';
import { type CellMask, noCells } from '../compute/cells.js';
import { hasMissing, typeNamed } from '../compute/reduce/reduction.js';
import { PIECE } from '../compute/number-planes.js';
import { boxesOf } from '../compute/elements.js';
import { applyTransform } from '../compute/transform/apply-transform.js';
import { isRealName, type NumberTransform, plainNumbers } from '../format/plan/element-transform.js';
import { resolveSelection } from '../format/selection/resolve.js';
import type { ResolvedSelection } from '../format/selection/selection.js';
import { isStored } from './slice.js';
import { createPause } from '../core/turns.js';

/** The mask of a slice. Immutable. */
export interface SliceMask {
  /** Inputs from which the mask is computed. */
  readonly inputs: readonly ArraySlice[];
  /** Extent of the mask; see `LazySlice.extent`. */
  readonly extent: LazySlice['extent'];
  /** See `LazySlice.preparation`: computes the extent. */
  readonly preparation?: SlicePreparation | undefined;
  /** Returns the cost plus the cost of computing the mask. */
  addTo(cost: PlanCost): PlanCost;
  /** The mask of a part of the slice. */
  select(selection: ResolvedSelection): SliceMask;
  /**
   * Computes the mask. Its axes are the dimensions of the slice.
   * @throws ConflictError if its inputs have changed; errors from reading them
   */
  read(options: SliceFoldOptions): Promise<CellMask>;
}

/**
 * Replaces the values outside the mask with missing values (NaN or NaT). As in xarray's `where`, integers of
 * up to 16 bits become float32, longer integers float64. Booleans become float64. Reads nothing.
 * @throws UnsupportedError for text, structs and other types without a missing value
 */
export function maskSlice(input: LazySlice, mask: SliceMask): LazySlice {
  return new MaskedSlice(input, mask, maskedType(input.dtype));
}

class MaskedSlice extends ElementwiseSlice {
  readonly #mask: SliceMask;
  readonly #dtype: FixedSizeType;
  readonly #transform: NumberTransform | undefined;

  constructor(input: LazySlice, mask: SliceMask, dtype: FixedSizeType) {
    super(framedAs(input, { dtype }), input, mask.inputs);
    this.#mask = mask;
    this.#dtype = dtype;
    this.#transform = dtype === input.dtype ? undefined : toFloats(input.dtype, dtype);
  }

  override get extent(): LazySlice['extent'] {
    return this.#mask.extent;
  }

  override get preparation(): SlicePreparation | undefined {
    return joinedPreparation([super.preparation, this.#mask.preparation]);
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    return maskSlice(this.base.select(selection), this.#mask.select(resolved));
  }

  cost(): PlanCost {
    const own = this.base.cost();
    const outputBytes = sizeOf(this.shape) * this.#dtype.itemSize;
    const intermediateBytes = own.intermediateBytes + own.allocatedBytes;
    return this.#mask.addTo({ ...own, outputBytes, allocatedBytes: outputBytes, intermediateBytes });
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return readMasked(this.base, this.#mask, this.#dtype, this.#transform, options, out);
  }

  override get fold(): LazySlice['fold'] {
    return foldOf(this.base, this.#mask, this.#transform);
  }

  override get planned(): LazySlice['planned'] {
    if (this.fold === undefined) return undefined;
    const transform = this.#transform;
    if (transform !== undefined && isStored(this.base)) return { stored: this.base, transform };
    return this.base.planned;
  }
}

/** The data type of values of which some are missing. @throws UnsupportedError if it has no missing value */
export function maskedType(dtype: DataType): FixedSizeType {
  const masked = typeNamed(maskedName(dtype.name), dtype);
  if (isFixedSize(masked) && hasMissing(masked)) return masked;
  throw new UnsupportedError(`the data type ${dtype.name} has no missing value; elements cannot be masked`);
}

/** Converts the elements of a type to those of `maskedType`. */
export function toFloats({ name }: DataType, dtype: FixedSizeType): NumberTransform {
  // Booleans are stored as bytes: 0 or 1.
  const real = name === 'bool' ? 'uint8' : name;
  if (!isRealName(real) || (dtype.name !== 'float32' && dtype.name !== 'float64'))
    throw new TypeError(`cannot convert ${name} to ${dtype.name}`);
  return {
    kind: 'numbers',
    sourceBytes: numberType(real).itemSize,
    dtype: dtype.name === 'float32' ? numberType('float32') : numberType('float64'),
    values: plainNumbers(real),
  };
}

/** Folds on the threads that decode the chunks, if the input supports it. */
function foldOf(
  input: LazySlice,
  mask: SliceMask,
  transform: NumberTransform | undefined,
): LazySlice['fold'] | undefined {
  // Fields do not support transforms during the fold.
  if (transform !== undefined && !(isStored(input) && input.dtype === input.array.meta.dtype))
    return undefined;
  if (input.fold === undefined) return undefined;
  return async (fold, options = {}) => {
    const own = await mask.read(options);
    const cells = { ...(fold.cells ?? noCells), masks: [...(fold.cells?.masks ?? []), own] };
    const masked = { ...fold, cells };
    if (transform !== undefined && isStored(input)) return input.fold(masked, { ...options, transform });
    return foldSlice(input, masked, options);
  };
}

async function readMasked(
  input: LazySlice,
  mask: SliceMask,
  dtype: FixedSizeType,
  transform: NumberTransform | undefined,
  options: SliceFoldOptions,
  out: Uint8Array | undefined,
): Promise<Block> {
  const cells = await mask.read(options);
  const block = await input.read(options);
  if (!('bytes' in block)) throw new TypeError(`expected the values of type ${dtype.name} as bytes`);
  const { shape } = input;
  const length = sizeOf(shape) * dtype.itemSize;
  const bytes = out === undefined && transform === undefined ? block.bytes : destination(out, length);
  const runs = shape.map((count) => ({ start: 0, step: 1, count }));
  const access = numberAccess(dtype.name);
  if (access === undefined) throw new TypeError(`values of type ${dtype.name} cannot be missing`);
  const missing = missingBytes(access);
  const pause = createPause();
  let at = 0;
  for (const dims of boxesOf(shape.map((count) => ({ start: 0, count })), PIECE)) {
    const count = sizeOf(dims.map((dim) => dim.count));
    const target = bytes.subarray(at * dtype.itemSize, (at + count) * dtype.itemSize);
    const size = transform?.sourceBytes ?? dtype.itemSize;
    const source = block.bytes.subarray(at * size, (at + count) * size);
    if (transform !== undefined) applyTransform(transform, source, target);
    else if (bytes !== block.bytes) target.set(source);
    if (count > 0)
      forEachOutside(cells, { dims, runs }, (from, to) => {
        for (let i = from * dtype.itemSize; i < to * dtype.itemSize; i += missing.length) target.set(missing, i);
      });
    at += count;
    await pause();
    throwIfAborted(options.signal);
  } // prettier-ignore
  return { dtype, shape, bytes };
}
