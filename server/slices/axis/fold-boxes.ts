/** Folds slices that are computed box by box. */
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import { throwIfAborted } from '../../core/errors.js';
import { defaultLimits } from '../../core/limits.js';
import { createPause } from '../../core/turns.js';
import { mappedAxes } from '../../compute/axis-map.js';
import type { Fold } from '../../compute/reduce/fold.js';
import { assertWithinLimits } from '../../format/plan/cost.js';
import type { Box } from '../boxes.js';
import { addBlock, foldCost } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';

export interface ValuesOfBox {
  /** Position and shape in the slice. */
  readonly box: Box;
  /** The elements in C order. Valid until the next box is requested. */
  readonly values: Uint8Array;
}

/**
 * @param dtype data type of the values of the slice
 * @param boxesOf computes boxes that contain each element once
 */
export async function foldBoxes<T>(
  slice: LazySlice,
  dtype: FixedSizeType,
  boxesOf: (options: SliceFoldOptions) => AsyncIterable<ValuesOfBox>,
  fold: Fold<T>,
  options: SliceFoldOptions = {},
): Promise<T> {
  const limits = options.limits ?? slice.inputs[0]?.array.context.limits ?? defaultLimits;
  assertWithinLimits(foldCost(slice, fold, fold.totalBytes), limits);
  const axes = mappedAxes(fold.maps, slice.shape);
  const total = fold.createTotal();
  const pause = createPause();
  // The limit on decoded bytes does not apply to folded chunks.
  const own = { ...limits, maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxReducedBytes) };
  for await (const { box, values } of boxesOf({ ...options, limits: own }))
    for (const _ of addBlock(total, fold, { dtype, shape: box.shape, bytes: values }, axes, box.start)) {
      await pause();
      throwIfAborted(options.signal);
    } // prettier-ignore
  return total.finish();
}
