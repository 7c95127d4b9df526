/** Folds the values of any slice, on the threads that decode the chunks or block by block. */
import { sizeOf, stridesOf } from '../bytes/shape.js';
import type { Values } from '../bytes/values.js';
import type { Block } from '../dtype/data-type.js';
import { throwIfAborted } from '../errors.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { tasksInFlight } from '../read/batches.js';
import type { PlanCost } from '../read/plan.js';
import { mappedAxes, placeAxis, type MappedAxis } from '../read/reduce/axis-map.js';
import { type AxisNumbers, cellsOfTask, noCells } from '../read/reduce/cells.js';
import type { Fold, Total } from '../read/reduce/fold.js';
import { partialOfRegion } from '../read/reduce/partial.js';
import { createPause } from '../turns.js';

/** The cost of folding. @param outputBytes size of the result */
export function foldCost(slice: LazySlice, fold: Fold<unknown>, outputBytes: number | undefined): PlanCost {
  const cost = slice.cost();
  const chunkElements = cost.chunkBytes / Math.max(1, slice.dtype.itemSize ?? 1);
  const partialBytes = Math.min(fold.totalBytes, chunkElements * fold.slotBytes);
  // Computed slices are read in blocks.
  const blockBytes = slice.fold === undefined ? Math.min(cost.allocatedBytes, 48 * 2 ** 20) : 0;
  return {
    ...cost,
    decodedBytes: 0,
    reducedBytes: cost.reducedBytes + cost.decodedBytes,
    outputBytes,
    allocatedBytes: outputBytes ?? 0,
    intermediateBytes:
      cost.intermediateBytes +
      fold.totalBytes +
      Math.min(cost.chunks, tasksInFlight(cost.chunkBytes)) * partialBytes +
      blockBytes,
  };
}

/**
 * Folds all values of a slice, each once. Memory is bounded by the merged result and the partial results of
 * chunks in flight. The result is reproducible bit by bit, independent of the order in which chunks arrive
 * and of the threads.
 * @throws errors from `LazySlice.read`
 */
export function foldSlice<T>(slice: LazySlice, fold: Fold<T>, options: SliceFoldOptions = {}): Promise<T> {
  return slice.fold === undefined ? foldBlocks(slice, fold, options) : slice.fold(fold, options);
}

/** Folds block by block. Elements arrive in C order of the slice. */
export async function foldBlocks<T>(
  slice: LazySlice,
  fold: Fold<T>,
  options: SliceFoldOptions = {},
): Promise<T> {
  const axes = mappedAxes(fold.maps, slice.shape);
  const total = fold.createTotal();
  const pause = createPause();
  const { signal, limits, onVersion } = options;
  for await (const { block, from } of slice.stream({ signal, limits, onVersion }))
    for (const _ of addBlock(total, fold, block, axes, startOf(from, slice.shape))) {
      await pause();
      throwIfAborted(signal);
    }
  return total.finish();
}

/**
 * @param start index of the block's first element
 * @param more weights of the block's elements, in addition to those of the fold
 */
export function* addBlock(
  total: Total<unknown>,
  { reducer, cells }: Fold<unknown>,
  block: Block,
  axes: readonly MappedAxis[],
  start: readonly number[],
  more: readonly AxisNumbers[] = [],
): Generator<void> {
  const { dtype, shape } = block;
  const placed = axes.map((axis, d) =>
    placeAxis(axis, { start: start[d] ?? 0, step: 1, count: shape[d] ?? 1 }),
  );
  const strides = stridesOf(shape, dtype.itemSize ?? 1);
  const region = { from: 0, dims: shape.map((count, d) => ({ count, from: strides[d] ?? 0 })) };
  const values: Values = 'bytes' in block ? { bytes: aligned(block.bytes) } : { items: block.items };
  const own = placed.map(({ axis }) => axis);
  const known = cells === undefined ? undefined : cellsOfTask(cells, own.map(({ run }) => run)); // prettier-ignore
  const beside = more.length === 0 ? known : { ...(known ?? noCells), weights: [...(known?.weights ?? []), ...more] }; // prettier-ignore
  const form = { reducer, dtype, transform: undefined, itemSize: dtype.itemSize, cells: beside };
  const partial = yield* partialOfRegion(form, own, values, region);
  yield* total.add(partial, placed, form);
}

/** The block at an aligned address, so that typed arrays can view it. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

/** Converts a position in C order to an index. */
function startOf(place: number, shape: readonly number[]): number[] {
  const sizes = shape.map((_, d) => sizeOf(shape.slice(d + 1)));
  return shape.map((length, d) => Math.floor(place / Math.max(1, sizes[d] ?? 1)) % Math.max(1, length));
}
