/** Fills gaps along a dimension. */
import * as z from 'zod';
import { isFloatName } from '../../../../wire/data-types.js';
import {
  alongSlice,
  forwardKernel,
  guardSlice,
  inTurns,
  type LazySlice,
  linearKernel,
  positionOfDim,
  SelectionError,
  UnsupportedError,
} from '../../../zarr/index.js';
import { labelsAlong } from '../../../dataset/labels/labels-along.js';
import { choice, declareOperation, dimension } from '../declared.js';
import type { OperationScope } from '../operation.js';
import { partAlong } from './part-along.js';

const reversed = { kind: 'slice', step: -1 } as const;

export const fillOperation = declareOperation({
  about: 'Fills missing values from their neighbours along a dimension.',
  details:
    'LINEAR is for floats, along the sorted numbers or dates of the coordinate, or along the positions if there is none. The data type stays; types without missing values are unchanged.',
  form: z.strictObject({
    dim: dimension,
    method: choice('FillMethod', 'What gaps are filled with.', {
      FORWARD: 'The last value before the gap, as `ffill` in xarray.',
      BACKWARD: 'The first value after the gap, as `bfill` in xarray.',
      LINEAR: 'Values between those on both sides, as `interpolate_na` in xarray. Gaps at the ends stay.',
    }),
    limit: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .exactOptional()
      .describe(
        'Maximum number of positions of each gap to fill, from its beginning (BACKWARD: from its end). All by default.',
      ),
  }),
  result: 'same',
  step: (fill) => ({ fill }),
  async apply(slice, { dim, method, limit = Infinity }, scope) {
    const axis = positionOfDim(dim, slice.dims);
    if (method === 'LINEAR') return fillLinear(slice, axis, limit, scope);
    const kernel = forwardKernel(limit, slice.dtype);
    if (method === 'FORWARD') return alongSlice(slice, axis, kernel);
    return partAlong(alongSlice(partAlong(slice, axis, reversed), axis, kernel), axis, reversed);
  },
});

async function fillLinear(
  slice: LazySlice,
  axis: number,
  limit: number,
  scope: OperationScope,
): Promise<LazySlice> {
  if (!isFloatName(slice.dtype.name))
    throw new UnsupportedError(`LINEAR fills floats; the values are of type ${slice.dtype.name}`);
  const size = slice.shape[axis] ?? 0;
  await scope.coordinates.reserve(size * Float64Array.BYTES_PER_ELEMENT);
  const labels = await sortedLabels(slice, axis, scope);
  const at = await inTurns(positionsOf(size, labels?.keys));
  return guardSlice(alongSlice(slice, axis, linearKernel(limit, slice.dtype, at)), labels?.known ?? []);
}

type Labels = Awaited<ReturnType<typeof labelsAlong>>;

async function sortedLabels(
  slice: LazySlice,
  axis: number,
  scope: OperationScope,
): Promise<Labels | undefined> {
  try {
    return await labelsAlong(slice, axis, undefined, scope, 'inAnyOrder');
  } catch (error) {
    // Without a coordinate, positions are equally spaced.
    if (error instanceof SelectionError) return undefined;
    throw error;
  }
}

/** @throws SelectionError for labels that are not sorted numbers or dates */
function* positionsOf(size: number, keys: Labels['keys'] | undefined): Generator<void, Float64Array, void> {
  const at = new Float64Array(size);
  const start = keys?.at(0);
  for (let i = 0; i < size; i++) {
    const key = keys === undefined ? i : keys.at(i);
    // Dates are subtracted before they are rounded.
    at[i] = typeof key === 'bigint' && typeof start === 'bigint' ? Number(key - start) : Number(key);
    if (i > 1 && !(Math.sign((at[i] ?? NaN) - (at[i - 1] ?? NaN)) * Math.sign((at[1] ?? NaN) - (at[0] ?? NaN)) > 0))
      throw new SelectionError('LINEAR requires sorted labels without repeats and missing values; select or sort them first'); // prettier-ignore
    if (i % 4096 === 4095) yield;
  }
  if (size === 2 && !(Math.abs((at[1] ?? NaN) - (at[0] ?? NaN)) > 0))
    throw new SelectionError('LINEAR requires different labels');
  return at;
}
