/** Slices with missing elements according to a mask of cells along two dimensions. */
import { maskedName } from '../../../wire/result-types.js';
import { sizeOf } from '../bytes/shape.js';
import {
  dataTypeName,
  type Block,
  type DataType,
  type FixedSizeType,
  isFixedSize,
  numberType,
} from '../dtype/data-type.js';
import { InputError, SelectionError, throwIfAborted, UnsupportedError } from '../errors.js';
import { foldSlice } from './fold-slice.js';
import type { ArraySlice, LazySlice, SliceFoldOptions, SliceReadOptions } from './lazy-slice.js';
import { exceededLimits } from '../read/cost.js';
import type { PlanCost } from '../read/plan.js';
import { forEachOutside } from '../read/reduce/cell-values.js';
import { type CellMask, noCells } from '../read/reduce/cells.js';
import { hasMissing, typeNamed } from '../read/reduce/reduction.js';
import { PIECE } from '../read/number-planes.js';
import { boxesOf } from '../read/sinks/elements.js';
import { applyTransform } from '../read/transform/apply-transform.js';
import { isRealName, type NumberTransform, plainNumbers } from '../read/transform/element-transform.js';
import { resolveSelection } from '../selection/resolve.js';
import type { ResolvedSelection } from '../selection/selection.js';
import { isStored } from './slice.js';
import { streamSlice } from './stream-slice.js';
import { createPause } from '../turns.js';

/** The mask of a slice. Immutable. */
export interface SliceMask {
  /** Inputs from which the mask is computed. */
  readonly inputs: readonly ArraySlice[];
  /** Extent of the mask; see `LazySlice.extent`. */
  readonly extent: LazySlice['extent'];
  /** See `LazySlice.preparation`: computes the extent. */
  readonly preparation?: LazySlice['preparation'];
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
  const dtype = maskedType(input.dtype);
  const transform = dtype === input.dtype ? undefined : toFloats(input.dtype, dtype);
  const cost = (): PlanCost => {
    const own = input.cost();
    const outputBytes = sizeOf(input.shape) * dtype.itemSize;
    const intermediateBytes = own.intermediateBytes + own.allocatedBytes;
    return mask.addTo({ ...own, outputBytes, allocatedBytes: outputBytes, intermediateBytes });
  };
  const fold = foldOf(input, mask, transform);
  const slice: LazySlice = {
    where: input.where,
    inputs: [...input.inputs, ...mask.inputs],
    readBefore: input.readBefore,
    origin: input.origin,
    dtype,
    dtypeName: transform === undefined ? input.dtypeName : dataTypeName(dtype),
    shape: input.shape,
    dims: input.dims,
    get extent() {
      return mask.extent;
    },
    isComputed: input.isComputed === true,
    takesOut: true,
    preparation: mask.preparation,
    select(selection) {
      const resolved = resolveSelection(selection, input.dims);
      return maskSlice(input.select(selection), mask.select(resolved));
    },
    field() {
      throw new SelectionError(`values of type ${dtype.name} have no fields; only structs do`);
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options) => readMasked(input, mask, dtype, transform, options),
    stream: (options) => streamSlice(slice, options),
    ...(fold === undefined ? {} : { fold }),
  };
  return slice;
}

function maskedType(dtype: DataType): FixedSizeType {
  const masked = typeNamed(maskedName(dtype.name), dtype);
  if (isFixedSize(masked) && hasMissing(masked)) return masked;
  throw new UnsupportedError(`the data type ${dtype.name} has no missing value; elements cannot be masked`);
}

function toFloats({ name }: DataType, dtype: FixedSizeType): NumberTransform {
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
  { out, readOnly: _, ...options }: SliceReadOptions = {},
): Promise<Block> {
  const cells = await mask.read(options);
  const block = await input.read(options);
  if (!('bytes' in block)) throw new TypeError(`expected the values of type ${dtype.name} as bytes`);
  const { shape } = input;
  const length = sizeOf(shape) * dtype.itemSize;
  const bytes = out ?? (transform === undefined ? block.bytes : new Uint8Array(length));
  if (bytes.length !== length) throw new InputError(`"out" is ${bytes.length} bytes; expected ${length}`);
  const runs = shape.map((count) => ({ start: 0, step: 1, count }));
  const missing = missingOf(dtype);
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

/** The bytes of one missing value, little-endian. */
function missingOf({ name }: FixedSizeType): Uint8Array {
  switch (name) {
    case 'float16':
      return Uint8Array.of(0, 0x7e);
    case 'float32':
      return new Uint8Array(Float32Array.of(NaN).buffer);
    case 'float64':
      return new Uint8Array(Float64Array.of(NaN).buffer);
    case 'complex64':
      return new Uint8Array(Float32Array.of(NaN, NaN).buffer);
    case 'complex128':
      return new Uint8Array(Float64Array.of(NaN, NaN).buffer);
    default:
      // NaT is -2^63.
      return Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80);
  }
}
