/** Folds slices with more weights than fit into memory: values and weights are read together, box by box. */
import { throwIfAborted } from '../core/errors.js';
import { defaultLimits } from '../core/limits.js';
import { mappedAxes } from '../compute/axis-map.js';
import type { Fold } from '../compute/reduce/fold.js';
import { createPause } from '../core/turns.js';
import { MAX_BOX_BYTES, boxesOfShape, boxLengths, chunksAlong, selectionIn } from './boxes.js';
import { addBlock } from './fold-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { OneState } from './one-state.js';
import { readWeights, selectFactor, type WeightFactor } from './weight-factors.js';

/** @param factors factors whose weights are read box by box; `fold.cells` has the others */
export async function foldWeightedBoxes<T>(
  input: LazySlice,
  factors: readonly WeightFactor[],
  fold: Fold<T>,
  { signal, limits = input.inputs[0]?.array.context.limits ?? defaultLimits, ...options }: SliceFoldOptions,
): Promise<T> {
  const { shape } = input;
  const chunks = chunksAlong(input);
  const lengths = boxLengths(shape, chunks, elementBytes(input, factors));
  const state = new OneState(input, options);
  const reading = {
    signal,
    onVersion: state.onVersion,
    keepChunks: options.keepChunks ?? false,
    // The slice as a whole is within the limits; boxes count as `intermediateBytes`.
    limits: {
      ...limits,
      maxOutputBytes: Math.max(limits.maxOutputBytes, MAX_BOX_BYTES),
      maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxReducedBytes),
    },
  };
  const every = shape.map((_, axis) => axis);
  const axes = mappedAxes(fold.maps, shape);
  const total = fold.createTotal();
  const pause = createPause();
  for (const box of boxesOfShape(shape, chunks, lengths)) {
    const dims = box.start.map((start, axis) => ({ kind: 'range' as const, start, step: 1, count: box.shape[axis] ?? 1, dropped: false })); // prettier-ignore
    const own = factors.map((factor) => selectFactor(factor, dims));
    const block = await input.select(selectionIn(box, every)).read(reading);
    const weights = await readWeights(own, reading, box);
    state.assertUnchanged();
    for (const _ of addBlock(total, fold, block, axes, box.start, weights)) {
      await pause();
      throwIfAborted(signal);
    }
  }
  return total.finish();
}

function elementBytes({ dtype }: LazySlice, factors: readonly WeightFactor[]): number {
  return factors.reduce(
    (sum, { source }) => sum + 8 + ('numbers' in source ? 0 : (source.dtype.itemSize ?? 8)),
    dtype.itemSize ?? 8,
  );
}
